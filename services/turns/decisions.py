"""`Decisions`: carries out a student's decision on an approval, exactly once, and then continues the turn."""

import logging
import secrets
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, Literal

from services.approvals.approval import SKIPPED, Approval, ApprovalStatus, checked_answer, too_late_error
from services.approvals.approvals import Approvals
from services.approvals.approved_account import refuse_another_account
from services.approvals.execution import ApprovalExecutor
from services.connections import messages
from services.conversations.conversations import Conversations
from services.conversations.turn_records import TurnRecord, TurnRecords, TurnStatus
from services.errors import ApprovalError, HomeroomError, StorageError
from services.i18n import gettext
from services.identity.students import Student, Students
from services.runtime.logs import error_location
from services.safety.consent_terms import ConsentTerms
from services.storage.leases import Lease, Leases, approval_lease
from services.tools.result import PreviewRow
from services.tools.tool import Tool
from services.tools.toolbox import Toolbox, Toolboxes
from services.turns.events import TurnEnded
from services.turns.executor import TurnExecutor
from services.turns.pending_decisions import PendingDecisions
from services.turns.stream import TurnStream
from services.turns.turn import turn_lease

log = logging.getLogger(__name__)

WAIT_S = 1.0
"""How long an Undo waits for the end of what it undoes, and a click for a write behind which no turn continues."""


