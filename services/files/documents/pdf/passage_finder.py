"""Passage search: where on a page a passage stands, whatever its lines, spaces and hyphens."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from services.files.documents.pdf.layout import Box
from services.files.documents.pdf.words import PdfWord, words_of

_SHORTEST = 3
"""Words of a piece that is marked by itself, where the whole passage is not found."""
_SHORTENED = " \u2026 "
"""Between the beginning and the end of a quotation, see `services.llm.citations.shorten_quote`."""
_LONGEST_GAP = 6_000
"""Letters between those two."""
_LINES = re.compile(r"[\n\t|\u2026]+|(?<=[.!?])\s+")
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
    """Words of the page that belong to the passage: as a whole, from its beginning to its end where it is shortened,
    else in the longest stretches of words that are there, since columns and tables part a passage.
    """
    begin, _, end = (bare(part) for part in passage.partition(_SHORTENED))
    start = letters.find(begin)
    stop = letters.find(end, start) if end else start
    if begin and 0 <= start <= stop <= start + _LONGEST_GAP:
        return set(owners[start : stop + len(end or begin)])
    found: set[int] = set()
    for line in _LINES.split(passage):
        found |= _found_stretches(letters, owners, line.split())
    return found


def _found_stretches(letters: str, owners: Sequence[int], words: Sequence[str]) -> set[int]:
    piece = bare(" ".join(words))
    at = letters.find(piece) if piece and len(words) >= _SHORTEST else -1
    if at >= 0:
        return set(owners[at : at + len(piece)])
    if len(words) < 2 * _SHORTEST:
        return set()
    middle = len(words) // 2
    halves = (words[:middle], words[middle:])
    return set().union(*(_found_stretches(letters, owners, half) for half in halves))


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
