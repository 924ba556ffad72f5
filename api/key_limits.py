"""Rate limit and concurrency limit of API keys: requests a second over all replicas, and requests at once here."""

import math
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from api.errors import ApiError
from api.workers import Workers
from services.runtime.rate_limiter import RateLimiter, TokenBucket

DEADLINE_S = 5.0


class RequestLimits:
    """Rate limit and concurrency limit of API keys.

    A program may look through the whole root, tool by tool, without a pause.
    """

    def __init__(self, *, burst: int = 120, per_second: float = 5.0, at_once: int = 8) -> None:
        self._rate = TokenBucket(burst=burst, per_second=per_second)
        self._at_once = at_once
        self._open: Counter[str] = Counter()

    @asynccontextmanager
    async def request(self, key_id: str, limiter: RateLimiter, workers: Workers) -> AsyncIterator[None]:
        """One request of this key, from its start to its end; raises `ApiError` 429. For the event loop's thread."""
        if self._open[key_id] >= self._at_once:
            raise _too_many(f"More than {self._at_once} requests of this key at once.", 1.0)
        self._open[key_id] += 1
        try:
            if wait_s := await workers.run("keys", DEADLINE_S, limiter.acquire, f"api_key/{key_id}", self._rate):
                raise _too_many("Too many requests with this key.", wait_s)
            yield
        finally:
            self._open[key_id] -= 1
            if not self._open[key_id]:
                del self._open[key_id]


def _too_many(message: str, wait_s: float) -> ApiError:
    wait = max(1, math.ceil(wait_s))
    return ApiError(429, "too_many_requests", f"{message} Wait {wait} s.", headers={"retry-after": str(wait)})
