"""`IdentityCache`: what was made of a list, remembered for as long as the very same things come in it again."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")

MOST = 16


class IdentityCache(Generic[Made]):
    """For lists of a hundred tools or definitions that come with every message and that nobody ever changes.

    Things are the same when they are one object: comparing identities costs microseconds where making costs
    milliseconds. Those of the lists that are remembered are held, so that no other thing can take their place.
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
