"""`FetchedPage`: the answer of an address: its body, unpacked up to a limit, and its text in the right encoding."""

import codecs
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from services.safety.fetch.sockets import AnswerOverLimit

_DECLARED = re.compile(
    rb"""<(?:meta[^>]{0,200}?charset|\?xml[^>]{0,200}?encoding)\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I
)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# What pages mean when they say so (WHATWG Encoding, 4.2).
_MEANT = {"iso8859-1": "cp1252", "ascii": "cp1252", "latin_1": "cp1252"}
_LOOKED_AT = 2_048
ACCEPTED = "gzip, deflate"


@dataclass(frozen=True, kw_only=True)
class FetchedPage:
    """Answer of an address, whatever its status.

    url: where it came from in the end. asked: the address that was asked for. media_type: lower case, "" when unsaid.
    charset: as the header says. headers: lower-case names. hops: the addresses that sent us on, first one `asked`.
    is_cut: the body is only the beginning, because the caller asked for no more than that.
    """

    url: str
    asked: str
    status: int
    media_type: str
    charset: str | None
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    hops: tuple[str, ...] = ()
    is_cut: bool = False

    @property
    def is_good(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The body as text: by its byte order mark, its header, its own declaration, as UTF-8, else as Windows-1252."""
        for mark, name in _MARKS:
            if self.body.startswith(mark):
                return self.body[len(mark) :].decode(name, "replace")
        declared = _DECLARED.search(self.body[:_LOOKED_AT])
        said = _codec(self.charset) or (_codec(declared[1].decode("ascii")) if declared else None)
        if said not in (None, "utf-8"):
            return self.body.decode(said or "", "replace")
        try:
            return self.body.decode("utf-8", "strict" if not (self.is_cut or said) else "replace")
        except UnicodeDecodeError:
            return self.body.decode("cp1252", "replace")


def _codec(label: str | None) -> str | None:
    """Python's name of a text encoding; None for what is unknown, and for codecs that do not decode text."""
    try:
        found = codecs.lookup(label or "")
    except LookupError:
        return None
    if not getattr(found, "_is_text_encoding", True):
        return None
    return _MEANT.get(found.name, found.name)


class UnreadableBody(Exception):
    """The body is compressed in a way that was not asked for, or not as it says, or it breaks off."""


def read_body(chunks: Iterable[bytes], *, encoding: str, limit_bytes: int, cut: bool) -> tuple[bytes, bool]:
    """The unpacked body, and whether it was cut at the limit; without `cut`, a longer one raises `AnswerOverLimit`."""
    body, unpack = bytearray(), _unpacker(encoding)
    for chunk in chunks:
        body += unpack(chunk, limit_bytes + 1 - len(body))
        if len(body) > limit_bytes:
            if not cut:
                raise AnswerOverLimit
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
