"""How JSON documents are written in BSON, and read back the same."""

from datetime import datetime
from typing import Any

from bson.int64 import Int64

from services.runtime.clock import moment
from services.storage.documents import Collection, Document

TTL_FIELD = "_expires"
"""The expiry once more as a BSON date, which is what MongoDB's own sweeper understands."""

_LARGE = "%int"
_ESCAPES = (("%", "%25"), (".", "%2E"), ("$", "%24"), ("\0", "%00"))


def pack(document: Document, collection: Collection) -> dict[str, Any]:
    """A document (or some of its fields) as MongoDB keeps it.

    Keys that the database reads as paths or operators are written with % escapes; integers beyond 64 bits as text.
    """
    packed = {"_id" if name == "id" else name: _written(value) for name, value in document.items()}
    if collection.expires in document:
        packed[TTL_FIELD] = _date(document[collection.expires])
    return packed


def unpack(kept: dict[str, Any]) -> Document:
    fields = {name: _read(value) for name, value in kept.items() if name not in ("_id", TTL_FIELD)}
    return {"id": kept["_id"], **fields}


def _written(value: Any) -> Any:
    if isinstance(value, dict):
        return {_escaped(name): _written(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_written(inner) for inner in value]
    is_large = isinstance(value, int) and not -(2**63) <= value < 2**63
    return {_LARGE: str(value)} if is_large else value


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {_LARGE}:
            return int(value[_LARGE])
        return {_unescaped(name): _read(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_read(inner) for inner in value]
    return int(value) if isinstance(value, Int64) else value


def _escaped(name: str) -> str:
    for plain, written in _ESCAPES:
        name = name.replace(plain, written)
    return name


def _unescaped(name: str) -> str:
    for plain, written in reversed(_ESCAPES):
        name = name.replace(written, plain)
    return name


def _date(stamp: Any) -> datetime | None:
    return moment(stamp) if isinstance(stamp, str) else None
