"""Rate limits of the live routes: how often one identity may ask, in this process, before anything is done for it."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from api.auth import SignInClaims
from api.errors import ApiError
from services.i18n import gettext
from services.runtime.rate_limiter import State, TokenBucket

SENDS = TokenBucket(burst=400, per_second=10.0)
"""Messages and stops; a message that is sent again counts, too. A whole class may share one account in a demo."""
FOLLOWS = TokenBucket(burst=800, per_second=20.0)
"""Streams that are opened: tabs on a bad line come back a few times each."""
MOST_REMEMBERED = 10_000


class LiveLimits:
    """For the event loop's thread only. Each process counts by itself: a browser stays with its process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._states: OrderedDict[tuple[str, str, TokenBucket], State] = OrderedDict()

    def spend(self, claims: SignInClaims, limit: TokenBucket) -> None:
        """Count a request; raises `ApiError` 429 when there is no room for it."""
        key = (claims.issuer, claims.subject, limit)
        self._states[key], wait_s = limit.spend(self._states.get(key, ()), self._clock())
        self._states.move_to_end(key)
        if len(self._states) > MOST_REMEMBERED:
            self._states.popitem(last=False)
        if wait_s:
            seconds = max(1, math.ceil(wait_s))
            message = gettext("Too much came from you just now. Try again in {seconds} s.", seconds=seconds)
            raise ApiError(429, "too_many_requests", message, headers={"retry-after": str(seconds)})
