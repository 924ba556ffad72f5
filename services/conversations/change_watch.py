"""`ChangeWatch`: registry of the pages that show a conversation, which rerun when it was changed elsewhere."""

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from services.errors import StorageError
from services.runtime.clock import Clock, stamp
from services.storage.store import Store

LOOK_EVERY_S = 5.0
"""Seconds between two looks at what other processes have changed: two queries for all pages of this process."""
LOOK_BACK = timedelta(seconds=30)
"""How far a look goes back: longer than the interval, as the clocks of two machines differ."""
AWAY_S = 120.0
"""After so long without its browser a page is forgotten: Streamlit has dropped its session by then."""

_CHANGES = ("conversations", "changed_at")
_ACCOUNT_DELETIONS = "departures"
_DELETED = "deleted"

_acting_page: ContextVar[str] = ContextVar("acting_page", default="")


class OpenPage(Protocol):
    """Page in a tab of a browser."""

    @property
    def id(self) -> str:
        """Random id of the tab."""

    def is_acting(self) -> bool:
        """Whether this thread runs the page's own script, which draws what it changes."""

    def is_connected(self) -> bool:
        """Whether its browser is there."""

    def rerun(self, give_up: Callable[[], None]) -> None:
        """Ask the page to run again, from any thread; `give_up` is called when it cannot just now."""


@dataclass(kw_only=True)
class _Watch:
    """chat: ids of the student and the conversation. seen: `changed_at` of what the page shows, or was
    asked to show. is_due: whether a rerun is still to be asked for. was_asked: whether one was asked for.
    away_since: on the monotonic clock; None while the browser is there.
    """

    page: OpenPage
    chat: tuple[str, str]
    seen: str
    is_due: bool = False
    was_asked: bool = False
    away_since: float | None = None


class ChangeWatch:
    """One watch for each page. A change in this process reaches it at once; one elsewhere with the next `look`."""

    def __init__(self, store: Store, clock: Clock, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._monotonic = monotonic
        self._by_page: dict[str, _Watch] = {}
        self._by_chat: dict[tuple[str, str], dict[str, _Watch]] = {}
        self._lock = threading.Lock()
        self._looked_at = clock()
        self.on_watched: Callable[[], None] = lambda: None
        """Called for each page that is watched from now on; whoever sets it calls `look` every `LOOK_EVERY_S`."""

    def watch(self, page: OpenPage, student_id: str, conversation_id: str, *, drawn: str) -> bool:
        """Let a page rerun when the conversation changes; whether it was asked to, since it was watched last.

        drawn: `changed_at` of the conversation as it is drawn.
        """
        new = _Watch(page=page, chat=(student_id, conversation_id), seen=drawn)
        with self._lock:
            before = self._removed(page.id)
            self._by_page[page.id] = new
            self._by_chat.setdefault(new.chat, {})[page.id] = new
        self.on_watched()
        return before is not None and before.was_asked

    def unwatch(self, page_id: str) -> None:
        """Forget a page that shows another chat, or none."""
        with self._lock:
            self._removed(page_id)

    @contextmanager
    def made_by(self, page_id: str) -> Iterator[None]:
        """Tell which page asks for the changes that this block makes: it shows them by itself."""
        token = _acting_page.set(page_id)
        try:
            yield
        finally:
            _acting_page.reset(token)

    def notify(self, student_id: str, conversation_id: str, changed_at: str) -> None:
        """Let every page of this conversation rerun that does not show this change, except the one that made it."""
        maker = _acting_page.get()
        due = []
        with self._lock:
            for watch in self._by_chat.get((student_id, conversation_id), {}).values():
                if watch.seen != changed_at:
                    watch.seen = changed_at
                    due.append(watch)
        for watch in due:
            if watch.page.id != maker and not watch.page.is_acting():
                _ask(watch)

    def look(self) -> None:
        """Notify pages of what other processes have changed, ask again for what was not possible, and forget pages
        that are gone. What a store that does not answer would have told is asked for with the next look.
        """
        with self._lock:
            watches = list(self._by_page.values())
        for watch in watches:
            if self._is_gone(watch):
                self._forget(watch)
            elif watch.is_due and watch.away_since is None:
                _ask(watch)
        with suppress(StorageError):
            self._notify_of_others(has_pages=bool(watches))

    def _notify_of_others(self, *, has_pages: bool) -> None:
        now, since = self._clock(), stamp(self._looked_at - LOOK_BACK)
        if has_pages:
            for student_id, conversation_id, changed_at in self._store.stamps_after(*_CHANGES, since):
                self.notify(student_id, conversation_id, changed_at)
            self._notify_deleted({record["id"] for record in self._store.shared.find(_ACCOUNT_DELETIONS, {})})
        self._looked_at = now

    def _notify_deleted(self, students: Collection[str]) -> None:
        """Let the pages of deleted accounts rerun, which shows them nothing any more."""
        with self._lock:
            chats = [chat for chat in self._by_chat if chat[0] in students]
        for chat in chats:
            self.notify(*chat, _DELETED)

    def __len__(self) -> int:
        return len(self._by_page)

    def _forget(self, watch: _Watch) -> None:
        with self._lock:
            if self._by_page.get(watch.page.id) is watch:
                self._removed(watch.page.id)

    def _removed(self, page_id: str) -> _Watch | None:
        """Remove a page's watch; under the lock."""
        if (watch := self._by_page.pop(page_id, None)) is not None:
            pages = self._by_chat[watch.chat]
            del pages[page_id]
            if not pages:
                del self._by_chat[watch.chat]
        return watch

    def _is_gone(self, watch: _Watch) -> bool:
        if watch.page.is_connected():
            watch.away_since = None
            return False
        now = self._monotonic()
        if watch.away_since is None:
            watch.away_since = now
        return now - watch.away_since > AWAY_S


def _ask(watch: _Watch) -> None:
    def give_up() -> None:
        watch.is_due, watch.was_asked = True, False

    watch.is_due, watch.was_asked = False, True
    watch.page.rerun(give_up)
