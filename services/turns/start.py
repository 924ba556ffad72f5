"""`TurnStart`: stores a student's message and launches the turn that answers it."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from zoneinfo import ZoneInfo

from services.approvals.open_cards import OpenCardNews
from services.conversations.conversation import Conversation, conversation_of
from services.conversations.conversations import Conversations
from services.conversations.turn_records import TurnRecord, TurnRecords
from services.errors import BadArguments, DuplicateDocument, ItemNotFound, StorageUnavailable, WriteConflict
from services.files.attachments import Attachment, CheckedFile
from services.i18n import formats, gettext
from services.identity.students import Student, Students
from services.identity.visits import begins_visit, last_visit
from services.llm.effort import EffortChoice
from services.llm.messages import Block, StoredMessage, text_block
from services.prompt.prompt_builder import context_text, moment_text
from services.runtime.clock import Clock, moment
from services.runtime.priority_limiter import CPU_SLOTS
from services.storage.leases import Lease, Leases
from services.storage.store import Store
from services.turns.executor import TurnExecutor
from services.turns.pending_decisions import PendingDecisions, is_answered, may_have_open_cards
from services.turns.turn import turn_lease

LONGEST_MESSAGE = 50_000
"""Characters of one message."""
TIME_OUTDATED_AFTER = timedelta(minutes=10)
"""After so long a turn that continues is told the time anew."""
CONTINUE = "Please continue from where you were cut off."


@dataclass(frozen=True, kw_only=True)
class TurnIds:
    """Ids of a turn and of its conversation, each 24 hexadecimal digits."""

    conversation_id: str
    turn_id: str


class TurnStart:
    def __init__(
        self,
        *,
        store: Store,
        students: Students,
        conversations: Conversations,
        records: TurnRecords,
        leases: Leases,
        executor: TurnExecutor,
        pending: PendingDecisions,
        clock: Clock,
        guided_news: Callable[[Student, str], Sequence[str]] = lambda student, assistant: (),
    ) -> None:
        """guided_news: what a guided assistant, by its id, is told of a student's understanding."""
        self._guided_news = guided_news
        self._store = store
        self._students = students
        self._conversations = conversations
        self._records = records
        self._leases = leases
        self._executor = executor
        self._pending = pending
        self._clock = clock

    def start_chat(
        self,
        student: Student,
        text: str,
        files: Sequence[CheckedFile],
        *,
        assistant: str,
        effort: EffortChoice,
        ids: TurnIds,
    ) -> None:
        """Start the first turn of a new chat: nothing must be read, and one write stores all that is new.

        The chat itself comes last, so that one whose first message was lost in a crash is in no list. Files come
        before, under the chat's lease: recovery finds that there is no such chat, and removes them.
        """
        chat = self._conversations.new(text, assistant=assistant, effort=effort, id=ids.conversation_id)
        conversation = conversation_of(chat)
        lease = turn_lease(student.id, conversation.id, turn_id=ids.turn_id, run=secrets.token_hex(8))
        with self._leases.until_handed_over(lease, at_once=True):
            if files:
                self._leases.acquire(lease)
            attached = self._conversations.files.store_files(student.id, conversation.id, files)
            message = self._message(conversation, student, text, attached, lease, seq=1)
            record = self._record(conversation, lease, message)
            batch = self._store.batch()
            if not files:
                self._leases.insert(lease, within=batch)
            self._conversations.insert_message(student.id, conversation.id, message, within=batch)
            self._records.insert(student.id, record, within=batch)
            self._students.note_message(student, within=batch)
            self._conversations.insert(student.id, chat, within=batch)
            # One that was begun before raises `DuplicateDocument`. An engine without transactions may have stored the
            # lease then, beside what a failed batch has left: recovery takes it away.
            batch.commit()
            self._leases.hold(lease)
            self._executor.launch(student, record, lease, messages=[message])

    def start_turn(
        self, student: Student, conversation: Conversation, text: str, files: Sequence[CheckedFile], lease: Lease
    ) -> None:
        """Start a turn in an existing chat, under its lease, which is released when the message cannot be stored.

        Raises `DuplicateDocument` when it is stored already: recovery may have found it while the lease was waited for.
        """
        try:
            earlier = self._conversations.messages(student.id, conversation.id, from_seq=conversation.from_seq)
            if self._is_stored(student.id, conversation, lease.work, earlier):
                raise DuplicateDocument("This message is stored already.")
            if earlier and not is_answered(earlier):
                self._pending.end_last_turn(student.id, conversation.id, text)
                earlier = self._conversations.messages(student.id, conversation.id, from_seq=conversation.from_seq)
            updates = OpenCardNews()
            if conversation.from_seq or may_have_open_cards(earlier):
                updates = self._pending.open_card_news(student.id, conversation.id, text)
            conversation = replace(conversation, news=(*conversation.news, *updates.news))
            attached = self._conversations.files.store_files(student.id, conversation.id, files)
            question = self._message(
                conversation,
                student,
                text,
                attached,
                lease,
                seq=earlier[-1].seq + 1 if earlier else 1,
                knows_notes=any(message.meta.get("knows_notes") for message in earlier),
            )
            record = self._record(conversation, lease, question)
            self._store_question(student, question, record)
            self._pending.mark_told(student.id, updates)
        except (StorageUnavailable, WriteConflict, ItemNotFound):
            # The message may be stored: recovery looks.
            self._leases.expire(lease)
            raise
        except BaseException:
            self._leases.release(lease)
            raise
        with self._leases.until_handed_over(lease, at_once=True):
            self._executor.launch(
                student, record, lease, messages=[*earlier, question], may_have_summary=conversation.may_have_summary
            )
        CPU_SLOTS.release_current()
        self._conversations.announce_message(student.id, conversation, text, record.started_at)

    def _is_stored(
        self, student_id: str, conversation: Conversation, turn_id: str, messages: Sequence[StoredMessage]
    ) -> bool:
        """Whether a turn's message is among these, or among those that are not sent to the model any more."""
        if any(message.meta.get("turn_id") == turn_id for message in messages):
            return True
        return bool(conversation.from_seq) and self._records.get(student_id, turn_id) is not None

    def _store_question(self, student: Student, question: StoredMessage, record: TurnRecord) -> None:
        """Store a message and the turn that answers it in one write.

        Raises `ItemNotFound` for a chat that was deleted meanwhile, of which recovery takes away what is left.
        """
        batch = self._store.batch()
        self._students.note_message(student, within=batch)
        self._conversations.insert_message(student.id, record.conversation_id, question, within=batch)
        self._records.insert(student.id, record, within=batch)
        self._conversations.record_message(student.id, record.conversation_id, record.started_at, within=batch)
        try:
            batch.commit()
        except WriteConflict:
            self._conversations.get(student.id, record.conversation_id)
            raise

    def add_continue_message(self, student: Student, conversation_id: str, turn_id: str) -> None:
        """Store what the model must know before a turn continues: that it should, where its own text comes last; and
        the time, as "tomorrow" may be another day by now.
        """
        messages = self._conversations.messages(student.id, conversation_id)
        if not messages:
            return
        last = messages[-1]
        is_cut_off = last.role == "assistant" and not last.tool_calls
        if not is_cut_off and last.at and self._clock() - moment(last.at) < TIME_OUTDATED_AFTER:
            return
        content = [self._context(student), *([text_block(CONTINUE)] if is_cut_off else [])]
        meta = {"turn_id": turn_id, "has_context": True, "is_hidden": True}
        self._conversations.append_message(student.id, conversation_id, role="user", content=content, meta=meta)

    def _message(
        self,
        conversation: Conversation,
        student: Student,
        text: str,
        attached: Sequence[Attachment],
        lease: Lease,
        *,
        seq: int,
        knows_notes: bool = False,
    ) -> StoredMessage:
        notes = () if knows_notes else self._guided_news(student, conversation.assistant)
        news = (*self._visit(student, is_first=seq == 1), *conversation.news, *notes)
        content = (self._context(student, news), *(file.block() for file in attached), text_block(text))
        meta = {"turn_id": lease.work, "has_context": True, **({"knows_notes": True} if notes else {})}
        return StoredMessage(seq=seq, role="user", content=content, meta=meta)

    def _visit(self, student: Student, *, is_first: bool) -> Sequence[str]:
        """When the student was here before, in a chat's first message and that of a new visit."""
        now = self._clock()
        before = last_visit(student, now)
        if before is None or not (is_first or begins_visit(student, now)):
            return ()
        return (f"The student was last here: {moment_text(before.astimezone(ZoneInfo(student.timezone)))}",)

    def _context(self, student: Student, news: Sequence[str] = ()) -> Block:
        now = self._clock().astimezone(ZoneInfo(student.timezone))
        return text_block(context_text(now, student.locale, news))

    def _record(self, conversation: Conversation, lease: Lease, question: StoredMessage) -> TurnRecord:
        return self._records.new(
            lease.work,
            conversation_id=conversation.id,
            run=lease.holder,
            first_seq=question.seq,
            assistant=conversation.assistant,
            effort=conversation.effort,
        )


def checked_text(text: str) -> str:
    """Strip and check a message; raises `BadArguments` for an empty or too long one."""
    text = text.strip()
    if not text:
        step = gettext("Write what you want to know, then send it.")
        raise BadArguments(gettext("The message is empty."), field="text", next_step=step)
    if len(text) > LONGEST_MESSAGE:
        most = formats.number(LONGEST_MESSAGE)
        step = gettext("Shorten it, or attach the long part as a file.")
        sentence = gettext("The message is longer than {most} characters.", most=most)
        raise BadArguments(sentence, field="text", next_step=step)
    return text
