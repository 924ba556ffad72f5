"""Line of a Word file: pieces of words that are raised, lowered or struck, put together as text."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from services.files.documents.office.word_styles import PLAIN, Look
from services.safety.rich_text import notation


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a line with one look."""

    text: str
    look: Look = field(default=PLAIN)


def line_text(pieces: Iterable[Piece]) -> str:
    """Text of a line; pieces of one look are one, as "2" and "3" of a raised "23"."""
    found = ""
    for is_struck, run in groupby(filter(lambda piece: piece.text, pieces), lambda piece: bool(piece.look.is_struck)):
        words = _with_heights(run, found)
        found += notation.struck(words) if is_struck else words
    return found


def _with_heights(pieces: Iterable[Piece], before: str) -> str:
    found = ""
    for height, same in groupby(pieces, lambda piece: piece.look.height or ""):
        text = "".join(piece.text for piece in same)
        place = (before + found)[-8:] if len(found) < 8 else found[-8:]
        if height == "raised":
            text = notation.raised(text, place)
        elif height == "lowered":
            text = notation.lowered(text, place)
        found += text
    return found
