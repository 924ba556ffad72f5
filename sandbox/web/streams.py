"""Bodies that go on for long, and end when nobody listens any more."""

import asyncio
from collections.abc import AsyncIterator, Callable

from starlette.requests import Request

AT_ONCE = 500
"""Parts in one piece: after each the other requests of the campus have their turn."""
MOST = 4_000_000


async def many(
    request: Request, part: Callable[[int], str], *, head: str, tail: str, count: int = MOST
) -> AsyncIterator[bytes]:
    """`head`, then `count` parts by their number, then `tail`; stops when the caller has gone."""
    yield head.encode()
    for start in range(1, count + 1, AT_ONCE):
        if await request.is_disconnected():
            return
        yield "".join(part(number) for number in range(start, min(start + AT_ONCE, count + 1))).encode()
        await asyncio.sleep(0)
    yield tail.encode()
