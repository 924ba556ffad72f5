"""`TurnRunner`: starts, stops, continues and follows turns, which go on without the page that shows them."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

from services.approvals.approval import Approval
from services.assistants.assistant import DEFAULT_ASSISTANT
from services.classes.class_repository import memberships_read_once
from services.conversations.conversations import Conversations
from services.conversations.items import TurnView, from_json, notice_item
from services.conversations.turn_records import TurnRecord, TurnRecords, TurnStatus
from services.errors import HomeroomError, SignInRequired, TurnBusy
from services.files.upload import Upload
from services.i18n import gettext
from services.identity.students import Student, Students
from services.llm.effort import EffortChoice
from services.safety.consent_terms import ConsentTerms
from services.storage.leases import Lease, Leases
from services.tools.result import PreviewRow
from services.turns import stop_reasons
from services.turns.decisions import Decisions
from services.turns.executor import TurnExecutor
from services.turns.pending_decisions import PendingDecisions
from services.turns.recovery import Recovery
from services.turns.start import TurnIds, TurnStart, checked_text
from services.turns.stream import TurnStream
from services.turns.turn import turn_lease

STORE_POLL_S = 1.0


class TurnRunner:
    def __init__(
        self,
        *,
        students: Students,
        conversations: Conversations,
        records: TurnRecords,
        leases: Leases,
        turn_start: TurnStart,
        executor: TurnExecutor,
        pending: PendingDecisions,
        decisions: Decisions,
        recovery: Recovery,
        terms: ConsentTerms,
        require_answer: Callable[[Student, str], None] = lambda student, assistant: None,
    ) -> None:
        """require_answer: raises `AssistantClosed` or `BudgetUsedUp` when an assistant, by its id, answers nothing."""
        self._terms, self._require_answer = terms, require_answer
        self._students, self._conversations, self._records, self._leases = students, conversations, records, leases
        self._turn_start, self._executor, self._pending = turn_start, executor, pending
        self._decisions, self._recovery = decisions, recovery
        self._active, self.draining = executor.active, executor.active.draining

    def start_turn(self, student: Student, conversation_id: str, text: str, files: Sequence[Upload] = ()) -> str:
        """Store a message, with the files that came with it, and answer it in the background; the turn's id.

        Raises, with nothing stored, `TurnBusy` when the conversation is answering already, `BadArguments` for an empty
        or endless text, `FilesRefused` for files that cannot be read, `SignInRequired` for a student who was disabled,
        `ConsentRequired`, and `ItemNotFound` for a conversation that is not theirs.
        """
        return self.begin_turn(self._signed_in(student), conversation_id, text, files, turn_id=secrets.token_hex(12))

    def begin_turn(
        self, student: Student, conversation_id: str, text: str, files: Sequence[Upload], *, turn_id: str
    ) -> str:
        """As `start_turn`, for a student who was read just now."""
        lease = partial(self._acquire_lease, student.id, conversation_id, turn_id=turn_id)
        return self._start_with_lease(student, conversation_id, text, files, lease)

    def _start_with_lease(
        self,
        student: Student,
        conversation_id: str,
        text: str,
        files: Sequence[Upload],
        acquire_lease: Callable[[], Lease],
    ) -> str:
        text = checked_text(text)
        self._terms.require_chat(student.consent)
        with self._active.admission(), memberships_read_once():
            self._active.require_room(student.id)
            conversation = self._conversations.get(student.id, conversation_id)
            self._require_answer(student, conversation.assistant)
            read = self._conversations.files.check_uploads(student.id, files)
            lease = acquire_lease()
            self._turn_start.start_turn(student, conversation, text, read, lease)
        return lease.work

    @contextmanager
    def new_chat(self, student: Student) -> Iterator[tuple[str, Callable[[str, Sequence[Upload]], str]]]:
        """Hold the id of a chat that is filled step by step, with what starts its first turn with a text and files.

        Without a first turn, recovery removes what was stored: the chat is in no list, so that nobody else could.
        """
        student, conversation_id = self._signed_in(student, for_model=True), secrets.token_hex(12)
        lease = self._acquire_lease(student.id, conversation_id, turn_id=secrets.token_hex(12))
        with self._leases.until_handed_over(lease):
            yield (
                conversation_id,
                partial(self._start_with_lease, student, conversation_id, acquire_lease=lambda: lease),
            )

    def start_chat(
        self,
        student: Student,
        text: str,
        files: Sequence[Upload] = (),
        *,
        assistant: str = DEFAULT_ASSISTANT,
        effort: EffortChoice = None,
    ) -> str:
        """Start a turn with the first message of a new chat; the chat's id. When it raises, there is no chat.

        assistant: the one that answers. effort: what the student chose, None for the assistant's own.
        """
        ids = TurnIds(conversation_id=secrets.token_hex(12), turn_id=secrets.token_hex(12))
        self.begin_chat(self._signed_in(student), text, files, assistant=assistant, effort=effort, ids=ids)
        return ids.conversation_id

    def begin_chat(
        self,
        student: Student,
        text: str,
        files: Sequence[Upload],
        *,
        assistant: str,
        effort: EffortChoice,
        ids: TurnIds,
    ) -> None:
        """As `start_chat`, for a student who was read just now, and with these ids."""
        text = checked_text(text)
        self._terms.require_chat(student.consent)
        with self._active.admission(), memberships_read_once():
            self._active.require_room(student.id)
            self._require_answer(student, assistant)
            read = self._conversations.files.check_uploads(student.id, files)
            self._turn_start.start_chat(student, text, read, assistant=assistant, effort=effort, ids=ids)

    def recover_chat(self, student_id: str, conversation_id: str) -> None:
        """Take away or complete what a try has left in a chat, if its process has given it up or is gone."""
        self._recovery.recover_conversation(turn_lease(student_id, conversation_id, turn_id="", run="").name)

    def retry(self, student: Student, conversation_id: str) -> str:
        """Run the turn again that failed before it had any text; the same turn's id."""
        return self._run_again(student, conversation_id, TurnStatus.FAILED)

    def resume(self, student: Student, conversation_id: str) -> str:
        """Continue the turn that was interrupted; the same turn's id."""
        return self._run_again(student, conversation_id, TurnStatus.INTERRUPTED)

    def stop(self, student: Student, turn_id: str) -> None:
        """End the turn at once and keep its text; does nothing when it has ended already."""
        if (record := self._records.get(student.id, turn_id)) is None or record.status.is_over:
            return
        self._executor.halt(student.id, record, TurnStatus.STOPPED, stop_reasons.STOPPED)
        if record.status is TurnStatus.WAITING:
            self._pending.withdraw(student.id, record)

    def end_conversation(self, student: Student, conversation_id: str) -> None:
        """Stop the turn of a conversation, and withdraw what waits in it for the student."""
        record = self._records.last(student.id, conversation_id)
        if record is not None:
            self.stop(student, record.id)
            self._pending.withdraw_all(student.id, record)

    def withdraw_from(self, student: Student, conversation_id: str, seq: int) -> None:
        """Withdraw what waits from the question at `seq` on, which is asked anew in a branch."""
        record = self._records.last(student.id, conversation_id)
        if record is not None and record.status is TurnStatus.WAITING and record.first_seq >= seq:
            self._pending.withdraw_all(student.id, record)
            self._records.end(student.id, record.id, TurnStatus.DONE, source=TurnStatus.WAITING)

    def current(self, student_id: str, conversation_id: str) -> TurnView | None:
        """View of the turn that runs in this conversation now, here or on another replica."""
        if (stream := self.running_stream(student_id, conversation_id)) is not None:
            return stream.view()
        record = self._records.last(student_id, conversation_id)
        if record is None or not self._records.is_live(student_id, record):
            return None
        return self._stored_view(student_id, record)

    def running_stream(self, student_id: str, conversation_id: str) -> TurnStream | None:
        """Stream of the turn that runs in this conversation and in this process."""
        stream = self._active.stream(student_id, conversation_id)
        return None if stream is None or stream.is_over else stream

    def stored_view(self, student_id: str, conversation_id: str) -> TurnView | None:
        """View of the latest turn as the store has it: of one that runs elsewhere, about a second old."""
        record = self._records.last(student_id, conversation_id)
        return None if record is None else self._stored_view(student_id, record)

    def follow(self, student: Student, conversation_id: str) -> Iterator[TurnView]:
        """Yield views of the latest turn as it grows, at most twelve a second; the last one when it waits or has ended.

        A quiet turn is yielded twice a second, unchanged, so that a page that was closed notices. Any number of
        pages may follow, from any replica, as often as they like.
        """
        if (stream := self._active.stream(student.id, conversation_id)) is not None:
            yield from stream.follow()
            return
        while (record := self._records.last(student.id, conversation_id)) is not None:
            view = self._stored_view(student.id, record)
            yield view
            if view.status is not TurnStatus.RUNNING or self.draining.wait(STORE_POLL_S):
                return

    def decide(
        self,
        student: Student,
        approval_id: str,
        decision: Literal["approve", "decline"],
        arguments: Mapping[str, Any] | None = None,
        *,
        seen: Sequence[PreviewRow] | None = None,
    ) -> Approval:
        """Decide on an approval. arguments: those that the student edited. seen: what the card showed.

        Raises `ApprovalError` when it is decided, expired or withdrawn already, `BadArguments` for an edit that does
        not fit, `TurnBusy` while this process ends.
        """
        with self._active.admission(gettext("Try again in a moment.")):
            return self._decisions.decide(self._signed_in(student), approval_id, decision, arguments, seen=seen)

    def answer(self, student: Student, approval_id: str, answer: str) -> Approval:
        """Answer a question that a turn waits for; the turn then continues. Raises `BadArguments` for no answer,
        `ApprovalError` when it is answered, skipped, expired or withdrawn already, `ConsentRequired`.
        """
        with self._active.admission(gettext("Try again in a moment.")):
            return self._decisions.answer(self._signed_in(student, for_model=True), approval_id, answer)

    def undo(self, student: Student, approval_id: str) -> Approval:
        """Undo an approved write, as long as its result was not changed elsewhere since."""
        with self._active.admission(gettext("Try again in a moment.")):
            return self._decisions.undo(self._signed_in(student), approval_id)

    def recover(self) -> None:
        """Recover from crashes: turns and writes whose leases have expired, and approvals that have."""
        self._recovery.recover_all()

    def on_turn_end(self, call: Callable[[str, TurnRecord], None]) -> None:
        """Have `call` called with each turn that has ended, and its student's id before it."""
        self._executor.on_turn_end = call

    def wait_for_deferred_work(self, timeout_s: float) -> None:
        """Wait for the accounting, titles and search words of the turns that have ended here so far."""
        self._executor.deferred.wait(timeout_s)

    def drain(self, timeout_s: float) -> None:
        """Start no turn any more, let running ones finish, then interrupt the rest so that it can be continued."""
        self.draining.set()
        self._executor.drain(timeout_s)

    def _run_again(self, student: Student, conversation_id: str, source: TurnStatus) -> str:
        student = self._signed_in(student, for_model=True)
        record = self._records.last(student.id, conversation_id)
        if record is None or record.status is not source:
            raise HomeroomError(
                gettext("There is nothing to go on with here."), next_step=gettext("Send your message again.")
            )
        with self._active.admission():
            lease = self._acquire_lease(student.id, conversation_id, turn_id=record.id)
            with self._leases.until_handed_over(lease):
                resumed = self._records.resume(student.id, record.id, source, lease.holder)
                if resumed is None:
                    self._leases.release(lease)
                    raise TurnBusy(gettext("Homeroom is answering already."))
                self._turn_start.add_continue_message(student, conversation_id, record.id)
                self._conversations.mark_updated(student.id, conversation_id)
                self._executor.launch(student, resumed, lease)
        return resumed.id

    def _acquire_lease(self, student_id: str, conversation_id: str, *, turn_id: str) -> Lease:
        self.refuse_while_draining()
        lease = turn_lease(student_id, conversation_id, turn_id=turn_id, run=secrets.token_hex(8))
        if not self._leases.acquire(lease):
            self._recovery.recover_conversation(lease.name)
            if not self._leases.acquire(lease):
                raise TurnBusy(gettext("Homeroom is still answering in this chat."))
        return lease

    def refuse_while_draining(self) -> None:
        """Raise `Restarting` once the process is ending."""
        with self._active.admission():
            """Nothing is begun."""

    def _stored_view(self, student_id: str, record: TurnRecord) -> TurnView:
        """View of a turn from the store: its snapshot while it runs elsewhere, else its messages."""
        kept = record.snapshot
        items = self._conversations.turn_items(student_id, record) if kept is None else from_json(kept)
        notice = None if record.notice is None else notice_item(record.notice)
        status = TurnStatus.RUNNING if self._records.is_live(student_id, record) else record.status
        return TurnView(turn_id=record.id, status=status, items=[*items, *([notice] if notice else [])], notice=notice)

    def _signed_in(self, student: Student, *, for_model: bool = False) -> Student:
        """Load the student anew: a disabled one is refused from the next click on. for_model: it reads what follows."""
        found = self._students.get(student.id)
        if found is None or found.is_disabled:
            raise SignInRequired(gettext("This account is not active any more."))
        if for_model:
            self._terms.require_chat(found.consent)
        return found
