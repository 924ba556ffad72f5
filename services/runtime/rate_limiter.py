"""Rate limiter: how often something may be done, exact over all replicas, with two kinds of limits."""

import hashlib
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from services.errors import DuplicateDocument, StorageError
from services.runtime.clock import MOST_SKEW_S, Clock, stamp

log = logging.getLogger(__name__)

COLLECTION = "rate_limits"
MOST_REMEMBERED = 10_000
"""Limits whose state this process remembers; one that is forgotten costs a read, and no use is lost."""

State = Sequence[float]
"""State of a limit: its uses so far, as plain numbers; empty before the first one."""


class RateLimit(Protocol):
    """Rule of a limit. Times are seconds since any moment, the same for all calls about one state."""

    def spend(self, state: State, now: float, cost: float = 1.0) -> tuple[State, float]:
        """The state after one more use, and 0.0; or the same state and the seconds until there is room for it."""

    def forgotten_at(self, state: State) -> float:
        """When the state says as much as none."""


@dataclass(frozen=True, kw_only=True)
class TokenBucket:
    """Token bucket: `burst` uses at once, then `per_second`. State: tokens that were left, and when."""

    burst: float
    per_second: float

    def spend(self, state: State, now: float, cost: float = 1.0) -> tuple[State, float]:
        tokens, counted_at = state or (self.burst, now)
        if counted_at > now + MOST_SKEW_S:
            tokens, counted_at = self.burst, now
        # Replicas' clocks differ by moments: what another one has counted already is not counted again.
        now = max(now, counted_at)
        tokens = min(self.burst, tokens + (now - counted_at) * self.per_second)
        if tokens < cost:
            return state, (cost - tokens) / self.per_second
        return (tokens - cost, now), 0.0

    def forgotten_at(self, state: State) -> float:
        tokens, counted_at = state
        return counted_at + (self.burst - tokens) / self.per_second


@dataclass(frozen=True, kw_only=True)
class SlidingWindow:
    """Sliding window log: at most `calls` within any `seconds`. State: when each of the latest uses was."""

    calls: int
    seconds: float

    def spend(self, state: State, now: float, cost: float = 1.0) -> tuple[State, float]:
        uses = [used_at for used_at in state if now - self.seconds < used_at <= now + MOST_SKEW_S]
        if len(uses) >= self.calls:
            return state, uses[0] + self.seconds - now
        return (*uses, now), 0.0

    def forgotten_at(self, state: State) -> float:
        return max(state) + self.seconds


class LocalRateLimiter:
    """Rate limiter for what only this process sees, such as the bytes of one of its connections."""

    def __init__(self, limit: RateLimit, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._clock = limit, clock
        self._state: State = ()

    def spend(self, cost: float = 1.0) -> bool:
        """Whether there was room for it; if not, nothing is spent."""
        self._state, wait_s = self._limit.spend(self._state, self._clock(), cost)
        return not wait_s

    def refill(self) -> None:
        self._state = ()


class KeyedRateLimiter:
    """Rate limiter for what only this process sees, with a state for each key. For one thread."""

    def __init__(
        self, limit: RateLimit, *, most_keys: int = MOST_REMEMBERED, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit, self._most_keys, self._clock = limit, most_keys, clock
        self._states: OrderedDict[Hashable, State] = OrderedDict()

    def spend(self, key: Hashable) -> bool:
        """Whether there was room for one more use of this key; if not, nothing is spent."""
        self._states[key], wait_s = self._limit.spend(self._states.get(key, ()), self._clock())
        self._states.move_to_end(key)
        if len(self._states) > self._most_keys:
            self._states.popitem(last=False)
        return not wait_s


class SharedStates(Protocol):
    """Part of `services.storage.store.SharedDocuments` that the limiter needs."""

    def get(self, collection: str, id: str) -> dict[str, Any] | None: ...

    def insert(self, collection: str, document: dict[str, Any]) -> None: ...

    def compare_and_set(
        self, collection: str, id: str, expected: Mapping[str, Any], changes: Mapping[str, Any]
    ) -> dict[str, Any] | None: ...


@dataclass(frozen=True, kw_only=True)
class _Seen:
    """State as the store had it last; revision: None where it has none."""

    revision: str | None = None
    state: State = ()


class RateLimiter:
    """Rate limiter over the store: a use counts once a compare-and-set of its limit's state has gone through.

    What this process saw last is what it expects, so that the usual use costs one write and no read. Nobody gives a use
    back: when the state seen last has no room, there is none, and the store is not asked. While the store does not
    answer, each process counts on by itself.
    """

    def __init__(self, states: SharedStates, clock: Clock) -> None:
        self._states, self._clock = states, clock
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, _Seen] = OrderedDict()

    def acquire(self, name: str, limit: RateLimit, cost: float = 1.0) -> float:
        """Use what `name` limits: 0.0, or the seconds until there is room for it, and nothing is used."""
        id = hashlib.sha256(f"homeroom/rate_limits/{name}".encode()).hexdigest()[:32]
        seen = self._seen.get(id, _Seen())
        while True:
            state, wait_s = limit.spend(seen.state, self._clock().timestamp(), cost)
            if wait_s:
                return wait_s
            try:
                if written := self._write(id, seen.revision, state, limit):
                    self._remember(id, written)
                    return 0.0
                seen = self._read(id)
            except StorageError as error:
                log.warning("rate_limit_not_shared kind=%s", type(error).__name__)
                return self._use_here(id, limit, cost)

    def _write(self, id: str, expected: str | None, state: State, limit: RateLimit) -> _Seen | None:
        """None when somebody else was faster, or the state has expired."""
        revision, ends_at = secrets.token_hex(8), datetime.fromtimestamp(limit.forgotten_at(state), UTC)
        fields = {"revision": revision, "state": list(state), "expires_at": stamp(ends_at)}
        if expected is not None:
            found = self._states.compare_and_set(COLLECTION, id, {"revision": expected}, fields)
            return None if found is None else _Seen(revision=revision, state=state)
        try:
            self._states.insert(COLLECTION, {"id": id, **fields})
        except DuplicateDocument:
            return None
        return _Seen(revision=revision, state=state)

    def _read(self, id: str) -> _Seen:
        document = self._states.get(COLLECTION, id)
        seen = _Seen() if document is None else _Seen(revision=document["revision"], state=document["state"])
        self._remember(id, seen)
        return seen

    def _use_here(self, id: str, limit: RateLimit, cost: float) -> float:
        """Count a use in this process alone, while the store is away.

        The revision stays: the next use that the store takes brings these along, unless another replica was faster.
        """
        with self._lock:
            seen = self._seen.get(id, _Seen())
            state, wait_s = limit.spend(seen.state, self._clock().timestamp(), cost)
            self._seen[id] = _Seen(revision=seen.revision, state=state)
            return wait_s

    def _remember(self, id: str, seen: _Seen) -> None:
        with self._lock:
            self._seen[id] = seen
            self._seen.move_to_end(id)
            while len(self._seen) > MOST_REMEMBERED:
                self._seen.popitem(last=False)
