"""`TurnWork`: the turns that run in this process: their threads, their feeds, their leases and their ends."""

import logging
import secrets
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field

from services.agent import endings
from services.agent.conversations import Conversations
from services.agent.events import Notice, StepStored, TurnEnded, TurnStatus
from services.agent.feed import Feed
from services.agent.heart import Heart
from services.agent.leases import Lease, Leases
from services.agent.messages import StoredMessage, text_block
from services.agent.records import TurnRecord, TurnRecords
from services.agent.service import AgentService, Turn
from services.agent.view import to_json
from services.errors import DuplicateDocument, StorageError
from services.students import Student
from services.tools.dispatch import place
from services.tools.pools import DaemonPool

log = logging.getLogger(__name__)

THREADS = 200
"""Turns and approved writes that run at once in one process; more wait in line."""
BEAT_S = 1.0
BEATS_TO_RENEW = 5
OVER = TurnEnded(status=TurnStatus.STOPPED)
"""Somebody else has ended the turn and told the store: what is left is to let go of it."""


@dataclass(kw_only=True)
class Active:
    """A feed that pages may follow. run: what fills it; None while only approved writes are being done."""

    student_id: str
    conversation_id: str
    feed: Feed = field(repr=False)
    run: "Run | None" = None
    snapshot_version: int = 0


@dataclass(frozen=True, kw_only=True)
class Run:
    """One try at a turn. messages: as stored, when whoever launched it had them at hand. recorded: see `Turn`."""

    student: Student
    record: TurnRecord
    lease: Lease
    feed: Feed = field(repr=False)
    messages: Sequence[StoredMessage] | None = field(repr=False)
    recorded: Future[None]


