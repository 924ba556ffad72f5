"""How much one key may ask: so many requests a minute, and so many at once."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from api.errors import ApiError

MOST_BUCKETS = 10_000
"""Keys that are remembered; the one that was quiet for longest is forgotten, and starts afresh."""


@dataclass(kw_only=True)
class _Bucket:
    tokens: float
    filled_at: float
    open_requests: int = 0


class Limits:
    """A token bucket for each key, in the memory of this process: N replicas together allow N times as much.

    A program may look through the whole root, tool by tool, without a pause.
    """

    def __init__(
        self,
        *,
        burst: int = 120,
        per_second: float = 5.0,
        at_once: int = 8,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._burst = burst
        self._per_second = per_second
        self._at_once = at_once
        self._monotonic = monotonic
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    @contextmanager
    def request(self, key_id: str) -> Iterator[None]:
        """One request of this key, from its start to its end; raises `ApiError` 429. For the event loop's thread."""
        bucket = self._bucket(key_id)
        if bucket.open_requests >= self._at_once:
            raise _too_many(f"More than {self._at_once} requests of this key at once.", 1.0)
        if bucket.tokens < 1:
            raise _too_many("Too many requests with this key.", (1 - bucket.tokens) / self._per_second)
        bucket.tokens -= 1
        bucket.open_requests += 1
        try:
            yield
        finally:
            bucket.open_requests -= 1

    def _bucket(self, key_id: str) -> _Bucket:
        now = self._monotonic()
        bucket = self._buckets.pop(key_id, None) or _Bucket(tokens=self._burst, filled_at=now)
        bucket.tokens = min(self._burst, bucket.tokens + (now - bucket.filled_at) * self._per_second)
        bucket.filled_at = now
        self._buckets[key_id] = bucket
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return bucket


def _too_many(message: str, wait_s: float) -> ApiError:
    wait = max(1, math.ceil(wait_s))
    return ApiError(429, "too_many_requests", f"{message} Wait {wait} s.", headers={"retry-after": str(wait)})
