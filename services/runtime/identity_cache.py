"""LRU cache keyed by object identity: what was made of a list, as long as the list holds the same objects again."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")

MOST = 16


class IdentityCache(Generic[Made]):
    """For lists of a hundred tools or definitions that come with every message and never change.

    Comparing identities costs microseconds where making costs milliseconds. The cache holds the objects of its keys, so
    that no other object can get the same id.
    """

    def __init__(self, make: Callable[[Sequence[Any]], Made]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[int, ...], tuple[tuple[Any, ...], Made]] = OrderedDict()

    def __call__(self, things: Sequence[Any]) -> Made:
        key = tuple(map(id, things))
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key][1]
        made = self._make(things)
        with self._lock:
            self._known[key] = (tuple(things), made)
            while len(self._known) > MOST:
                self._known.popitem(last=False)
        return made