class Decisions:
    def __init__(
        self,
        *,
        approvals: Approvals,
        execution: ApprovalExecutor,
        toolboxes: Toolboxes,
        conversations: Conversations,
        records: TurnRecords,
        leases: Leases,
        pending: PendingDecisions,
        executor: TurnExecutor,
        students: Students,
        terms: ConsentTerms,
    ) -> None:
        self._students, self._terms = students, terms
        self._approvals, self._execution = approvals, execution
        self._toolboxes = toolboxes
        self._conversations = conversations
        self._records, self._leases = records, leases
        self._pending, self._executor = pending, executor

    def decide(
        self,
        student: Student,
        approval_id: str,
        decision: Literal["approve", "decline"],
        arguments: Mapping[str, Any] | None = None,
        *,
        seen: Sequence[PreviewRow] | None = None,
    ) -> Approval:
        """Start an approved write, or decline it; the approval as it is then.

        arguments: what the student changed on the card, checked anew. seen: the rows that the card showed, where a page
        tells: a second click, or another tab, approves nothing that came to the card meanwhile.

        Raises `ApprovalError` for a second decision and for an account that has changed, and what the tool's
        validation and preview raise.
        """
        approval = self._approvals.get(student.id, approval_id)
        if approval.status is not ApprovalStatus.PENDING:
            raise too_late_error(approval)
        if decision != "approve":
            return self._decline(student, approval)
        self._approvals.refuse_unseen(approval, seen)
        return self._approve(student, approval, arguments)

    def answer(self, student: Student, approval_id: str, answer: str) -> Approval:
        """Settle a question with the student's answer; raises `ApprovalError` for a second answer."""
        approval = self._approvals.get(student.id, approval_id)
        answer = checked_answer(approval, answer)
        if approval.status is not ApprovalStatus.PENDING:
            raise too_late_error(approval)
        output = f"The student answered: {answer}"
        return self._settle_unwritten(student, approval, ApprovalStatus.DONE, outcome=answer, output=output)

    def undo(self, student: Student, approval_id: str) -> Approval:
        """Undo a write and tell the model of it; raises `ApprovalError` when that is not possible (any more)."""
        approval = self._approvals.get(student.id, approval_id)
        lease = approval_lease(student.id, approval_id)
        if not approval.can_undo:
            raise ApprovalError(_cannot_undo(approval), next_step=gettext("Change it there by hand."))
        if not self._leases.acquire_within(lease, WAIT_S):
            step = gettext("Press Undo again in a moment.")
            raise ApprovalError(gettext("This is just being finished."), next_step=step)
        with self._leases.until_handed_over(lease):
            try:
                toolbox, held = (
                    self._toolboxes.for_student(student, by_hand=True, is_decided=True),
                    partial(self._leases.holds, lease),
                )
                undone = self._execution.undo(toolbox, approval, holds_lease=held)
            except ApprovalError:
                self._leases.release(lease)
                raise
            self._leases.release(lease)
        self._tell_undone(student, undone)
        return undone

    def finish_after_crash(self, student: Student, approval: Approval, lease: Lease) -> None:
        """Finish a write after a crash, with the same operation id. The caller holds the lease."""
        self._write(student, approval, lease, None, is_repeat=True)

    def continue_turn(self, student: Student, approval: Approval, stream: TurnStream | None = None) -> None:
        """Continue the approval's turn once everything in it is decided; exactly one caller does.

        The turn of a student who is disabled, or has withdrawn their consent to the chat, ends.
        """
        record = self._records.get(student.id, approval.turn_id)
        if record is None:
            return
        is_decided = self._pending.is_decided(student.id, record)
        may_ask_model = self._may_ask_model(student)
        may_continue = is_decided and record.status is TurnStatus.WAITING and may_ask_model
        if may_continue and self._continue(student, record):
            return
        if is_decided:
            self._pending.settle(student.id, record)
        if is_decided and not may_ask_model:
            self._records.end(student.id, record.id, TurnStatus.DONE, source=TurnStatus.WAITING)
        self._close_idle_stream(student, record, stream)

    def continue_if_decided(self, student: Student, waiting: TurnRecord) -> None:
        """Continue a turn whose approvals were all decided while its step still ran; exactly one caller does."""
        record = self._records.get(student.id, waiting.id)
        if record is None or record.status is not TurnStatus.WAITING:
            return
        if self._pending.is_decided(student.id, record) and self._may_ask_model(student):
            self._continue(student, record)

    def _may_ask_model(self, student: Student) -> bool:
        """Whether they are there and agree by now: a write takes a while. One store read."""
        now = self._students.get(student.id)
        return now is not None and not now.is_disabled and self._terms.is_chat_agreed(now.consent)

    def _continue(self, student: Student, record: TurnRecord) -> bool:
        """Continue a turn; False when another caller does."""
        lease = turn_lease(student.id, record.conversation_id, turn_id=record.id, run=secrets.token_hex(8))
        if not self._leases.acquire(lease):
            return False
        with self._leases.until_handed_over(lease):
            resumed = self._records.resume(student.id, record.id, TurnStatus.WAITING, lease.holder)
            if resumed is None:
                self._leases.release(lease)
                return False
            self._pending.settle(student.id, record, is_continued=True)
            self._executor.launch(student, resumed, lease)
        return True

    def _approve(self, student: Student, approval: Approval, edited: Mapping[str, Any] | None) -> Approval:
        if approval.is_question:
            raise ApprovalError(gettext("This is a question."), next_step=gettext("Answer it in the chat."))
        toolbox = self._toolboxes.for_student(student)
        tool = toolbox.tool(approval.tool)
        if tool is None:
            toolbox.require_consent(approval.tool)
            raise ApprovalError(gettext(messages.ACCOUNT_GONE), next_step=gettext(messages.RECONNECT_TO_APPROVE))
        refuse_another_account(approval, toolbox)
        lease = approval_lease(student.id, approval.id)
        if not self._leases.acquire(lease):
            raise too_late_error(self._approvals.get(student.id, approval.id))
        with self._leases.until_handed_over(lease):
            started = self._begin_write(toolbox, tool, approval, edited, lease)
            stream = self._open_stream(student, started)
            write = self._executor.run_approved(self._write, student, started, lease, stream)
        if stream is None and started.conversation_id:
            return self._wait_for_write(student.id, started, write)
        return started

    def _begin_write(
        self, toolbox: Toolbox, tool: Tool, approval: Approval, edited: Mapping[str, Any] | None, lease: Lease
    ) -> Approval:
        # What they change on the card is their own text, as is that of a program of theirs.
        context = toolbox.context(
            conversation_id=approval.conversation_id,
            turn_id=approval.turn_id,
            assistant_id=approval.assistant,
            asked_by=approval.asked_by or "the student",
        )
        try:
            student_id = toolbox.student.id
            return self._approvals.start_execution(student_id, approval, edited=edited, tool=tool, context=context)
        except HomeroomError as error:
            # A store that does not answer may have recorded the start all the same; recovery then finishes it.
            if not isinstance(error, StorageError):
                self._leases.release(lease)
            raise

    def _decline(self, student: Student, approval: Approval) -> Approval:
        if approval.is_question:
            texts = {"outcome": gettext("You skipped this question."), "output": SKIPPED}
        else:
            texts = {"outcome": gettext("You declined this.")}
        return self._settle_unwritten(student, approval, ApprovalStatus.DECLINED, **texts)

    def _settle_unwritten(
        self, student: Student, approval: Approval, target: ApprovalStatus, **changes: str
    ) -> Approval:
        """Settle an approval without a write, and continue; after a crash in between recovery continues."""
        lease = approval_lease(student.id, approval.id)
        settled = None
        if self._leases.acquire(lease):
            with self._leases.until_handed_over(lease):
                settled = self._approvals.settle(student.id, approval.id, ApprovalStatus.PENDING, target, **changes)
                if settled is not None:
                    self.continue_turn(student, settled)
                self._leases.release(lease)
        if settled is None:
            raise too_late_error(self._approvals.get(student.id, approval.id))
        return settled

    def _write(
        self, student: Student, approval: Approval, lease: Lease, stream: TurnStream | None, *, is_repeat: bool = False
    ) -> None:
        """Error boundary on a worker's thread: what cannot be finished now is left to recovery by its lease."""
        try:
            is_settled = self._settle(student, approval, lease, is_repeat=is_repeat)
            if is_settled:
                self.continue_turn(student, approval, stream)
        except Exception as error:
            log.error("approval_not_finished approval=%s at=%s", approval.id, error_location(error))
            is_settled = False
        if is_settled:
            self._leases.release(lease)
            return
        self._leases.abandon(lease)
        if stream is not None:
            ended = TurnEnded(status=TurnStatus.WAITING)
            self._executor.active.close_stream(student.id, approval.conversation_id, stream, ended)

    def _deciding_toolbox(self, student: Student) -> Toolbox:
        """The tools as they are for a call that the student has decided on."""
        return self._toolboxes.for_student(student, by_hand=True, is_decided=True)

    def _settle(self, student: Student, approval: Approval, lease: Lease, *, is_repeat: bool) -> bool:
        """Run the write or the undo; whether it has ended."""
        held, toolbox = partial(self._leases.holds, lease), self._deciding_toolbox(student)
        if approval.status is ApprovalStatus.EXECUTING:
            return self._execution.execute(toolbox, approval, holds_lease=held, is_repeat=is_repeat) is not None
        if approval.status is ApprovalStatus.UNDOING:
            with suppress(ApprovalError):
                undone = self._execution.finish_undo(toolbox, approval, holds_lease=held)
                if undone is None:
                    return False
                self._tell_undone(student, undone)
        return True

    def _tell_undone(self, student: Student, approval: Approval) -> None:
        """Tell the model with the student's next message."""
        if approval.status is ApprovalStatus.UNDONE and approval.conversation_id:
            self._conversations.add_news(student.id, approval.conversation_id, approval.undo_news)

    def _open_stream(self, student: Student, approval: Approval) -> TurnStream | None:
        """Open the stream that pages follow meanwhile; none for a card that stayed open after its turn, as another turn
        may run there by now.
        """
        record = self._records.get(student.id, approval.turn_id)
        return self._executor.open_stream(student.id, record) if record and not record.status.is_over else None

    def _wait_for_write(self, student_id: str, started: Approval, write: Future[None]) -> Approval:
        """Wait a moment for the end of a write: no turn continues behind it that would show the result."""
        with suppress(TimeoutError):
            write.result(WAIT_S)
        return self._approvals.get(student_id, started.id)

    def _close_idle_stream(self, student: Student, record: TurnRecord, stream: TurnStream | None) -> None:
        """Close the stream of a turn in which nothing runs: pages need not follow it.

        While a step still runs the stream belongs to its worker.
        """
        is_running = record.status is TurnStatus.RUNNING
        if stream is not None and not is_running and not self._pending.is_writing(student.id, record):
            ended = TurnEnded(status=record.status)
            self._executor.active.close_stream(student.id, record.conversation_id, stream, ended)


def _cannot_undo(approval: Approval) -> str:
    is_undone = approval.status is ApprovalStatus.UNDONE
    return gettext("This is undone already.") if is_undone else gettext("This cannot be undone.")
