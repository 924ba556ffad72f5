"""Media types of static files, the same on every machine."""

from pathlib import PurePath

_TYPES = {
    ".css": "text/css",
    ".gif": "image/gif",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
}


def media_type(name: str) -> str:
    """By the name's end; `application/octet-stream` for others."""
    return _TYPES.get(PurePath(name).suffix, "application/octet-stream")
