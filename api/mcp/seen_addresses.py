"""Addresses that a model behind /mcp may open, by API key: those that earlier results have named."""

import threading
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from services.conversations.mentioned_addresses import texts_in
from services.safety.provenance import Provenance
from services.safety.seen_addresses import SeenAddresses
from services.tools.result import ToolResult

SEEN_ADDRESSES_LIFETIME_S = 3600.0
MOST_KEYS_WITH_ADDRESSES = 1000


class SeenAddressesByKey:
    """Addresses that the results of each API key have named, which a model behind /mcp may open. In-memory: on another
    replica the client has to find the address again."""

    def __init__(self, own_origin: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._own_origin = own_origin
        self._clock = clock
        self._lock = threading.Lock()
        self._keys: dict[str, tuple[float, SeenAddresses]] = {}

    def known(self, key_id: str) -> SeenAddresses:
        """Copy of the addresses: what happens within a call does not count after it."""
        with self._lock:
            return deepcopy(self._of(key_id))

    def add_tool_result(self, key_id: str, told: Provenance, arguments: Mapping[str, Any], result: ToolResult) -> None:
        """Add the addresses of a result."""
        urls = [source.url for source in result.sources]
        with self._lock:
            self._of(key_id).add_tool_result(result.output, urls, arguments=texts_in(arguments), provenance=told)

    def _of(self, key_id: str) -> SeenAddresses:
        now = self._clock()
        since, known = self._keys.pop(key_id, (now, None))
        if known is None or now - since > SEEN_ADDRESSES_LIFETIME_S:
            since, known = now, SeenAddresses(own_origin=self._own_origin)
            known.add_tool_result("", provenance=Provenance.PRIVATE)
        self._keys[key_id] = (since, known)
        while len(self._keys) > MOST_KEYS_WITH_ADDRESSES:
            self._keys.pop(next(iter(self._keys)))
        return known
