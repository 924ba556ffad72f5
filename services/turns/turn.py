"""`Turn`: one run of a turn, with the conversation as far as it is stored."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from services.conversations.turn_records import TurnRecord
from services.i18n import locale_scope
from services.identity.students import Student
from services.llm.effort import EffortId
from services.llm.messages import Block, StoredMessage
from services.tools.context import ProgressObserver
from services.turns.events import TurnEnded
from services.turns.leases import Lease
from services.turns.stream import TurnStream


class TurnOver(Exception):
    """The turn was ended or taken over by somebody else: its worker stops without another word."""


@dataclass(kw_only=True)
class Turn:
    """A run of a turn. messages: the conversation as stored, from the first one that the model is sent.

    recorded: done when the turn's record is stored. The model is asked meanwhile; nothing is stored before.
    watch: who looks on while its tools run. effort: how much thought its answers get.
    earlier: messages that the model is sent a summary of, or nothing: what they named stays named.
    has_summed: whether this run has tried to make a summary. pieces: of the words that are not stored yet.
    """

    student: Student
    record: TurnRecord
    messages: list[StoredMessage] = field(repr=False)
    next_seq: int
    recorded: Future[None]
    watch: ProgressObserver
    effort: EffortId = "quick"
    earlier: list[StoredMessage] = field(default_factory=list, repr=False)
    has_summed: bool = False
    said: bool = False
    pieces: list[str] = field(default_factory=list, repr=False)

    @property
    def words(self) -> str:
        return "".join(self.pieces)

    @property
    def where(self) -> dict[str, str]:
        return {"conversation_id": self.record.conversation_id, "turn_id": self.record.id}

    @property
    def mine(self) -> list[StoredMessage]:
        """The messages of this turn."""
        return [message for message in self.messages if message.meta.get("turn_id") == self.record.id]

    @property
    def calls(self) -> list[Block]:
        return [call for message in self.mine for call in message.tool_calls]


@dataclass(frozen=True, kw_only=True)
class TurnRun:
    """One try at a turn. messages: as stored, when whoever launched it had them at hand. recorded: see `Turn`."""

    student: Student
    record: TurnRecord
    lease: Lease
    stream: TurnStream = field(repr=False)
    messages: Sequence[StoredMessage] | None = field(repr=False)
    recorded: Future[None]


@dataclass(kw_only=True)
class ActiveTurn:
    """run: what fills the stream; None while only approved writes are being done."""

    student_id: str
    conversation_id: str
    stream: TurnStream = field(repr=False)
    run: TurnRun | None = None
    snapshot_version: int = 0

    def locale_scope(self) -> AbstractContextManager[None]:
        """Speak the student's language, for whoever ends this from outside of its own thread."""
        return locale_scope(self.run.student.locale) if self.run is not None else nullcontext()


class ActiveTurns:
    def __init__(self) -> None:
        self._active: dict[tuple[str, str], ActiveTurn] = {}
        self._changed = threading.Condition()

    def stream(self, student_id: str, conversation_id: str) -> TurnStream | None:
        with self._changed:
            active = self._active.get((student_id, conversation_id))
        return active.stream if active else None

    def add(self, active: ActiveTurn) -> None:
        with self._changed:
            self._active[(active.student_id, active.conversation_id)] = active

    def add_unless_open(self, active: ActiveTurn) -> TurnStream:
        """The stream of this turn: the one that is open already, else the new one."""
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
        """Runs whose record is stored and whose stream is open."""
        with self._changed:
            found = [(active, active.run) for active in self._active.values() if not active.stream.is_over]
        return [(active, run) for active, run in found if run is not None and run.recorded.done()]

    def wait_until_idle(self, timeout_s: float) -> list[ActiveTurn]:
        """Wait for everything to end, for so long; what has not ended by then."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while self._active and (left_s := deadline - time.monotonic()) > 0:
                self._changed.wait(left_s)
            return list(self._active.values())
