"""`Branches`: another way on from an earlier question, in a chat of its own; the chat it comes from stays as it is."""

from services.conversations.conversations import Conversation, Conversations
from services.conversations.items import question_text
from services.conversations.titles import LONGEST
from services.errors import HomeroomError, ItemNotFound
from services.files.attachment import Attachment, attachments_in
from services.files.upload import Upload
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.llm.effort import checked_effort
from services.llm.messages import StoredMessage
from services.storage.store import Store
from services.turns.runner import TurnRunner

_MARK = gettext_noop(" (another way)")


class Branches:
    def __init__(self, store: Store, conversations: Conversations, turns: TurnRunner) -> None:
        self._store = store
        self._conversations = conversations
        self._turns = turns

    def ask_instead(self, student: Student, conversation_id: str, seq: int, text: str | None = None) -> str:
        """Ask `text`, or the same once more, in place of the question at `seq`; the id of the new chat.

        The new chat holds what was said before, the question's own files, and the way back. Raises `ItemNotFound`
        when there is no such question, and what `TurnRunner.start` raises; then there is no new chat.
        """
        source = self._conversations.get(student.id, conversation_id)
        messages = self._conversations.messages(student.id, conversation_id)
        question = next((one for one in messages if one.seq == seq and one.is_question), None)
        if question is None:
            raise ItemNotFound("Homeroom", gettext("This question is not here any more."))
        before = [one for one in messages if one.seq < seq]
        with self._turns.new_chat(student) as (new, lease):
            try:
                self._copy(student.id, source, new, seq, before)
                files = [self._again(student.id, conversation_id, one) for one in attachments_in(question.content)]
                asked = question_text(question) if text is None else text
                self._turns.start(student, new, asked, files, lease=lease)
            except HomeroomError:
                self._conversations.delete(student.id, new)
                raise
        self._turns.withdraw_from(student, conversation_id, seq)
        return new

    def _copy(self, student_id: str, source: Conversation, new: str, seq: int, before: list[StoredMessage]) -> None:
        effort = checked_effort(source.effort)
        self._conversations.create(student_id, id=new, assistant=source.assistant, effort=effort)
        changes: dict[str, object] = {"branch_of": source.id}
        if before:
            mark = gettext(_MARK)
            title = source.title.removesuffix(mark)[: LONGEST - len(mark)].rstrip()
            changes |= {"title": f"{title}{mark}", "has_weak_title": False}
        if source.from_seq < seq:
            changes["from_seq"] = source.from_seq
        self._store.of(student_id).swap("conversations", new, {}, changes)
        self._conversations.summaries.copy(student_id, source.id, new, before_seq=seq)
        for message in before:
            uploads = [self._again(student_id, source.id, one) for one in attachments_in(message.content)]
            files = self._conversations.files
            files.keep(student_id, new, files.check(student_id, uploads))
            self._conversations.replace_message(student_id, new, message)

    def _again(self, student_id: str, conversation_id: str, one: Attachment) -> Upload:
        original = self._conversations.files.original(student_id, conversation_id, one.id)
        return Upload(name=one.name, content=original)
