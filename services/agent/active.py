"""`ActiveTurns`: what goes on in this process now, by conversation, with a feed that pages may follow."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from services.agent.events import TurnEnded
from services.agent.feed import Feed
from services.agent.leases import Lease
from services.agent.messages import StoredMessage
from services.agent.records import TurnRecord
from services.i18n import locale_scope
from services.identity.students import Student


@dataclass(frozen=True, kw_only=True)
class Run:
    """One try at a turn. messages: as stored, when whoever launched it had them at hand. recorded: see `Turn`."""

    student: Student
    record: TurnRecord
    lease: Lease
    feed: Feed = field(repr=False)
    messages: Sequence[StoredMessage] | None = field(repr=False)
    recorded: Future[None]


@dataclass(kw_only=True)
class Active:
    """run: what fills the feed; None while only approved writes are being done."""

    student_id: str
    conversation_id: str
    feed: Feed = field(repr=False)
    run: Run | None = None
    snapshot_version: int = 0

    def spoken(self) -> AbstractContextManager[None]:
        """Speak the student's language, for whoever ends this from outside of its own thread."""
        return locale_scope(self.run.student.locale) if self.run is not None else nullcontext()


class ActiveTurns:
    def __init__(self) -> None:
        self._active: dict[tuple[str, str], Active] = {}
        self._changed = threading.Condition()

    def feed(self, student_id: str, conversation_id: str) -> Feed | None:
        with self._changed:
            active = self._active.get((student_id, conversation_id))
        return active.feed if active else None

    def add(self, active: Active) -> None:
        with self._changed:
            self._active[(active.student_id, active.conversation_id)] = active

    def open(self, active: Active) -> Feed:
        """The feed of this turn: the one that is open already, else the new one."""
        key = (active.student_id, active.conversation_id)
        with self._changed:
            known = self._active.get(key)
            if known is not None and known.feed.turn_id == active.feed.turn_id and not known.feed.is_over:
                return known.feed
            self._active[key] = active
        return active.feed

    def close(self, student_id: str, conversation_id: str, feed: Feed, ended: TurnEnded) -> None:
        """End a feed; pages that follow it get their last view."""
        feed.end(ended.status, ended.notice)
        with self._changed:
            active = self._active.get((student_id, conversation_id))
            if active is not None and active.feed is feed:
                del self._active[(student_id, conversation_id)]
            self._changed.notify_all()

    def running(self) -> list[tuple[Active, Run]]:
        """Runs whose record is stored and whose feed is open."""
        with self._changed:
            found = [(active, active.run) for active in self._active.values() if not active.feed.is_over]
        return [(active, run) for active, run in found if run is not None and run.recorded.done()]

    def wait_until_idle(self, timeout_s: float) -> list[Active]:
        """Wait for everything to end, for so long; what has not ended by then."""
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while self._active and (left_s := deadline - time.monotonic()) > 0:
                self._changed.wait(left_s)
            return list(self._active.values())
