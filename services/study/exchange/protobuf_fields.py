"""Fields of a protobuf message by their numbers, for the few that Anki's packages are read for.

Source: https://protobuf.dev/programming-guides/encoding/
"""

from collections.abc import Iterator

_VARINT, _FIXED_64, _BYTES, _FIXED_32 = 0, 1, 2, 5


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(number, value) of each field: an int of a varint, else bytes. Raises `ValueError` for what is no message."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield number, value
            continue
        if kind == _BYTES:
            size, at = _varint(message, at)
        elif kind in (_FIXED_64, _FIXED_32):
            size = 8 if kind == _FIXED_64 else 4
        else:
            raise ValueError("no such kind of field")
        if at + size > len(message):
            raise ValueError("cut off")
        yield number, message[at : at + size]
        at += size


def text_of(message: bytes, number: int) -> str:
    """The text of a field; "" without one."""
    found = next((value for key, value in fields(message) if key == number and isinstance(value, bytes)), b"")
    return found.decode("utf-8", "replace")


def varint_of(message: bytes, number: int) -> int:
    """The number of a field; 0 without one."""
    return next((value for key, value in fields(message) if key == number and isinstance(value, int)), 0)


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(message) or shift > 63:
            raise ValueError("cut off")
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
