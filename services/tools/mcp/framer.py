"""`LineFramer`: splits the output of a process that may be hostile into lines of limited length."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ID = re.compile(rb'"id"\s*:\s*(\d{1,18})')
_EDGE = 300
"""Bytes kept from both ends of a line that is thrown away: JSON-RPC writes the id first or last."""


@dataclass(frozen=True, kw_only=True)
class OversizedLine:
    """Line that was thrown away: its size in bytes, and the request ids that it may have answered."""

    size: int
    ids: tuple[int, ...]


class LineFramer:
    """Framer from chunks to lines; of a line over `limit` bytes only its ends are kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = bytearray()
        self._head = b""
        self._dropped = 0

    def feed(self, chunk: bytes) -> Iterator[bytes | OversizedLine]:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            self._keep(chunk[start:end])
            yield self._line()
            start = end + 1
        self._keep(chunk[start:])

    def _keep(self, piece: bytes) -> None:
        self._rest += piece
        if self._dropped or len(self._rest) > self._limit:
            self._head = self._head or bytes(self._rest[:_EDGE])
            excess = len(self._rest) - _EDGE
            self._dropped += max(excess, 0)
            del self._rest[: max(excess, 0)]

    def _line(self) -> bytes | OversizedLine:
        whole, dropped, head = bytes(self._rest), self._dropped, self._head
        self._rest, self._dropped, self._head = bytearray(), 0, b""
        if not dropped:
            return whole.rstrip(b"\r")
        return OversizedLine(size=len(whole) + dropped, ids=tuple(dict.fromkeys((*ids_in(head), *ids_in(whole)))))


def ids_in(line: bytes) -> tuple[int, ...]:
    """The request ids that a line names near its ends, whether or not it is JSON."""
    return tuple(int(found) for part in (line[:_EDGE], line[-_EDGE:]) for found in _ID.findall(part))
