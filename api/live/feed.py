"""`LiveFeed`: the events of one running turn, encoded once for all of its followers, on the event loop."""

import asyncio
import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

from api.live.answer_diff import AnswerDiff, Event, may_name_address
from services.conversations.items import AssistantText, ToolLine, TurnView
from services.conversations.turn_records import TurnStatus
from services.i18n import locale_scope

LONGEST_ON_LOOP = 4_000
"""Characters that are sanitised on the event loop; longer texts are on a thread meanwhile."""
MARKS = "[]()*_`~$\\|<>&#+-!:\n"
MOST_MARKS_ON_LOOP = 300
"""Characters among them that may be Markdown: 4,000 brackets cost a hundred times what 4,000 letters do."""
SLOW_UPDATE_S = 0.02
"""CPU of an update, a quarter of the time between two."""
MOST_SLOW_UPDATES = 3
"""After so many of them text that still grows is not rendered any more in this turn."""


class LiveFeed:
    """Log of a turn's events. `LiveFeeds` fills it; followers read it by position and wait for `changed`."""

    def __init__(self, *, conversation_id: str, turn_id: str, locale: str, diff: AnswerDiff) -> None:
        self.conversation_id = conversation_id
        self.turn_id = turn_id
        self.is_over = False
        """Whether nothing will be added any more; without an `end` event when it could not be followed to its end."""
        self.has_end = False
        self.locale = locale
        self._diff = diff
        self._is_drawn = asyncio.Lock()
        self._slow_updates = 0
        self._snapshot: tuple[int, bytes] = (-1, b"")
        self.followers = 0
        self._first_id = time.time_ns() // 1_000_000
        """So that ids of an earlier turn, or of this one in an earlier process, are not taken for ours."""
        self._log: list[bytes] = []
        self._changed = asyncio.Event()

    @property
    def length(self) -> int:
        return len(self._log)

    def position_after(self, last_event_id: str) -> int | None:
        """Position behind the event with this id; None when it is none of ours."""
        number = int(last_event_id) - self._first_id if last_event_id.isdecimal() and len(last_event_id) < 20 else 0
        return number if 0 < number <= len(self._log) else None

    async def snapshot(self) -> tuple[int, bytes]:
        """Position, and the whole turn as it is drawn there, with the id of the last event."""
        # While a thread draws, more is drawn than the events tell.
        async with self._is_drawn:
            if self._snapshot[0] != len(self._log):
                self._snapshot = (len(self._log), self._encoded_snapshot())
            return self._snapshot

    def _encoded_snapshot(self) -> bytes:
        data = {
            "conversation_id": self.conversation_id,
            "turn_id": self.turn_id,
            "items": self._diff.items(),
        }
        return _encoded(self._first_id + len(self._log), "snapshot", data)

    def since(self, position: int) -> bytes:
        return b"".join(self._log[position:])

    async def changed(self) -> None:
        """Wait for the next events, or for a heartbeat."""
        await self._changed.wait()

    def beat(self) -> None:
        """Wake all followers, with or without new events."""
        woken, self._changed = self._changed, asyncio.Event()
        woken.set()

    async def draw(self, view: TurnView, *, is_crowded: bool) -> None:
        """Add the events up to this view; the last ones when it has ended."""
        async with self._is_drawn:
            with locale_scope(self.locale):
                renders = not is_crowded and self._slow_updates < MOST_SLOW_UPDATES
                if is_heavy(view):
                    events = await asyncio.to_thread(self._update, view, renders)
                else:
                    events = self._update(view, renders)
            self._append(events)

    def _update(self, view: TurnView, renders: bool) -> list[Event]:
        begun = time.thread_time()
        events = self._diff.update(view, renders_growing=renders)
        self._slow_updates += time.thread_time() - begun > SLOW_UPDATE_S
        return events

    def end(self, status: TurnStatus, notice: Mapping[str, Any] | None, *, redraw_in_ms: int) -> None:
        with locale_scope(self.locale):
            sources = self._diff.sources()
        last: list[Event] = [("step", sources)] if sources else []
        data = {"status": status.value, "notice": notice, "redraw_in_ms": redraw_in_ms}
        self.is_over = self.has_end = True
        self._append([*last, ("end", data)])

    def _append(self, events: Iterable[Event]) -> None:
        self._log += [
            _encoded(id, name, data) for id, (name, data) in enumerate(events, self._first_id + len(self._log) + 1)
        ]
        self.beat()


def _encoded(id: int, name: str, data: Mapping[str, Any]) -> bytes:
    return f"id: {id}\nevent: {name}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode(
        errors="replace"
    )


def is_heavy(view: TurnView) -> bool:
    """Whether drawing may take long or must read the store, and so belongs on a thread."""
    if any(isinstance(item, ToolLine) and item.sources for item in view.items):
        return True
    texts = [item.text for item in view.items if isinstance(item, AssistantText)]
    length = sum(map(len, texts))
    return (
        length > LONGEST_ON_LOOP
        or any(map(may_name_address, texts))
        or (length > MOST_MARKS_ON_LOOP and sum(map(_marks, texts)) > MOST_MARKS_ON_LOOP)
    )


def _marks(text: str) -> int:
    return sum(map(text.count, MARKS))
