"""`Turn`: state of one run of a turn, and the registry of the turns that run in this process."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from services.classes.class_repository import SeenClasses
from services.classes.figures.counted_answer import CountedAnswer
from services.conversations.items import to_json
from services.conversations.turn_records import TurnRecord
from services.errors import Restarting, UsedTooOften
from services.i18n import gettext, locale_scope
from services.identity.students import Student
from services.llm.chat_model import Payer
from services.llm.effort import EffortId
from services.llm.messages import Block, StoredMessage
from services.materials.picture_blocks import PictureCache
from services.prompt.loading_plan import SystemUpdate
from services.runtime.deferred_work import Work
from services.storage.leases import Lease
from services.turns.events import StepStored, TextDelta, TurnEnded
from services.turns.stream import TurnStream

MOST_RUNNING = 250
"""Turns of one student that run at once in this process. A whole class may share one account in a demo."""
RETRY_S = 5.0


class TurnOver(Exception):
    """Signal that the turn was ended or taken over elsewhere: its worker stops silently."""


@dataclass(kw_only=True)
class Turn:
    """State of a run of a turn. messages: the conversation as stored, from the first one that the model is sent.

    watch: the stream that text goes to, and the progress of its tools. effort: of its answers. class_id: of the class
    whose assistant answers, else "".
    earlier: messages that are not sent, or only as a summary: addresses in them stay known.
    may_have_summary: False for a chat that was never summed up. seen_classes: what was read when it began.
    has_summed: whether this run has tried to make a summary. pieces: text that is not stored yet.
    update: what the request that is answered tells the model, not stored yet either.
    deferred: work for after its end, in order. counts: what of it is counted then. pictures: of pages, drawn
    for its requests. on_first_text: called with the first text of this run. has_text: whether there was any.
    may_go_on: whether its assistant may still answer.
    """

    student: Student
    record: TurnRecord
    messages: list[StoredMessage] = field(repr=False)
    next_seq: int
    lease: Lease
    watch: TurnStream
    effort: EffortId = "quick"
    class_id: str = ""
    earlier: list[StoredMessage] = field(default_factory=list, repr=False)
    may_have_summary: bool = True
    seen_classes: SeenClasses | None = field(default=None, repr=False)
    has_summed: bool = False
    said: bool = False
    pieces: list[str] = field(default_factory=list, repr=False)
    update: SystemUpdate | None = field(default=None, repr=False)
    deferred: list[Work] = field(default_factory=list, repr=False)
    counts: list[Callable[[], CountedAnswer]] = field(default_factory=list, repr=False)
    pictures: PictureCache = field(default_factory=dict, repr=False)
    on_first_text: Callable[[], None] = field(default=lambda: None, repr=False)
    has_text: bool = False
    may_go_on: Callable[[], bool] = field(default=lambda: True, repr=False)

    @property
    def payer(self) -> Payer:
        """Whose budget pays for its requests."""
        return Payer(student_id=self.student.id, class_id=self.class_id)

    @property
    def unsaved_text(self) -> str:
        return "".join(self.pieces)

    def expect_reply(self, update: SystemUpdate | None) -> None:
        """Get ready for the text of the next reply, which is stored behind the update that its request holds."""
        self.pieces, self.update = [], update
        self.watch.apply(StepStored(seq=self.next_seq if update is not None else self.next_seq - 1))

    def take_text(self, text: str) -> bool:
        """Take a piece of the answer (see `OnText`); False once the turn has ended elsewhere."""
        if not self.may_go_on():
            return False
        if not text:
            return not self.watch.is_over
        if not self.has_text:
            self.has_text = True
            self.on_first_text()
        self.pieces.append(text)
        return self.watch.apply(TextDelta(text=text))

    @property
    def call_fields(self) -> dict[str, str]:
        """Fields of the context of its tool calls."""
        return {"conversation_id": self.record.conversation_id, "turn_id": self.record.id}

    @property
    def own_messages(self) -> list[StoredMessage]:
        """Messages of this turn."""
        return [message for message in self.messages if message.meta.get("turn_id") == self.record.id]

    @property
    def stored_messages(self) -> list[StoredMessage]:
        """Messages from its question on, as stored."""
        return [message for message in self.messages if message.seq >= self.record.first_seq]

    @property
    def calls(self) -> list[Block]:
        return [call for message in self.own_messages for call in message.tool_calls]


@dataclass(frozen=True, kw_only=True)
class TurnRun:
    """Order to run a turn once. messages: as stored, when the launcher has loaded them.
    may_have_summary, seen_classes: see `Turn`.
    """

    student: Student
    record: TurnRecord
    lease: Lease
    stream: TurnStream = field(repr=False)
    messages: Sequence[StoredMessage] | None = field(repr=False)
    may_have_summary: bool = True
    seen_classes: SeenClasses | None = field(default=None, repr=False)


@dataclass(kw_only=True)
class ActiveTurn:
    """Turn of this process. run: what fills the stream; None while only approved writes are being done."""

    student_id: str
    conversation_id: str
    stream: TurnStream = field(repr=False)
    run: TurnRun | None = None
    snapshot_version: int = 0

    def locale_scope(self) -> AbstractContextManager[None]:
        """Set the student's language, for code that ends the turn from another thread."""
        return locale_scope(self.run.student.locale) if self.run is not None else nullcontext()

    def take_snapshot(self) -> dict[str, Any]:
        """Fields of the turn's record that show it as it is now."""
        view, (text, seq) = self.stream.view(), self.stream.unsaved()
        self.snapshot_version = view.version
        return {"snapshot": to_json(view.items), "unsaved": text, "unsaved_seq": seq}


