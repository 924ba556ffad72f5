"""`Branches`: an earlier question asked anew, as a version of the chat beside what was said first."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial

from services.conversations.conversation import Conversation
from services.conversations.conversations import Conversations
from services.conversations.versions import COLLECTION, QuestionVersions, question_versions, version_ids
from services.errors import HomeroomError, ItemNotFound
from services.files.attachments import attachments_in
from services.files.upload import Upload
from services.i18n import gettext
from services.identity.students import Student
from services.llm.effort import checked_effort
from services.llm.messages import StoredMessage
from services.storage.store import Store

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
        """Ask `text`, or the same once more, in place of the question at `seq`; the id of the chat's new version.

        It holds the messages before the question, and the question's own files. Raises `ItemNotFound` when there is no
        such question, and what the start of a turn raises; then there is no new version.
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
        self.show(student.id, new)
        self._withdraw(student, conversation_id, seq)
        return new

    def show(self, student_id: str, conversation_id: str) -> None:
        """List this version of its chat in place of the one that was open before. Nothing that the student sees of a
        version changes, so no page draws itself again.
        """
        mine = self._store.for_student(student_id)
        *others, _ = version_ids(mine, conversation_id)
        mine.compare_and_set(COLLECTION, conversation_id, {}, {"replaced_by": None})
        for other in others:
            mine.compare_and_set(COLLECTION, other, {}, {"replaced_by": conversation_id})

    def versions(self, student_id: str, conversation: Conversation) -> Mapping[int, QuestionVersions]:
        """Versions of the questions of a chat, by the number of the question; only of those that have several."""
        if not conversation.thread_id:
            return {}
        return question_versions(self._store.for_student(student_id), conversation.id, conversation.thread_id)

    def _copy(self, student_id: str, source: Conversation, new: str, seq: int, before: list[StoredMessage]) -> None:
        effort, mine = checked_effort(source.effort), self._store.for_student(student_id)
        self._conversations.create(student_id, id=new, assistant=source.assistant, effort=effort)
        thread = source.thread_id or source.id
        changes: dict[str, object] = {"thread_id": thread, "branch_of": source.id, "branch_seq": seq}
        if before or source.is_named:
            changes |= {"title": source.title, "has_weak_title": False, "is_named": source.is_named}
        if source.is_pinned:
            changes["pinned"] = True
        if source.from_seq < seq:
            changes["from_seq"] = source.from_seq
        mine.compare_and_set(COLLECTION, new, {}, changes)
        mine.compare_and_set(COLLECTION, source.id, {}, {"thread_id": thread})
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
