"""File in memory with its media type and its compressed forms: each made once, on a worker thread, and kept."""

import asyncio
import gzip
import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import PurePath

import brotli
from starlette.requests import Request
from starlette.responses import Response

IDENTITY = "identity"
CODINGS = ("br", "gzip")
"""What is offered, best first."""
FOREVER = "public, max-age=31536000, immutable"
"""For an address that changes with its content."""
FRESH = "no-cache"
"""For an address that stays: kept by the browser, and asked for each time."""
_QUALITY = 6
"""Of brotli, for what is compressed when it is first asked for: 9 % larger than with 11, in a fiftieth of the time."""
_COMPRESSED = ("text/", "application/json", "application/wasm", "image/svg+xml")
_TYPES = {
    ".css": "text/css",
    ".gif": "image/gif",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
}


class EncodedFile:
    """File that is answered in the coding that the client takes.

    read: its content. media_type: what is not worth compressing by its type stays as it is.
    br: the content as brotli, where it was compressed beforehand.
    """

    def __init__(self, read: Callable[[], bytes], *, media_type: str, br: bytes | None = None) -> None:
        self._media_type = media_type
        self._is_compressed = media_type.startswith(_COMPRESSED)
        self._makers: dict[str, Callable[[], bytes]] = {
            IDENTITY: read,
            "gzip": lambda: gzip.compress(self._bodies[IDENTITY], 6, mtime=0),
            "br": lambda: br or brotli.compress(self._bodies[IDENTITY], quality=_QUALITY),
        }
        self._bodies: dict[str, bytes] = {}
        self._tag = ""
        self._lock = asyncio.Lock()

    async def respond(self, request: Request, *, cache: str) -> Response:
        """Answer GET and HEAD: 304 when the client has this form already."""
        coding = choose_coding(request.headers.get("accept-encoding", "")) if self._is_compressed else IDENTITY
        body = await self._body(coding)
        headers = {"cache-control": cache, "etag": f'"{self._tag}-{coding}"'}
        if self._is_compressed:
            headers["vary"] = "accept-encoding"
        if coding != IDENTITY:
            headers["content-encoding"] = coding
        if _is_known(headers["etag"], request.headers.get("if-none-match", "")):
            headers.pop("content-encoding", None)
            return Response(status_code=304, headers=headers)
        return Response(body, media_type=self._media_type, headers=headers)

    async def _body(self, coding: str) -> bytes:
        if coding not in self._bodies:
            async with self._lock:
                for needed in (IDENTITY, coding):
                    if needed not in self._bodies:
                        self._bodies[needed] = await asyncio.to_thread(self._makers[needed])
                self._tag = self._tag or hashlib.sha256(self._bodies[IDENTITY]).hexdigest()[:16]
        return self._bodies[coding]


def joined_file(br: bytes, *, media_type: str) -> EncodedFile:
    """File that is stored as brotli alone."""
    return EncodedFile(partial(brotli.decompress, br), media_type=media_type, br=br)


def _is_known(tag: str, asked: str) -> bool:
    """`if-none-match` compares weakly (RFC 9110, section 13.1.2)."""
    return any(known.strip().removeprefix("W/") in (tag, "*") for known in asked.split(","))


def choose_coding(accepted: str) -> str:
    """The offered coding that the client weighs highest, else `identity`; among equals the better one.

    accepted: the header's value (RFC 9110, section 12.5.3); what cannot be read in it counts as not said.
    """
    weights = dict(filter(None, map(_weight, accepted.lower().split(","))))
    best = max(CODINGS, key=lambda coding: _of(weights, coding))
    return best if _of(weights, best) > 0 else IDENTITY


def _of(weights: dict[str, float], coding: str) -> float:
    return weights.get(coding, weights.get("*", 0.0))


def _weight(part: str) -> tuple[str, float] | None:
    coding, *parameters = (piece.strip() for piece in part.split(";"))
    weights = [parameter.partition("=")[2].strip() for parameter in parameters if parameter.startswith("q")]
    try:
        weight = float(weights[0]) if weights else 1.0
    except ValueError:
        return None
    return (coding, weight) if coding and 0 <= weight <= 1 else None


def media_type(name: str) -> str:
    """By the name's end; `application/octet-stream` for others."""
    return _TYPES.get(PurePath(name).suffix, "application/octet-stream")
