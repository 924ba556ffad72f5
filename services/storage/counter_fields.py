"""Names of counter fields that hold names within: "topic__courses". Every name fits, and none is taken for another."""

BETWEEN = "__"


def counter_name(kind: str, *parts: object) -> str:
    """Field of a counter. A dot would lead into an object, and a part with "__" into another counter."""
    return BETWEEN.join((kind, *(_fitting(str(part)) for part in parts)))


def counter_parts(field: str, kind: str) -> tuple[str, ...] | None:
    """What stands behind the kind in a field that `counter_name` made; None for a field of another kind."""
    first, *parts = field.split(BETWEEN)
    return tuple(_plain(part) for part in parts) if first == kind and parts else None


def _fitting(part: str) -> str:
    """The part with each letter that no field may hold as its number between hyphens, in hexadecimal digits."""
    return "".join(letter if letter.isascii() and letter.isalnum() else f"-{ord(letter):x}-" for letter in part)


def _plain(part: str) -> str:
    pieces = part.split("-")
    return "".join(piece if index % 2 == 0 else chr(int(piece, 16)) for index, piece in enumerate(pieces))
