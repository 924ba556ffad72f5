"""`Recovery`: finishes or interrupts the turns and writes of crashed replicas, on whichever replica is first."""

import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from services.approvals.approvals import Approvals
from services.conversations.conversations import Conversations
from services.conversations.turn_records import TurnRecord, TurnRecords, TurnStatus
from services.errors import ApprovalError, ItemNotFound
from services.identity.students import Students
from services.storage.leases import Lease, Leases, approval_lease
from services.storage.record_guard import RecordGuard
from services.turns import stop_reasons
from services.turns.decisions import Decisions
from services.turns.executor import TurnExecutor
from services.turns.pending_decisions import PendingDecisions

log = logging.getLogger(__name__)


class Recovery:
    def __init__(
        self,
        *,
        students: Students,
        conversations: Conversations,
        records: TurnRecords,
        approvals: Approvals,
        leases: Leases,
        executor: TurnExecutor,
        pending: PendingDecisions,
        decisions: Decisions,
        guard: RecordGuard,
    ) -> None:
        self._students = students
        self._conversations = conversations
        self._records = records
        self._approvals = approvals
        self._leases = leases
        self._executor = executor
        self._pending = pending
        self._decisions = decisions
        self._guard = guard

    def recover_all(self) -> None:
        """Recover turns first, so that a write that is finished now can continue its turn."""
        for lease in self._leases.expired("turn"):
            self._guarded("leases", lease.name, self._interrupt_turn, lease)
        for lease in self._leases.expired("approval"):
            self._guarded("leases", lease.name, self._finish_approval, lease)
        for student_id, approval_id in self._approvals.overdue_executions():
            key = f"{student_id}/{approval_id}"
            self._guarded("approvals", key, self._finish_forgotten, student_id, approval_id)
        for student_id, approval in self._approvals.expire_due():
            key = f"{student_id}/{approval.turn_id}"
            self._guarded("turns", key, self._close_expired, student_id, approval.turn_id)

    def _guarded(self, collection: str, id: str, work: Callable[..., None], *what: Lease | str) -> None:
        """Recover one of them; what failed lately, such as a record that cannot be read, is left alone for a while."""
        if self._guard.is_resting("recover", collection, id):
            return
        if not self._guard.run("recover", collection, id, partial(work, *what)):
            log.warning("recovery_failed work=%s", work.__name__)

    def recover_conversation(self, lease_name: str) -> None:
        """Recover one conversation's turn at once, for a student who writes before the next round."""
        for lease in self._leases.expired("turn", name=lease_name):
            self._interrupt_turn(lease)

    def _interrupt_turn(self, expired: Lease) -> None:
        """Mark the turn as interrupted, with the text of its last snapshot; the student can continue it."""
        lease = self._leases.take_over(expired, secrets.token_hex(8))
        if lease is None:
            return
        conversation_id = lease.name.rsplit("/", 1)[1]
        with self._leases.until_handed_over(lease):
            is_empty = self._conversations.is_empty(lease.student, conversation_id)
            record = None if is_empty is None else self._turn_of(lease, conversation_id)
            if record is None and is_empty is not False:
                # A chat that was never stored, or one that was deleted while it was answered.
                self._conversations.delete(lease.student, conversation_id)
            elif record is not None and record.status is TurnStatus.RUNNING:
                log.info("turn_recovered turn=%s", record.id)
                self._end_interrupted(lease.student, record)
            self._leases.release(lease)

    def _turn_of(self, lease: Lease, conversation_id: str) -> TurnRecord | None:
        """Load the lease's turn. After a crash right after the question was stored it is created, so that the student
        can retry it; after one a moment later the chat may not be in their list yet.
        """
        record = self._records.get(lease.student, lease.work)
        if record is not None and not self._conversations.is_empty(lease.student, conversation_id):
            return record
        messages = self._conversations.messages(lease.student, conversation_id)
        if not messages or messages[-1].meta.get("turn_id") != lease.work:
            return record
        if record is None:
            seq = messages[-1].seq
            record = self._records.new(lease.work, conversation_id=conversation_id, run=lease.holder, first_seq=seq)
            self._records.insert(lease.student, record)
        with suppress(ItemNotFound):  # It was deleted before recovery.
            self._conversations.touch(lease.student, conversation_id, messages[-1].text)
        return record

    def _end_interrupted(self, student_id: str, record: TurnRecord) -> None:
        said = record.said or bool(record.unsaved.strip())
        ended = stop_reasons.CRASHED if said else stop_reasons.CRASHED_BEFORE_A_WORD
        if self._records.end(student_id, record.id, ended.status, ended.notice, run=record.run) is None:
            return
        self._executor.store_unsaved_text(
            student_id, record, record.unsaved, record.unsaved_seq, partial=TurnStatus.INTERRUPTED
        )
        self._pending.withdraw(student_id, record)

    def _finish_approval(self, expired: Lease) -> None:
        lease = self._leases.take_over(expired, secrets.token_hex(8))
        if lease is not None:
            self._repeat(lease)

    def _finish_forgotten(self, student_id: str, approval_id: str) -> None:
        """Finish a write that has run for long without a lease: it has no worker."""
        lease = approval_lease(student_id, approval_id)
        if self._leases.acquire(lease):
            self._repeat(lease)

    def _repeat(self, lease: Lease) -> None:
        """Finish the lease's write, on a worker's thread that then holds it."""
        with self._leases.until_handed_over(lease):
            student = self._students.get(lease.student)
            try:
                approval = self._approvals.get(lease.student, lease.work)
            except ApprovalError:
                approval = None
            if student is None or approval is None:
                self._leases.release(lease)
                return
            log.info("approval_recovered approval=%s status=%s", approval.id, approval.status.value)
            self._executor.run_approved(self._decisions.finish_after_crash, student, approval, lease)

    def _close_expired(self, student_id: str, turn_id: str) -> None:
        """End a turn whose approvals have all expired; the model is told with the student's next message."""
        record = self._records.get(student_id, turn_id)
        if record is None or not self._pending.is_decided(student_id, record):
            return
        self._pending.settle(student_id, record)
        self._records.end(student_id, turn_id, TurnStatus.DONE, source=TurnStatus.WAITING)