class TurnWork:
    def __init__(
        self, *, agent: AgentService, conversations: Conversations, records: TurnRecords, leases: Leases
    ) -> None:
        self._agent = agent
        self._conversations = conversations
        self._records = records
        self._leases = leases
        self._active: dict[tuple[str, str], Active] = {}
        self._idle = threading.Condition()
        self._heart = Heart(self._beat, BEAT_S)
        self._beats = 0
        self.pool = DaemonPool("turns", THREADS)

    def feed(self, student_id: str, conversation_id: str) -> Feed | None:
        """The feed of what goes on in this conversation, in this process."""
        with self._idle:
            active = self._active.get((student_id, conversation_id))
        return active.feed if active else None

    def open_feed(self, student_id: str, record: TurnRecord) -> Feed:
        """The turn's feed; a new one begins with what the turn has stored so far."""
        found = self.feed(student_id, record.conversation_id)
        if found is not None and found.turn_id == record.id and not found.is_over:
            return found
        items = self._conversations.turn_items(student_id, record)
        feed = Feed(record.id, next_seq=record.unsaved_seq, items=items)
        self._register(Active(student_id=student_id, conversation_id=record.conversation_id, feed=feed))
        return feed

    def launch(
        self,
        student: Student,
        record: TurnRecord,
        lease: Lease,
        *,
        messages: Sequence[StoredMessage] | None = None,
        recorded: Future[None] | None = None,
    ) -> None:
        """Run the turn on a thread of its own; whoever calls holds its conversation's lease.

        messages, recorded: of a new turn, whose record is stored while the model is being asked already.
        """
        if recorded is None:
            recorded, feed = _done(), self.open_feed(student.id, record)
        else:
            feed = Feed(record.id, next_seq=record.unsaved_seq)
        run = Run(student=student, record=record, lease=lease, feed=feed, messages=messages, recorded=recorded)
        self._register(Active(student_id=student.id, conversation_id=record.conversation_id, feed=feed, run=run))
        self.pool.submit(self._run, run)

    def halt(self, student_id: str, record: TurnRecord, status: TurnStatus, notice: Notice) -> bool:
        """End a turn from outside and keep what was said; whether it was this call that ended it."""
        ended = self._records.end(student_id, record.id, status, notice, source=record.status)
        if ended is None:
            return False
        words, seq = record.unsaved, record.unsaved_seq
        feed = self.feed(student_id, record.conversation_id)
        if feed is not None and feed.turn_id == record.id:
            words, seq = feed.end(status, notice)
        self.keep_words(student_id, ended, words, seq, partial=status)
        self._leases.release(lease_of(student_id, ended.conversation_id, turn_id=ended.id, run=ended.run))
        return True

    def keep_words(self, student_id: str, record: TurnRecord, words: str, seq: int, *, partial: TurnStatus) -> None:
        """Store the words of an unfinished step, unless the step itself was stored after all."""
        if not words.strip() or not seq:
            return
        meta = {"turn_id": record.id, "partial": partial.value}
        try:
            self._conversations.append(
                student_id,
                record.conversation_id,
                role="assistant",
                content=[text_block(words)],
                meta=meta,
                seq=seq,
            )
        except DuplicateDocument:
            log.info("step_was_stored_after_all turn=%s", record.id)

    def close_feed(self, student_id: str, conversation_id: str, feed: Feed, ended: TurnEnded) -> None:
        """End a feed; pages that follow it get their last view."""
        feed.end(ended.status, ended.notice)
        with self._idle:
            active = self._active.get((student_id, conversation_id))
            if active is not None and active.feed is feed:
                del self._active[(student_id, conversation_id)]
            self._idle.notify_all()

    def drain(self, timeout_s: float) -> None:
        """Wait for what runs; what is not done by then is ended, with its words kept, and can be continued."""
        deadline = time.monotonic() + timeout_s
        with self._idle:
            while self._active and time.monotonic() < deadline:
                self._idle.wait(max(0.0, deadline - time.monotonic()))
            left = list(self._active.values())
        for active in left:
            record = self._records.get(active.student_id, active.feed.turn_id)
            if record is not None and record.status is TurnStatus.RUNNING:
                self.halt(active.student_id, record, TurnStatus.INTERRUPTED, endings.RESTARTED)
        self._heart.stop()

    def _register(self, active: Active) -> None:
        with self._idle:
            self._active[(active.student_id, active.conversation_id)] = active
        self._heart.start()

    def _run(self, run: Run) -> None:
        student_id, record = run.student.id, run.record
        try:
            ended = self._guarded(run)
            run.recorded.result()
            self._records.end(student_id, record.id, ended.status, ended.notice, run=record.run)
            self._leases.release(run.lease)
        except StorageError:
            # The lease is left to run out: recovery then notes what became of the turn.
            log.warning("turn_lost_its_store turn=%s", record.id)
            self._leases.abandon(run.lease)
            ended = endings.STORE_LOST
        self.close_feed(student_id, record.conversation_id, run.feed, ended)

    def _guarded(self, run: Run) -> TurnEnded:
        """An outer door: nobody above a worker could tell the student that something of ours went wrong."""
        try:
            return self._drive(run)
        except StorageError:
            raise
        except Exception as error:
            id = secrets.token_hex(4)
            log.error("turn_crashed turn=%s id=%s at=%s", run.record.id, id, place(error))
            return endings.crashed(id)

    def _drive(self, run: Run) -> TurnEnded:
        messages = self._messages(run) if run.messages is None else run.messages
        last_seq = messages[-1].seq if messages else 0
        turn = Turn(
            student=run.student,
            record=run.record,
            messages=list(messages),
            next_seq=last_seq + 1,
            recorded=run.recorded,
            said=run.record.said,
        )
        run.feed.apply(StepStored(seq=last_seq))
        with closing(self._agent.run(turn)) as events:
            for event in events:
                if isinstance(event, TurnEnded):
                    return event
                if not run.feed.apply(event):
                    break
        return OVER

    def _messages(self, run: Run) -> Sequence[StoredMessage]:
        conversation = self._conversations.get(run.student.id, run.record.conversation_id)
        return self._conversations.messages(run.student.id, conversation.id, from_seq=conversation.from_seq)

    def _beat(self) -> None:
        """Once a second: keep leases, and keep what other replicas show of our turns."""
        self._beats += 1
        if self._beats % BEATS_TO_RENEW == 0:
            self._leases.renew_all()
        with self._idle:
            running = [active for active in self._active.values() if active.run and not active.feed.is_over]
        for active in running:
            if active.run and active.run.recorded.done() and active.feed.version != active.snapshot_version:
                self._snapshot(active, active.run)

    def _snapshot(self, active: Active, run: Run) -> None:
        view, (words, seq) = active.feed.view(), active.feed.unsaved()
        changes = {"snapshot": to_json(view.items), "unsaved": words, "unsaved_seq": seq}
        active.snapshot_version = view.version
        if not self._records.advance(active.student_id, run.record.id, run.record.run, **changes):
            # Stopped or taken over from another replica: what our worker still hears is not shown any more.
            active.feed.end(TurnStatus.STOPPED, endings.STOPPED)


def _done() -> Future[None]:
    done: Future[None] = Future()
    done.set_result(None)
    return done


def lease_of(student_id: str, conversation_id: str, *, turn_id: str, run: str) -> Lease:
    """The lease of a run of a turn: one for each conversation, so that only one turn runs in it."""
    return Lease(
        name=f"conversation/{student_id}/{conversation_id}",
        kind="turn",
        student=student_id,
        work=turn_id,
        holder=run,
    )
