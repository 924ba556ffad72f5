"""`TurnStream`: a running turn in memory, followed by any number of pages."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from services.conversations.items import ApprovalItem, AssistantText, Item, NoticeItem, ToolLine, TurnView, notice_item
from services.conversations.turn_records import Notice, TurnStatus
from services.discovery.explanation import LoadingExplanation
from services.i18n import gettext
from services.llm.citations import Citation
from services.turns.events import (
    ApprovalRequested,
    Event,
    StepStored,
    TextDelta,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    TurnEnded,
    WordsEnded,
)

UPDATE_S = 1 / 12
"""Between two views with words, given to one page: every drawn update costs the browser and the server time."""


TOGETHER = 150
"""Updates a second for all pages together: each takes a millisecond of the one interpreter that all share."""


LONGEST_UPDATE_S = 0.5
"""Words still flow when they come twice a second."""


PATIENCE = 20
"""A page waits this many times as long as its last drawing took: when many pages draw at once, all draw less often."""


PULSE_S = 0.5
"""A quiet turn is still given out this often, so that a page that was closed meanwhile notices."""


class StreamThrottle:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages = 0

    @contextmanager
    def count_page(self) -> Iterator[None]:
        """A page follows for as long as this lasts."""
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
    """Events go in from the turn's worker, whole views come out. After `end` nothing goes in any more."""

    def __init__(
        self, turn_id: str, *, next_seq: int, items: Sequence[Item] = (), audience: StreamThrottle | None = None
    ) -> None:
        """audience: of all streams of this process; without one the stream counts its own."""
        self.turn_id = turn_id
        self._audience = audience or StreamThrottle()
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

    @property
    def is_over(self) -> bool:
        return self._ended.is_set()

    @property
    def version(self) -> int:
        return self._version

    def apply(self, event: Event) -> bool:
        """Take an event in; False once the turn is over, so that its worker stops."""
        with self._changed:
            if self.is_over:
                return False
            self._take(event)
            self._version += 1
            self._changed.notify_all()
            if isinstance(event, WordsEnded):
                self._urge()
        return True

    def tell(self, call_id: str, note: str) -> None:
        """How far a running call has come; from any thread (`services.tools.tool.Watch`)."""
        self.apply(ToolProgress(call_id=call_id, note=note))

    def end(self, status: TurnStatus, notice: Notice | None = None) -> tuple[str, int]:
        """Close it; the words that are not stored yet, and the number of their message. Only the first end counts."""
        with self._changed:
            if self.is_over:
                return "", self._next_seq
            unsaved = "".join(self._words)
            self._close_words()
            self._status = status
            if notice is not None:
                self._notice = notice_item(notice)
                self._items.append(self._notice)
            self._version += 1
            self._ended.set()
            self._changed.notify_all()
            self._urge()
            return unsaved, self._next_seq

    def view(self) -> TurnView:
        with self._changed:
            return self._view()

    def unsaved(self) -> tuple[str, int]:
        """The words of the step that is not stored yet, and the number its message will have."""
        with self._changed:
            return "".join(self._words), self._next_seq

    def follow(self) -> Iterator[TurnView]:
        """The turn now, its first words at once, then at most twelve views a second, less often for many.

        The last words of a step come at once as well; the last view when it is over.
        """
        with self._audience.count_page():
            yield from self._views()

    def _views(self) -> Iterator[TurnView]:
        seen = 0
        while True:
            with self._changed:
                if self._version == seen and not self.is_over:
                    self._changed.wait(PULSE_S)
                view = self._view()
            seen = view.version
            given_at = time.monotonic()
            yield view
            if view.status is not TurnStatus.RUNNING:
                return
            if view.items:
                pause_s = self._pause_s(time.monotonic() - given_at)
                with self._urged:
                    self._urged.wait_for(lambda: self._urgent_version > seen, pause_s)  # noqa: B023 - asked in here only

    def _pause_s(self, drawn_s: float) -> float:
        """How long to wait after a drawing that took so long."""
        return max(self._audience.interval_s - drawn_s, min(LONGEST_UPDATE_S, PATIENCE * drawn_s))

    def _urge(self) -> None:
        """Let nobody wait for their next view."""
        self._urgent_version = self._version
        self._urged.notify_all()

    def _view(self) -> TurnView:
        live: list[Item] = [AssistantText(text="".join(self._words))] if self._words else []
        return TurnView(
            turn_id=self.turn_id,
            status=self._status,
            items=[*self._items, *live],
            notice=self._notice,
            version=self._version,
        )

    def _take(self, event: Event) -> None:
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
                self._items = [_come_to(item, call_id, note) for item in self._items]
            case ToolFinished():
                self._items = [_finished(item, event) for item in self._items]
            case ApprovalRequested():
                self._items = [_asked(item, event) for item in self._items]
            case StepStored(seq=seq):
                self._close_words(seq, event.citations, event.why)
                self._next_seq = seq + 1
            case WordsEnded() | Notice() | TurnEnded():
                pass

    def _close_words(
        self, seq: int = 0, citations: tuple[Citation, ...] = (), why: LoadingExplanation | None = None
    ) -> None:
        if self._words:
            self._items.append(AssistantText(text="".join(self._words), seq=seq, citations=citations, why=why))
            self._words = []


def _come_to(item: Item, call_id: str, note: str) -> Item:
    is_it = isinstance(item, ToolLine) and item.call_id == call_id and item.success is None
    return replace(item, note=note) if isinstance(item, ToolLine) and is_it else item


def _finished(item: Item, event: ToolFinished) -> Item:
    if not isinstance(item, ToolLine) or item.call_id != event.call_id:
        return item
    return replace(
        item,
        success=event.success,
        sentence=event.sentence,
        seconds=event.seconds,
        sources=event.sources,
        steps=event.steps,
        note="",
    )


def _asked(item: Item, event: ApprovalRequested) -> Item:
    """The line of a call that writes gives way to its card."""
    is_it = isinstance(item, ToolLine) and item.call_id == event.call_id
    return ApprovalItem(approval_id=event.approval_id) if is_it else item


def update_interval_s(pages: int) -> float:
    """Between two views for each of so many pages: 12 a second for up to twelve of them, 3 for fifty, never below 2."""
    return min(LONGEST_UPDATE_S, max(UPDATE_S, pages / TOGETHER))
