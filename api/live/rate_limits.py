"""Rate limits of the live routes: how often one identity may ask, before anything is done for it."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from api.auth import SignInClaims
from api.errors import ApiError
from services.i18n import gettext
from services.runtime.rate_limiter import RateLimiter, State, TokenBucket

SENDS = TokenBucket(burst=400, per_second=10.0)
"""Messages and stops; a message that is sent again counts, too. A whole class may share one account in a demo."""
FOLLOWS = TokenBucket(burst=800, per_second=20.0)
"""Streams that are opened: tabs on a bad line come back a few times each. They cost the process that holds them."""
PAGES = TokenBucket(burst=240, per_second=4.0)
"""Pages of materials and their pictures; who leafs fast turns two or three pages a second."""
PRACTICE = TokenBucket(burst=800, per_second=20.0)
"""Answers to quizzes and ratings of cards; a whole class may share one account in a demo."""
TOLD_EVERY = 20
"""Messages within a minute that a process counts before it tells the others, so that few students' cost a write."""
FORGOTTEN_AFTER_S = 60.0
MOST_REMEMBERED = 10_000


class LiveLimits:
    """Limits of this process, for the event loop's thread, at no cost; and of messages over all processes."""

    def __init__(self, shared: RateLimiter, clock: Callable[[], float] = time.monotonic) -> None:
        self._shared, self._clock = shared, clock
        self._states: OrderedDict[tuple[str, str, TokenBucket], State] = OrderedDict()
        self._untold: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def spend(self, claims: SignInClaims, limit: TokenBucket) -> None:
        """Count a request; raises `ApiError` 429 when there is no room for it."""
        key = (claims.issuer, claims.subject, limit)
        self._states[key], wait_s = limit.spend(self._states.get(key, ()), self._clock())
        self._states.move_to_end(key)
        if len(self._states) > MOST_REMEMBERED:
            self._states.popitem(last=False)
        _require_room(wait_s)

    def spend_everywhere(self, claims: SignInClaims) -> None:
        """Count a message over all processes, on a worker's thread; raises `ApiError` 429 when there is no room for it.

        Of two threads at once one may count for both.
        """
        name, now = f"live_sends/{claims.issuer}/{claims.subject}", self._clock()
        untold, counted_at = self._untold.pop(name, (0, now))
        untold = untold + 1 if now - counted_at < FORGOTTEN_AFTER_S else 1
        wait_s = self._shared.acquire(name, SENDS, TOLD_EVERY) if untold >= TOLD_EVERY else 0.0
        self._untold[name] = (untold - 1 if wait_s else untold % TOLD_EVERY, now)
        if len(self._untold) > MOST_REMEMBERED:
            self._untold.popitem(last=False)
        _require_room(wait_s)


def _require_room(wait_s: float) -> None:
    if wait_s:
        seconds = max(1, math.ceil(wait_s))
        message = gettext("Too much came from you just now. Try again in {seconds} s.", seconds=seconds)
        raise ApiError(429, "too_many_requests", message, headers={"retry-after": str(seconds)})