def turn_lease(student_id: str, conversation_id: str, *, turn_id: str, run: str) -> Lease:
    """Build the lease of a run of a turn: one for each conversation, so that only one turn runs in it."""
    return Lease(
        name=f"conversation/{student_id}/{conversation_id}",
        kind="turn",
        student=student_id,
        work=turn_id,
        holder=run,
    )


class ActiveTurns:
    """Registry of the turns of this process, by student and conversation."""

    def __init__(self) -> None:
        self._active: dict[tuple[str, str], ActiveTurn] = {}
        self._starting = 0
        self.draining = threading.Event()
        """Set once the process is ending: nothing is begun any more."""
        self._changed = threading.Condition()

    @contextmanager
    def admission(self, next_step: str = "") -> Iterator[None]:
        """Have `wait_until_idle` wait for a turn that is being begun: the store takes its time until it is added.

        Raises `Restarting` once the process is ending.
        """
        with self._changed:
            self._starting += 1
        try:
            if self.draining.is_set():
                raise Restarting(next_step)
            yield
        finally:
            with self._changed:
                self._starting -= 1
                self._changed.notify_all()

    def stream(self, student_id: str, conversation_id: str) -> TurnStream | None:
        with self._changed:
            active = self._active.get((student_id, conversation_id))
        return active.stream if active else None

    def add(self, active: ActiveTurn) -> None:
        with self._changed:
            self._active[(active.student_id, active.conversation_id)] = active

    def add_unless_open(self, active: ActiveTurn) -> TurnStream:
        """Register a turn; returns its stream, the one that is open already or else the new one."""
        key = (active.student_id, active.conversation_id)
        with self._changed:
            known = self._active.get(key)
            if known is not None and known.stream.turn_id == active.stream.turn_id and not known.stream.is_over:
                return known.stream
            self._active[key] = active
        return active.stream

    def close_stream(self, student_id: str, conversation_id: str, stream: TurnStream, ended: TurnEnded) -> None:
        """End a stream; pages that follow it get their last view."""
        stream.end(ended.status, ended.notice)
        with self._changed:
            active = self._active.get((student_id, conversation_id))
            if active is not None and active.stream is stream:
                del self._active[(student_id, conversation_id)]
            self._changed.notify_all()

    def running(self) -> list[tuple[ActiveTurn, TurnRun]]:
        """List the runs whose stream is open."""
        with self._changed:
            found = [(active, active.run) for active in self._active.values() if not active.stream.is_over]
        return [(active, run) for active, run in found if run is not None]

    def require_room(self, student_id: str) -> None:
        """Raise `UsedTooOften` when the student has too many runs: each costs the operator money.

        Messages that come at the same moment may be a few more.
        """
        with self._changed:
            found = [active for active in self._active.values() if active.student_id == student_id]
        if sum(active.run is not None and not active.stream.is_over for active in found) >= MOST_RUNNING:
            sentence = gettext("Homeroom is answering in {count} of your chats already.", count=MOST_RUNNING)
            step = gettext("Your text is kept. Send it again when one of them has ended.")
            raise UsedTooOften(sentence, retry_after_s=RETRY_S, next_step=step)

    def wait_until_idle(self, timeout_s: float) -> list[ActiveTurn]:
        """Wait for all turns to end, for so long; those that have not ended by then."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while (self._active or self._starting) and (left_s := deadline - time.monotonic()) > 0:
                self._changed.wait(left_s)
            return list(self._active.values())
