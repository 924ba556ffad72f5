"""`TurnExecutor`: runs turns on threads of this process, with their streams, leases, snapshots and ends."""

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from services.classes.class_repository import seen_classes
from services.conversations.conversations import Conversations
from services.conversations.turn_records import Notice, TurnRecord, TurnRecords, TurnStatus
from services.errors import DuplicateDocument, StorageError, WriteConflict
from services.i18n import locale_scope
from services.identity.students import Student
from services.llm.messages import StoredMessage, text_block
from services.runtime.deferred_work import DeferredWork, Work
from services.runtime.logs import error_location
from services.runtime.metrics_registry import ANSWERS, FIRST_TEXT, RUNNING, MetricsRegistry
from services.runtime.thread_pools import DaemonPool
from services.runtime.traces import TRACES
from services.storage.leases import Heartbeat, Lease, Leases
from services.storage.store import Store
from services.turns import stop_reasons
from services.turns.agent_loop import AgentService
from services.turns.events import StepStored, TurnEnded
from services.turns.stream import StreamThrottle, TurnStream
from services.turns.turn import ActiveTurn, ActiveTurns, Turn, TurnRun, turn_lease

log = logging.getLogger(__name__)

THREADS = 200
"""Turns and approved writes that run at once in one process; more are queued."""
BEAT_S = 1.0
BEATS_TO_RENEW = 5
ENDED_ELSEWHERE = TurnEnded(status=TurnStatus.STOPPED)
"""The turn was ended elsewhere, and the store knows it."""


@dataclass(kw_only=True)
class _AfterRun:
    """What a run leaves to do after its end. messages: of a new turn, from its question on, when all are stored."""

    work: list[Work] = field(default_factory=list)
    messages: Sequence[StoredMessage] = ()


