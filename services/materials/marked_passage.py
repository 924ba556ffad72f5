"""Marked passage: where the words that an answer quotes stand in a page's text."""

from bisect import bisect_left
from collections.abc import Callable

FEWEST_LETTERS = 10
"""Letters of a passage's end that are marked although its beginning is not on the page."""
LONGEST_GAP = 6_000
"""Characters between the beginning and the end of a marked passage."""
_SIGNS = ".,;:!?…)]»”’\"'"
"""Signs that belong to the words before them."""


def marked_range(text: str, passage: str) -> tuple[int, int]:
    """Where the passage stands in the text (characters), whatever the case, blanks and signs between its letters.

    (0, 0) where it does not. A passage with "…" reaches from what stands before it to what stands behind; of either
    it is enough that the part which is next to the other is there.
    """
    first, _, last = (letters_of(part) for part in passage.partition(" … "))
    letters, places = letters_of(text), [at for at, letter in enumerate(text) if letter.isalnum()]
    begin, begun = _find_end(letters, first)
    end, ended = _find_beginning(letters, last, from_=begun)
    if begin == begun and end == ended:
        return 0, 0
    if begin == begun:
        begin = end
    stop = ended if begin < ended < begin + LONGEST_GAP and end < ended else begun
    after = places[stop - 1] + 1
    return places[begin], after + len(text[after : after + 4]) - len(text[after : after + 4].lstrip(_SIGNS))


def _find_end(letters: str, wanted: str) -> tuple[int, int]:
    """Place of the wanted letters, or of as many of their last ones as are there; (0, 0) for too few."""
    length = _longest(len(wanted), lambda length: wanted[-length:] in letters)
    at = letters.find(wanted[-length:]) if length else 0
    return at, at + length


def _find_beginning(letters: str, wanted: str, *, from_: int) -> tuple[int, int]:
    """Place of the wanted letters behind another place, or of as many of their first ones as are there."""
    length = _longest(len(wanted), lambda length: letters.find(wanted[:length], from_) >= 0)
    at = letters.find(wanted[:length], from_) if length else 0
    return at, at + length


def _longest(most: int, is_there: Callable[[int], bool]) -> int:
    """Largest number of letters that are there, 0 for fewer than `FEWEST_LETTERS` of more.

    What is longer is there only where each shorter part is, so few numbers have to be tried.
    """
    lengths = range(min(most, FEWEST_LETTERS), most + 1)
    there = bisect_left(lengths, True, key=lambda length: not is_there(length)) if most else 0
    return lengths[there - 1] if there else 0


def letters_of(text: str) -> str:
    """Letters and digits alone, one for each of the text: what was joined or cut by blanks and signs looks alike."""
    return "".join(letter.lower()[:1] for letter in text if letter.isalnum())
