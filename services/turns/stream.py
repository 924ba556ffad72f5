"""`TurnStream`: in-memory stream of a running turn, which any number of pages follow, at a rate that is throttled."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from services.conversations.items import (
    ApprovalItem,
    AssistantText,
    Item,
    NoticeItem,
    ToolLine,
    TurnView,
    notice_item,
    without_repeated_cards,
)
from services.conversations.turn_records import Notice, TurnStatus
from services.discovery.explanation import LoadingExplanation
from services.i18n import gettext
from services.llm.citations import Citation
from services.turns.events import (
    ApprovalRequested,
    Event,
    StepStored,
    TextDelta,
    TextEnded,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    TurnEnded,
)

MIN_INTERVAL_S = 1 / 12
"""Between two views for one page: every drawn update costs the browser and the server time."""
UPDATES_PER_S = 150
"""Of all pages together: each update takes a millisecond of the one interpreter that all share."""
MAX_INTERVAL_S = 0.5
"""Text still flows when it comes twice a second."""
PAUSE_PER_DRAWING = 20
"""A page pauses this many times as long as its last drawing took: when many pages draw at once, all draw less often."""
IDLE_VIEW_S = 0.5
"""A quiet turn is yielded this often, so that a page that was closed meanwhile notices."""


class StreamThrottle:
    """Throttle of updates by the number of pages of this process that follow a turn."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages = 0

    @contextmanager
    def count_page(self) -> Iterator[None]:
        """Count a page that follows, for as long as this lasts."""
        with self._lock:
            self._pages += 1
        try:
            yield
        finally:
            with self._lock:
                self._pages -= 1

    @property
    def interval_s(self) -> float:
        return update_interval_s(self._pages)


