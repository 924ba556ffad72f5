"""`Passage`: a stretch of a page that is ranked as one, where it stands in the page, and what stands around it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from services.materials.material import MaterialPage

LENGTH = 900
"""About so many characters make a passage, some 150 words: a slide is one, a printed page three or four."""
LONGEST = 1400
"""A passage is cut here even where no sentence ends."""
AROUND = 700
"""Characters before and after a passage, cut at the end of a sentence or a word."""
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE_END = re.compile(r"(?<=[.!?…:;])[\"”»)\]]*\s+|\n")


class PagePart(StrEnum):
    """Which text of a `MaterialPage` a passage is from."""

    TEXT = "text"
    NOTES = "notes"


@dataclass(frozen=True, kw_only=True)
class Passage:
    """Place of a passage: characters from `start` to `end` of a part of the page with this number.

    Both are 0 for a page without text, which can still be found by its number and label.
    """

    page: int
    part: PagePart = PagePart.TEXT
    start: int = 0
    end: int = 0

    def of(self, page: MaterialPage) -> str:
        """Cut the passage out of its page."""
        return part_text(page, self.part)[self.start : self.end]


def part_text(page: MaterialPage, part: PagePart) -> str:
    return page.text if part is PagePart.TEXT else page.notes


def split_passages(pages: Sequence[MaterialPage]) -> Iterator[Passage]:
    """Split pages into passages, at least one each, in their order; cut between paragraphs where there are any."""
    for page in pages:
        spans = [(part, *span) for part in PagePart for span in _spans(part_text(page, part))]
        for part, start, end in spans or [(PagePart.TEXT, 0, 0)]:
            yield Passage(page=page.number, part=part, start=start, end=end)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield passages of about `LENGTH` characters, without blanks at their ends."""
    start, length = 0, len(text)
    while start < length:
        end = length if length - start <= LONGEST else _cut(text, start)
        stripped = text[start:end].strip()
        if stripped:
            first = start + len(text[start:end]) - len(text[start:end].lstrip())
            yield first, first + len(stripped)
        start = end


def _cut(text: str, start: int) -> int:
    """Find the end of the passage that starts here: after a paragraph, else a sentence, else a word."""
    least, most = start + LENGTH // 2, start + LONGEST
    for ends in (_PARAGRAPH_END, _SENTENCE_END):
        found = [match.end() for match in ends.finditer(text, least, most)]
        if found:
            return min(found, key=lambda end: abs(end - start - LENGTH))
    space = text.rfind(" ", least, most)
    return space + 1 if space > 0 else most


def excerpt(page: MaterialPage, passage: Passage, around: int = AROUND) -> str:
    """Cut a passage with its neighbours out of the page, as an answer quotes it; "…" where the page goes on.

    "" for a page without text.
    """
    text = part_text(page, passage.part)
    first, last = max(0, passage.start - around), min(len(text), passage.end + around)
    if first:
        first = _after_space(text, first, passage.start)
    if last < len(text):
        space = text.rfind(" ", passage.end, last)
        last = space if space > 0 else passage.end
    return f"{'…' if first else ''}{text[first:last].strip()}{'…' if last < len(text) else ''}"


def _after_space(text: str, first: int, start: int) -> int:
    space = text.find(" ", first, start)
    return space + 1 if space >= 0 else start
