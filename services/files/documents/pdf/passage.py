"""Passage search: where on a page a passage stands, whatever its lines, spaces and hyphens."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from services.files.documents.pdf.layout import Box
from services.files.documents.pdf.words import PdfWord, words_of

_SHORTEST = 3
"""Words of a piece that is marked by itself, where the whole passage is not found."""
_STEPS = (24, 8, 4)
_LONGEST_BEGINNING = 80
"""Letters; a longer passage may go on over the page's end."""
_MOST_PAGES = 400
_NOT_LETTERS = re.compile(r"[\W_]+")


def page_with(document: Any, passage: str) -> int | None:
    """Number of the first page with the beginning of a passage; None for none."""
    wanted = bare(passage)[:_LONGEST_BEGINNING]
    for number in range(1, min(len(document), _MOST_PAGES) + 1) if wanted else ():
        page = document[number - 1]
        textpage = page.get_textpage()
        found = wanted in bare(textpage.get_text_range())
        textpage.close()
        page.close()
        if found:
            return number
    return None


def passage_boxes(page: Any, passage: str) -> list[Box]:
    """A box for each line of the passage on the page, as the page is shown; none when it is not there."""
    textpage = page.get_textpage()
    words = [word for line in words_of(page, textpage).lines for word in line]
    textpage.close()
    letters, owners = _letters(words)
    found = _found_words(letters, owners, passage)
    return list(_lines([words[at].box for at in sorted(found)]))


def _found_words(letters: str, owners: Sequence[int], passage: str) -> set[int]:
    """Words of the page that belong to the passage: as a whole, else in the longest stretches that are there."""
    whole = bare(passage)
    for pieces in ([whole], *(_pieces(passage, step) for step in _STEPS)):
        found: set[int] = set()
        for piece in pieces:
            at = letters.find(piece) if piece else -1
            found |= set(owners[at : at + len(piece)]) if at >= 0 else set()
        if found:
            return found
    return set()


def _letters(words: Sequence[PdfWord]) -> tuple[str, list[int]]:
    """Letters and digits of the page alone, and of each the word in which it stands."""
    letters: list[str] = []
    owners: list[int] = []
    for at, word in enumerate(words):
        plain = bare(word.text)
        letters.append(plain)
        owners += [at] * len(plain)
    return "".join(letters), owners


def bare(text: str) -> str:
    """Letters and digits alone, in one case and one form."""
    return _NOT_LETTERS.sub("", unicodedata.normalize("NFKC", text).casefold())


def _pieces(passage: str, step: int) -> Iterator[str]:
    """Stretches of words of each line, since columns and tables part a passage."""
    for line in re.split(r"[\n\t|]+|(?<=[.!?])\s+", passage):
        words = line.split()
        for at in range(0, len(words), step):
            stretch = words[at : at + step]
            if len(stretch) >= _SHORTEST and (piece := bare(" ".join(stretch))):
                yield piece


def _lines(boxes: Sequence[Box]) -> Iterator[Box]:
    """Join the boxes of words that follow each other on one line."""
    current: Box | None = None
    for box in boxes:
        if current is not None and _is_same_line(current, box):
            current = current.joined(box)
        else:
            if current is not None:
                yield current
            current = box
    if current is not None:
        yield current


def _is_same_line(line: Box, box: Box) -> bool:
    gap = max(box.left - line.right, line.left - box.right)
    shared = min(line.bottom, box.bottom) - max(line.top, box.top)
    return shared > 0.5 * min(line.height, box.height) and gap < 2 * max(line.height, box.height)
