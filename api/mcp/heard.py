"""`Heard`: what addresses a model that speaks through /mcp was told, by its key (T03).

No word of the student reaches us there, and their model may hold private things from anywhere: so only results name
addresses, never a stranger's page, and only for an hour.
"""

import threading
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from services.agent.named import texts_in
from services.safety.known import KnownAddresses, Told
from services.tools.base import ToolResult

KEPT_S = 3600.0
MOST = 1000


class Heard:
    """Of this process; another replica has not heard it, and asks to find the address again."""

    def __init__(self, own_origin: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._own_origin = own_origin
        self._clock = clock
        self._lock = threading.Lock()
        self._keys: dict[str, tuple[float, KnownAddresses]] = {}

    def known(self, key_id: str) -> KnownAddresses:
        """A copy: what happens within a call does not count after it."""
        with self._lock:
            return deepcopy(self._of(key_id))

    def take(self, key_id: str, told: Told, arguments: Mapping[str, Any], result: ToolResult) -> None:
        """Take in what a call has brought."""
        urls = [source.url for source in result.sources]
        with self._lock:
            self._of(key_id).take(result.output, urls, arguments=texts_in(arguments), told=told)

    def _of(self, key_id: str) -> KnownAddresses:
        now = self._clock()
        since, known = self._keys.pop(key_id, (now, None))
        if known is None or now - since > KEPT_S:
            since, known = now, KnownAddresses(own_origin=self._own_origin)
            known.take("", told=Told.PRIVATE)
        self._keys[key_id] = (since, known)
        while len(self._keys) > MOST:
            self._keys.pop(next(iter(self._keys)))
        return known
