"""Reading an answer's body up to a limit, unpacked as it comes: a small packed body may be a very large one."""

import zlib
from collections.abc import Iterable

from services.safety.fetch.sockets import TooMuch

ACCEPTED = "gzip, deflate"


class UnreadableBody(Exception):
    """It is packed in a way that nobody asked for, or not as it says, or it breaks off."""


def read_body(chunks: Iterable[bytes], *, encoding: str, limit_bytes: int, cut: bool) -> tuple[bytes, bool]:
    """The unpacked body, and whether it was cut at the limit; without `cut`, a longer one raises `TooMuch`."""
    body, unpack = bytearray(), _unpacker(encoding)
    for chunk in chunks:
        body += unpack(chunk, limit_bytes + 1 - len(body))
        if len(body) > limit_bytes:
            if not cut:
                raise TooMuch
            return bytes(body[:limit_bytes]), True
    if not unpack.is_whole:
        raise UnreadableBody
    return bytes(body), False


class _Plain:
    is_whole = True
    """The protocol tells: by its length, or its last chunk."""

    def __call__(self, chunk: bytes, most: int) -> bytes:
        return chunk[:most]


class _Packed:
    """gzip and zlib by their headers; a deflate body without one as well, because some servers send that."""

    def __init__(self) -> None:
        self._unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._has_begun = False

    def __call__(self, chunk: bytes, most: int) -> bytes:
        try:
            unpacked = self._unpacker.decompress(chunk, most)
        except zlib.error:
            if self._has_begun:
                raise UnreadableBody from None
            self._unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
            unpacked = self._raw(chunk, most)
        self._has_begun = True
        return unpacked

    @property
    def is_whole(self) -> bool:
        """Whether the packing has come to its own end; nothing at all is no packing."""
        return self._unpacker.eof or not self._has_begun

    def _raw(self, chunk: bytes, most: int) -> bytes:
        try:
            return self._unpacker.decompress(chunk, most)
        except zlib.error:
            raise UnreadableBody from None


def _unpacker(encoding: str) -> _Plain | _Packed:
    match encoding.strip().lower():
        case "" | "identity":
            return _Plain()
        case "gzip" | "x-gzip" | "deflate":
            return _Packed()
    raise UnreadableBody
