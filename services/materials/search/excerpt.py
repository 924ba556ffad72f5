"""Excerpt: a passage with its neighbours on the page, as an answer quotes it."""

from services.materials.material import MaterialPage
from services.materials.search.passages import Passage, part_text

AROUND = 700
"""Characters before and after a passage, cut at the end of a sentence or a word."""


def excerpt(page: MaterialPage, passage: Passage, around: int = AROUND) -> str:
    """Cut a passage with its neighbours out of the page; "…" where the page goes on. "" for a page without text."""
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
