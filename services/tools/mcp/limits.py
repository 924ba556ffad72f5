"""`McpLimits`: limits of time and size for one server."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from services.runtime.rate_limiter import LocalRateLimiter, TokenBucket


@dataclass(frozen=True, kw_only=True)
class McpLimits:
    """Limits in seconds, bytes and counts; the defaults are for a deployment, tests take less.

    start_s: until it has shaken hands and listed its tools. call_s: until one call is answered.
    stop_s: what a process gets to end by itself, and again after SIGTERM.
    backoff_s: the first and the longest pause before a server that failed is tried again.
    settled_s: after this long without a failure the pauses start anew.
    relist_s: the shortest time between two listings. recheck_s: between two looks for the operator's approval.
    message_bytes: one message; a longer answer is thrown away and reported as too large.
    spare_bytes, spare_messages: what a server may send unasked at once; it regains a sixtieth of it each second.
    """

    start_s: float = 20.0
    call_s: float = 25.0
    stop_s: float = 1.0
    backoff_s: tuple[float, float] = (1.0, 120.0)
    settled_s: float = 60.0
    relist_s: float = 2.0
    recheck_s: float = 5.0
    message_bytes: int = 4_000_000
    spare_bytes: int = 64_000_000
    spare_messages: int = 2_000
    stderr_bytes: int = 4_000
    tools: int = 128
    pages: int = 20
    spec_bytes: int = 32_000
    description: int = 2_000
    output: int = 40_000
    data_bytes: int = 400_000


def per_minute(amount: float, clock: Callable[[], float] = time.monotonic) -> LocalRateLimiter:
    """Token bucket of this size that refills within a minute."""
    return LocalRateLimiter(TokenBucket(burst=amount, per_second=amount / 60), clock)
