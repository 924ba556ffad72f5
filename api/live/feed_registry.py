"""`LiveFeeds`: the live feeds of this process; each is filled by a task for as long as somebody follows it."""

import asyncio
import logging
import time
from functools import partial

from api.live.answer_diff import AnswerDiff, notice_json
from api.live.feed import LiveFeed
from api.workers import Workers
from services.conversations.items import TurnView
from services.conversations.mentioned_addresses import named_addresses
from services.conversations.turn_records import TurnStatus
from services.i18n import locale_scope
from services.identity.students import Student
from services.integrations.base import service_label
from services.runtime.logs import error_location
from services.turns.stream import TurnStream
from services.week.course_tones import known_tones
from services.wiring.container import ServiceContainer

log = logging.getLogger(__name__)

MIN_INTERVAL_S = 1 / 50
"""Between two updates of one feed: about as fast as words come."""
UPDATES_PER_S = 400
"""Of all feeds together: each costs the event loop about a tenth of a millisecond."""
PAUSE_PER_DRAWING = 40
"""A feed pauses this many times as long as its last drawing took: one whose words are rendered is drawn less often."""
LONGEST_PAUSE_S = 0.25
"""After a drawing that took long, or that waited for others."""
MOST_RENDERED = 6
"""Feeds at once for which text is rendered while it grows; with more of them it is sent as it is."""
HEARTBEAT_S = 15.0
STORE_POLL_S = 1.0
STORE_DEADLINE_S = 10.0
KEPT_S = 30.0
"""Without followers, and after its end: for one who comes back from a break."""
MOST_MESSAGES = 30
"""Messages in which addresses are looked for: as many as a page shows of a conversation that is opened."""
PAGE_RUN_S = 0.06
"""CPU of one page run: the runs after answers that end together are spread by as much."""
CROWD_REDRAW_S = 3.0
"""Pages are drawn after the answers of a crowd, not between their words."""

Key = tuple[str, str]


class LiveFeeds:
    """For the event loop's thread only."""

    def __init__(self, services: ServiceContainer, workers: Workers) -> None:
        self._services = services
        self._workers = workers
        self._feeds: dict[Key, LiveFeed] = {}
        self._running = 0
        self._next_redraw_at = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    async def find(self, student: Student, conversation_id: str, *, last_event_id: str) -> LiveFeed | None:
        """Feed of the turn that runs; of the one that has just ended, for a follower who missed its end; else None."""
        key = (student.id, conversation_id)
        feed = self._feeds.get(key)
        stream = self._services.turns.running_stream(*key)
        if stream is not None:
            if feed is None or feed.is_over or feed.turn_id != stream.turn_id:
                feed = self._open(key, student, stream.turn_id, stream)
            return feed
        if feed is not None and (not feed.is_over or (feed.has_end and feed.position_after(last_event_id) is not None)):
            return feed
        view = await self._stored(key)
        if view is None or view.status is not TurnStatus.RUNNING:
            return None
        return self._feeds.get(key) or self._open(key, student, view.turn_id, None)

    def _open(self, key: Key, student: Student, turn_id: str, stream: TurnStream | None) -> LiveFeed:
        services = self._services
        diff = AnswerDiff(
            addresses=partial(linkable_addresses, services, *key),
            own_origin=services.settings.public_url,
            service=partial(service_label, integrations=services.integrations),
            tones=partial(known_tones, services.store, student.id),
        )
        feed = LiveFeed(conversation_id=key[1], turn_id=turn_id, locale=student.locale, diff=diff)
        self._feeds[key] = feed
        task = asyncio.get_running_loop().create_task(self._run(key, feed, stream))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return feed

    async def _run(self, key: Key, feed: LiveFeed, stream: TurnStream | None) -> None:
        self._running += 1
        try:
            if stream is None:
                await self._follow_store(key, feed)
            else:
                await _StreamPump(feed, stream, self).run()
        except Exception as error:
            # Followers see the stream end without its last event, and come back to a new feed or to the page.
            log.error("live_feed_crashed turn=%s at=%s", feed.turn_id, error_location(error))
        finally:
            self._running -= 1
            feed.is_over = True
            feed.beat()
            asyncio.get_running_loop().call_later(KEPT_S, self._forget, key, feed)

    def _forget(self, key: Key, feed: LiveFeed) -> None:
        if self._feeds.get(key) is feed:
            del self._feeds[key]

    async def _follow_store(self, key: Key, feed: LiveFeed) -> None:
        """Follow a turn of another process by its snapshots."""
        while (view := await self._stored(key)) is not None and view.turn_id == feed.turn_id:
            await self.draw(feed, view)
            if view.status is not TurnStatus.RUNNING or not feed.followers:
                return
            await asyncio.sleep(STORE_POLL_S)

    async def _stored(self, key: Key) -> TurnView | None:
        return await self._workers.run("live-store", STORE_DEADLINE_S, self._services.turns.stored_view, *key)

    async def draw(self, feed: LiveFeed, view: TurnView) -> None:
        """Draw a view, and the end of the feed with a view that has ended."""
        await feed.draw(view, is_crowded=self._running > MOST_RENDERED)
        if view.status is not TurnStatus.RUNNING:
            with locale_scope(feed.locale):
                notice = notice_json(view.notice) if view.notice else None
            feed.end(view.status, notice, redraw_in_ms=self._redraw_in_ms(view.status))

    @property
    def interval_s(self) -> float:
        return max(MIN_INTERVAL_S, self._running / UPDATES_PER_S)

    def _redraw_in_ms(self, status: TurnStatus) -> int:
        """When the page behind an ended answer may be drawn; one that waits for the student is at once."""
        if status is not TurnStatus.DONE:
            return 0
        now = time.monotonic()
        earliest = now + (CROWD_REDRAW_S if self._running > MOST_RENDERED else 0.0)
        at = max(earliest, self._next_redraw_at)
        self._next_redraw_at = at + PAGE_RUN_S
        return round((at - now) * 1000)