class TurnStream:
    """Takes events from the turn's worker and yields whole views. After `end` it takes no more events."""

    def __init__(
        self, turn_id: str, *, next_seq: int, items: Sequence[Item] = (), throttle: StreamThrottle | None = None
    ) -> None:
        """throttle: of all streams of this process; by default the stream has its own."""
        self.turn_id = turn_id
        self._throttle = throttle or StreamThrottle()
        self._items: list[Item] = list(items)
        self._words: list[str] = []
        self._next_seq = next_seq
        self._status = TurnStatus.RUNNING
        self._notice: NoticeItem | None = None
        self._version = 1
        lock = threading.RLock()
        self._changed, self._urged = threading.Condition(lock), threading.Condition(lock)
        self._urgent_version = 0
        self._ended = threading.Event()
        self._is_closed = False
        self._listeners: list[Callable[[bool], None]] = []

    @property
    def is_over(self) -> bool:
        return self._ended.is_set()

    @property
    def version(self) -> int:
        return self._version

    def apply(self, event: Event) -> bool:
        """Apply an event; False once the turn is over, so that its worker stops."""
        with self._changed:
            if self.is_over or self._is_closed:
                return False
            self._update_items(event)
            self._notify_change(is_urgent=isinstance(event, TextEnded))
        return True

    def tell(self, call_id: str, note: str) -> None:
        """Show the progress of a running call; from any thread (see `ProgressObserver`)."""
        self.apply(ToolProgress(call_id=call_id, note=note))

    def close(self) -> tuple[str, int]:
        """Take no more events before `end`; returns what `end` would. So followers hear the end when all is stored."""
        with self._changed:
            self._is_closed = True
            return "" if self.is_over else "".join(self._words), self._next_seq

    def end(self, status: TurnStatus, notice: Notice | None = None) -> tuple[str, int]:
        """End the stream; the text that is not stored yet, and the number of its message. Only the first end counts."""
        with self._changed:
            if self.is_over:
                return "", self._next_seq
            unsaved = "" if self._is_closed else "".join(self._words)
            self._close_words()
            self._status = status
            if notice is not None:
                self._notice = notice_item(notice)
                self._items.append(self._notice)
            self._ended.set()
            self._notify_change(is_urgent=True)
            return unsaved, self._next_seq

    def view(self) -> TurnView:
        with self._changed:
            return self._view()

    @contextmanager
    def listen(self, listener: Callable[[bool], None]) -> Iterator[None]:
        """Have `listener` called at each change, with whether it is urgent, for as long as this lasts.

        It is called on the thread of the change, under the lock of the stream: it must return at once.
        """
        with self._changed:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._changed:
                self._listeners.remove(listener)

    def unsaved(self) -> tuple[str, int]:
        """Text of the step that is not stored yet, and the number that its message will have."""
        with self._changed:
            return "".join(self._words), self._next_seq

    def follow(self) -> Iterator[TurnView]:
        """Yield the turn now, its first text at once, then at most twelve views a second, less often for many pages.

        The last text of a step comes at once as well, and so does the last view.
        """
        with self._throttle.count_page():
            yield from self._views()

    def _views(self) -> Iterator[TurnView]:
        seen = 0
        while True:
            with self._changed:
                if self._version == seen and not self.is_over:
                    self._changed.wait(IDLE_VIEW_S)
                view = self._view()
            seen = view.version
            yielded_at = time.monotonic()
            yield view
            if view.status is not TurnStatus.RUNNING:
                return
            if view.items:
                pause_s = self._pause_s(time.monotonic() - yielded_at)
                with self._urged:
                    self._urged.wait_for(lambda: self._urgent_version > seen, pause_s)  # noqa: B023 - called here only

    def _pause_s(self, drawn_s: float) -> float:
        """Seconds to wait after a drawing that took so long."""
        return max(self._throttle.interval_s - drawn_s, min(MAX_INTERVAL_S, PAUSE_PER_DRAWING * drawn_s))

    def _notify_change(self, *, is_urgent: bool) -> None:
        """Tell of a new version; an urgent one ends the pause of every page before its next view."""
        self._version += 1
        self._changed.notify_all()
        if is_urgent:
            self._urgent_version = self._version
            self._urged.notify_all()
        for listener in self._listeners:
            listener(is_urgent)

    def _view(self) -> TurnView:
        live: list[Item] = [AssistantText(text="".join(self._words))] if self._words else []
        return TurnView(
            turn_id=self.turn_id,
            status=self._status,
            items=[*self._items, *live],
            notice=self._notice,
            version=self._version,
        )

    def _update_items(self, event: Event) -> None:
        match event:
            case TextDelta(text=text):
                self._words.append(text)
            case ToolStarted():
                self._items.append(
                    ToolLine(
                        call_id=event.call_id, label=gettext(event.label), name=event.name, arguments=event.arguments
                    )
                )
            case ToolProgress(call_id=call_id, note=note):
                self._items = [_with_progress(item, call_id, note) for item in self._items]
            case ToolFinished():
                self._items = [_finished(item, event) for item in self._items]
            case ApprovalRequested():
                self._items = without_repeated_cards([_replaced_by_card(item, event) for item in self._items])
            case StepStored(seq=seq):
                self._close_words(seq, event.citations, event.why)
                self._next_seq = seq + 1
            case TextEnded() | Notice() | TurnEnded():
                pass

    def _close_words(
        self, seq: int = 0, citations: tuple[Citation, ...] = (), why: LoadingExplanation | None = None
    ) -> None:
        if self._words:
            self._items.append(AssistantText(text="".join(self._words), seq=seq, citations=citations, why=why))
            self._words = []


def _with_progress(item: Item, call_id: str, note: str) -> Item:
    is_it = isinstance(item, ToolLine) and item.call_id == call_id and item.success is None
    return replace(item, note=note) if isinstance(item, ToolLine) and is_it else item


def _finished(item: Item, event: ToolFinished) -> Item:
    if not isinstance(item, ToolLine) or item.call_id != event.call_id:
        return item
    return replace(
        item,
        success=event.success,
        sentence=event.sentence,
        asks_back=event.asks_back,
        seconds=event.seconds,
        sources=event.sources,
        steps=event.steps,
        reading=event.reading,
        note="",
    )


def _replaced_by_card(item: Item, event: ApprovalRequested) -> Item:
    """Replace the line of a call that writes by its card."""
    is_it = isinstance(item, ToolLine) and item.call_id == event.call_id
    return ApprovalItem(approval_id=event.approval_id) if is_it else item


def update_interval_s(pages: int) -> float:
    """Seconds between two views of each page: 12 a second for up to twelve pages, 3 for fifty, never below 2."""
    return min(MAX_INTERVAL_S, max(MIN_INTERVAL_S, pages / UPDATES_PER_S))
