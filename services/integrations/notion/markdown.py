"""Comparing Markdown that we wrote with the same text as Notion gives it back, and finding what was put in."""

import hashlib
import re

CHILD_TAG = re.compile(r"<(page|database|unknown)\b")


def hash_of(markdown: str) -> str:
    return hashlib.sha256(markdown.encode()).hexdigest()


def own_lines(markdown: str) -> list[str]:
    """A page's own text without what Notion writes differently than it reads, and without the tags of pages inside.

    Different are empty lines, indents, bullets and escapes; where the tags stand in the text differs too.
    """
    lines = (re.sub(r"\\(?=[^\w\s])", "", text).strip() for text in markdown.splitlines())
    own = (" ".join(text.split()) for text in lines if text and not CHILD_TAG.match(text))
    return [re.sub(r"^[*+] ", "- ", text) for text in own]


def ends_with(markdown: str, addition: str) -> bool:
    """Whether a page's own text ends with what was to be added."""
    whole, end = own_lines(markdown), own_lines(addition)
    return whole[len(whole) - len(end) :] == end


def insertion(before: str, after: str) -> slice | None:
    """Where `after` holds what `before` lacks, when it is `before` with one piece put in; None when it is not."""
    if len(after) <= len(before):
        return None
    start = next((i for i, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(before))
    rest = len(before) - start
    return slice(start, len(after) - rest) if after.endswith(before[start:]) else None


def unique_piece(text: str, start: int, end: int) -> slice:
    """A piece that holds text[start:end] and stands in the text only once: whole lines are taken along in front."""
    while text.count(text[start:end]) > 1 and start > 0:
        start = text.rfind("\n", 0, start - 1) + 1
    return slice(start, end) if text.count(text[start:end]) == 1 else slice(0, len(text))
