"""`Branches`: copies of a chat up to an earlier question, which is asked anew there; the first chat stays as it is."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial

from services.conversations.conversation import Conversation
from services.conversations.conversations import Conversations
from services.conversations.titles import LONGEST
from services.errors import HomeroomError, ItemNotFound
from services.files.attachment import attachments_in
from services.files.upload import Upload
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.llm.effort import checked_effort
from services.llm.messages import StoredMessage
from services.storage.store import Store

_MARK = gettext_noop(" (another way)")

NewChat = Callable[[Student], AbstractContextManager[tuple[str, Callable[[str, Sequence[Upload]], str]]]]
Withdraw = Callable[[Student, str, int], None]


class Branches:
    def __init__(self, store: Store, conversations: Conversations, *, new_chat: NewChat, withdraw: Withdraw) -> None:
        """new_chat: see `TurnRunner.new_chat`. withdraw: see `TurnRunner.withdraw_from`."""
        self._store = store
        self._conversations = conversations
        self._new_chat = new_chat
        self._withdraw = withdraw

    def ask_instead(self, student: Student, conversation_id: str, seq: int, text: str | None = None) -> str:
        """Ask `text`, or the same once more, in place of the question at `seq`; the id of the new chat.

        The new chat holds the messages before it, the question's own files, and the way back. Raises `ItemNotFound`
        when there is no such question, and what the start of a turn raises; then there is no new chat.
        """
        source = self._conversations.get(student.id, conversation_id)
        messages = self._conversations.messages(student.id, conversation_id)
        question = next((message for message in messages if message.seq == seq and message.is_question), None)
        if question is None:
            raise ItemNotFound("Homeroom", gettext("This question is not here any more."))
        before = [message for message in messages if message.seq < seq]
        with self._new_chat(student) as (new, start):
            try:
                self._copy(student.id, source, new, seq, before)
                files = self._uploads(student.id, conversation_id, question)
                start(question.text if text is None else text, files)
            except HomeroomError:
                self._conversations.delete(student.id, new)
                raise
        self._withdraw(student, conversation_id, seq)
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
        self._store.for_student(student_id).compare_and_set("conversations", new, {}, changes)
        self._conversations.summaries.copy(student_id, source.id, new, before_seq=seq)
        for message in before:
            files = self._conversations.files
            files.store_files(
                student_id, new, files.check_uploads(student_id, self._uploads(student_id, source.id, message))
            )
            self._conversations.replace_message(student_id, new, message)

    def _uploads(self, student_id: str, conversation_id: str, message: StoredMessage) -> list[Upload]:
        """The message's files, as if they were uploaded again."""
        original = partial(self._conversations.files.read_original, student_id, conversation_id)
        return [Upload(name=file.name, content=original(file.id)) for file in attachments_in(message.content)]