class TurnExecutor:
    def __init__(
        self,
        *,
        store: Store,
        agent: AgentService,
        conversations: Conversations,
        records: TurnRecords,
        leases: Leases,
        registry: MetricsRegistry | None = None,
    ) -> None:
        self._registry = registry or MetricsRegistry()
        self._store = store
        self._agent = agent
        self._conversations = conversations
        self._records = records
        self._leases = leases
        self.active = ActiveTurns()
        self._registry.watch(RUNNING, lambda: len(self.active.running()))
        self._throttle = StreamThrottle()
        self._heartbeat = Heartbeat(self._beat, BEAT_S)
        # For every lease that is acquired here: work with an expired lease is repeated on another replica.
        leases.on_held = self._heartbeat.start
        self._beats = 0
        self._pool = DaemonPool("turns", THREADS)
        self.deferred = DeferredWork()
        self._writes: set[Future[None]] = set()
        self.on_turn_waiting: Callable[[Student, TurnRecord], None] | None = None
        """Called with each turn that has begun to wait, after its worker has released it."""
        self.on_turn_end: Callable[[str, TurnRecord], None] | None = None
        """Called with each run of a turn that has ended, by itself or from outside, after pages have seen it end."""

    def open_stream(self, student_id: str, record: TurnRecord) -> TurnStream:
        """Open the turn's stream; a new one begins with what the turn has stored so far."""
        found = self.active.stream(student_id, record.conversation_id)
        if found is not None and found.turn_id == record.id and not found.is_over:
            return found
        items = self._conversations.turn_items(student_id, record)
        stream = TurnStream(record.id, next_seq=record.unsaved_seq, items=items, throttle=self._throttle)
        return self.active.add_unless_open(
            ActiveTurn(student_id=student_id, conversation_id=record.conversation_id, stream=stream)
        )

    def launch(
        self,
        student: Student,
        record: TurnRecord,
        lease: Lease,
        *,
        messages: Sequence[StoredMessage] | None = None,
        may_have_summary: bool = True,
    ) -> None:
        """Run the turn on a thread of its own; the caller holds its conversation's lease.

        messages: of a new turn. may_have_summary: False for a chat that was never summed up.
        """
        if messages is None:
            stream = self.open_stream(student.id, record)
        else:
            stream = TurnStream(record.id, next_seq=record.unsaved_seq, throttle=self._throttle)
        run = TurnRun(
            student=student,
            record=record,
            lease=lease,
            stream=stream,
            messages=messages,
            may_have_summary=may_have_summary,
            seen_classes=seen_classes(),
        )
        self.active.add(
            ActiveTurn(student_id=student.id, conversation_id=record.conversation_id, stream=stream, run=run)
        )
        self._pool.submit_for(student.id, self._run_in_locale, run)

    def run_approved(self, work: Callable[..., None], student: Student, *arguments: Any) -> Future[None]:
        """Run an approved write of a student on a thread of its own; `drain` waits for it."""
        doing = self._pool.submit_for(student.id, work, student, *arguments)
        self._writes.add(doing)
        doing.add_done_callback(self._writes.discard)
        return doing

    def halt(self, student_id: str, record: TurnRecord, status: TurnStatus, notice: Notice) -> bool:
        """End a turn from outside and keep its text; whether it was this call that ended it."""
        ended = self._records.end(student_id, record.id, status, notice, source=record.status)
        if ended is None:
            return False
        text, seq = record.unsaved, record.unsaved_seq
        stream = self.active.stream(student_id, record.conversation_id)
        is_here = stream is not None and stream.turn_id == record.id
        if stream is not None and is_here:
            text, seq = stream.close()
        try:
            self.store_unsaved_text(student_id, ended, text, seq, partial=status)
        finally:
            if stream is not None and is_here:
                end = TurnEnded(status=status, notice=notice)
                self.active.close_stream(student_id, record.conversation_id, stream, end)
        self.deferred.submit(student_id, [partial(self._notify_turn_end, student_id, ended)])
        self._leases.release(turn_lease(student_id, ended.conversation_id, turn_id=ended.id, run=ended.run))
        return True

    def store_unsaved_text(
        self, student_id: str, record: TurnRecord, text: str, seq: int, *, partial: TurnStatus
    ) -> None:
        """Store the text of an unfinished step, unless the step itself was stored after all."""
        if not text.strip() or not seq:
            return
        meta = {"turn_id": record.id, "partial": partial.value}
        try:
            self._conversations.append_message(
                student_id,
                record.conversation_id,
                role="assistant",
                content=[text_block(text)],
                meta=meta,
                seq=seq,
            )
        except DuplicateDocument:
            log.info("step_was_stored_after_all turn=%s", record.id)

    def drain(self, timeout_s: float) -> None:
        """Wait for what runs; a turn that has not ended by then is interrupted, and can be continued with its text.

        An approved write that has not ended by then is left to recovery, which finds out its result.
        """
        deadline = time.monotonic() + timeout_s
        left = self.active.wait_until_idle(timeout_s)
        # A write that ends goes on with its turn.
        while not left and (writes := [*self._writes]) and time.monotonic() < deadline:
            wait(writes, max(0.0, deadline - time.monotonic()))
            left = self.active.wait_until_idle(max(0.0, deadline - time.monotonic()))
        for active in left:
            record = self._records.get(active.student_id, active.stream.turn_id)
            if record is not None and record.status is TurnStatus.RUNNING:
                with active.locale_scope():
                    self.halt(active.student_id, record, TurnStatus.INTERRUPTED, stop_reasons.RESTARTED)
        self.deferred.wait(max(1.0, deadline - time.monotonic()))
        self._heartbeat.stop()

    def _run_in_locale(self, run: TurnRun) -> None:
        with locale_scope(run.student.locale), TRACES.span("turn"):
            self._run(run)

    def _run(self, run: TurnRun) -> None:
        student_id, record = run.student.id, run.record
        after = _AfterRun()
        try:
            ended = self._run_guarded(run, after)
            if ended.is_stored:
                self._leases.abandon(run.lease)
            else:
                self._records.end(student_id, record.id, ended.status, ended.notice, run=record.run)
                self._leases.release(run.lease)
        except Exception as error:
            # Recovery records the end of the turn.
            log.error("turn_not_noted turn=%s at=%s", record.id, error_location(error))
            self._leases.expire(run.lease)
            ended = stop_reasons.STORE_LOST
        self._registry.count(ANSWERS, ended.status.value)
        # Whoever deletes this account once the turn has ended waits for what it leaves to do.
        reserved = self.deferred.reserve()
        self.active.close_stream(student_id, record.conversation_id, run.stream, ended)
        answered = replace(record, messages=after.messages)
        self.deferred.submit(student_id, [*after.work, partial(self._notify_turn_end, student_id, answered)], reserved)
        if ended.status is TurnStatus.WAITING and self.on_turn_waiting is not None:
            self._notify_waiting(run, self.on_turn_waiting)

    def _notify_turn_end(self, student_id: str, record: TurnRecord) -> None:
        """Update the search index and the title."""
        if self.on_turn_end is not None:
            self.on_turn_end(student_id, record)

    def _notify_waiting(self, run: TurnRun, tell: Callable[[Student, TurnRecord], None]) -> None:
        try:
            tell(run.student, run.record)
        except Exception as error:
            log.error("waiting_turn_not_looked_at turn=%s at=%s", run.record.id, error_location(error))

    def _run_guarded(self, run: TurnRun, after: "_AfterRun") -> TurnEnded:
        """Error boundary: no caller above a worker could tell the student that something of ours failed."""
        try:
            return self._run_agent(run, after)
        except StorageError:
            raise
        except Exception as error:
            id = secrets.token_hex(4)
            log.error("turn_crashed turn=%s id=%s at=%s", run.record.id, id, error_location(error))
            return stop_reasons.turn_crashed(id)

    def _run_agent(self, run: TurnRun, after: "_AfterRun") -> TurnEnded:
        messages = self._messages(run) if run.messages is None else run.messages
        last_seq = messages[-1].seq if messages else 0
        turn = Turn(
            student=run.student,
            record=run.record,
            messages=list(messages),
            may_have_summary=run.may_have_summary,
            seen_classes=run.seen_classes,
            next_seq=last_seq + 1,
            said=run.record.said,
            watch=run.stream,
            deferred=after.work,
            lease=run.lease,
            on_first_text=self._registry.stopwatch(FIRST_TEXT),
        )
        run.stream.apply(StepStored(seq=last_seq))
        with closing(self._agent.run_turn(turn)) as events:
            for event in events:
                if isinstance(event, TurnEnded):
                    if run.messages is not None:
                        after.messages = turn.stored_messages
                    return event
                if not run.stream.apply(event):
                    break
        return ENDED_ELSEWHERE

    def _messages(self, run: TurnRun) -> Sequence[StoredMessage]:
        conversation = self._conversations.get(run.student.id, run.record.conversation_id)
        return self._conversations.messages(run.student.id, conversation.id, from_seq=conversation.from_seq)

    def _beat(self) -> None:
        """Renew leases and store snapshots of our turns for other replicas, once a second."""
        self._beats += 1
        lost = self._leases.renew_all() if self._beats % BEATS_TO_RENEW == 0 else []
        changed = []
        for active, run in self.active.running():
            if run.lease in lost:
                self._end_stream_of_lost_turn(active)
            elif active.stream.version != active.snapshot_version:
                changed.append((active, run, active.take_snapshot()))
        try:
            batch = self._store.batch()
            for active, run, snapshot in changed:
                self._records.advance(active.student_id, run.record.id, run.record.run, within=batch, **snapshot)
            batch.commit()
        except WriteConflict:
            # One of them has ended: the others are stored one by one.
            for active, run, snapshot in changed:
                if not self._records.advance(active.student_id, run.record.id, run.record.run, **snapshot):
                    self._end_stream_of_lost_turn(active)

    def _end_stream_of_lost_turn(self, active: ActiveTurn) -> None:
        """End the stream of a turn that was ended or taken over elsewhere: what our worker still gets is not shown."""
        record = self._records.get(active.student_id, active.stream.turn_id)
        with active.locale_scope():
            if record is not None and record.status is not TurnStatus.RUNNING:
                active.stream.end(record.status, record.notice)
            else:
                active.stream.end(TurnStatus.INTERRUPTED)
