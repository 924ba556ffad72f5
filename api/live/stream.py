"""Server-sent event stream of a live feed, as an ASGI response.

Format: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, suppress

from starlette.types import Receive, Scope, Send

from api.live.feed import LiveFeed

log = logging.getLogger(__name__)

HEARTBEAT = b": \n\n"
SEND_TIMEOUT_S = 30.0
"""For a reader that takes nothing: its connection is given up."""
CHECK_S = 5.0
"""Between two looks at whether the session still counts: whoever signs out everywhere may mean this very stream."""
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, no-transform"),
    # For nginx, which would hold the words back to fill a buffer.
    (b"x-accel-buffering", b"no"),
]


class EventStream:
    """Response that sends a feed from a position on, until its end or until the client has gone."""

    def __init__(
        self,
        feed: LiveFeed,
        *,
        last_event_id: str,
        following: Callable[[], AbstractContextManager[None]],
        may_follow: Callable[[], Awaitable[bool]],
    ) -> None:
        """following: entered for as long as the stream is open. may_follow: asked again while it is."""
        self._feed = feed
        self._last_event_id = last_event_id
        self._following = following
        self._may_follow = may_follow

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        current = asyncio.current_task()
        assert current is not None
        gone = asyncio.create_task(_disconnected(receive))
        gone.add_done_callback(lambda _: current.cancel())
        try:
            with self._following():
                self._feed.followers += 1
                try:
                    await self._send(send)
                finally:
                    self._feed.followers -= 1
        except asyncio.CancelledError:
            if not gone.done() or gone.cancelled():
                raise
            current.uncancel()
        except TimeoutError:
            # An answer that ends without its end: uvicorn closes the connection, and `IdleConnections` aborts it.
            log.info("live_reader_given_up")
        finally:
            gone.cancel()

    async def _send(self, send: Send) -> None:
        feed = self._feed
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        position = feed.position_after(self._last_event_id)
        if position is None:
            position, snapshot = await feed.snapshot()
            await _send_in_time(send, snapshot)
        loop = asyncio.get_running_loop()
        check_at = loop.time() + CHECK_S
        while not feed.is_over or position < feed.length:
            if position == feed.length:
                await feed.changed()
            if loop.time() >= check_at:
                if not await self._may_follow():
                    break
                check_at = loop.time() + CHECK_S
            new = feed.since(position)
            position = feed.length
            await _send_in_time(send, new or HEARTBEAT)
        await _send_in_time(send, b"", more=False)


async def _send_in_time(send: Send, data: bytes, *, more: bool = True) -> None:
    async with asyncio.timeout(SEND_TIMEOUT_S):
        await send({"type": "http.response.body", "body": data, "more_body": more})


async def _disconnected(receive: Receive) -> None:
    with suppress(Exception):
        while (await receive())["type"] != "http.disconnect":
            pass