class _StreamPump:
    """Draws the views of a turn of this process: the first words at once, then after pauses, the last ones at once."""

    def __init__(self, feed: LiveFeed, stream: TurnStream, feeds: LiveFeeds) -> None:
        self._feed = feed
        self._stream = stream
        self._feeds = feeds
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._gate = asyncio.Event()
        self._is_told = False

    async def run(self) -> None:
        with self._stream.listen(self._tell):
            while self._feed.followers or await self._is_followed_again():
                self._is_told = False
                self._changed.clear()
                self._gate.clear()
                view = self._stream.view()
                begun = self._loop.time()
                await self._feeds.draw(self._feed, view)
                if view.status is not TurnStatus.RUNNING:
                    return
                if view.items:
                    await self._pause(self._pause_s(self._loop.time() - begun))
                await self._change()

    def _tell(self, is_urgent: bool) -> None:
        """Called on the thread of a change, and under the stream's lock."""
        if is_urgent or not self._is_told:
            self._is_told = True
            self._loop.call_soon_threadsafe(self._notice_change, is_urgent)

    def _notice_change(self, is_urgent: bool) -> None:
        self._changed.set()
        if is_urgent:
            self._gate.set()

    def _pause_s(self, drawn_s: float) -> float:
        """Seconds to wait after a drawing that took so long."""
        return max(self._feeds.interval_s, min(LONGEST_PAUSE_S, PAUSE_PER_DRAWING * drawn_s))

    async def _pause(self, pause_s: float) -> None:
        """Wait for so long, or until something urgent changes."""
        timer = self._loop.call_later(pause_s, self._gate.set)
        await self._gate.wait()
        timer.cancel()

    async def _change(self) -> None:
        """Wait for a change, with a heartbeat for the followers meanwhile."""
        while not self._changed.is_set():
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    await self._changed.wait()
            except TimeoutError:
                self._feed.beat()

    async def _is_followed_again(self) -> bool:
        deadline = self._loop.time() + KEPT_S
        while not self._feed.followers and self._loop.time() < deadline and not self._stream.is_over:
            await asyncio.sleep(1.0)
        return self._feed.followers > 0


def linkable_addresses(services: ServiceContainer, student_id: str, conversation_id: str) -> frozenset[str]:
    """Addresses that may be links in an answer: the student or a tool has named them in the same conversation.

    Two reads; raises `StorageError`.
    """
    items = services.conversations.latest(student_id, conversation_id, limit=MOST_MESSAGES).items
    approvals = services.approvals.for_conversation(student_id, conversation_id).values()
    return named_addresses(items, approvals, own_origin=services.settings.public_url)
