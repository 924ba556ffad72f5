"""The parts of a text by its Markdown headings, and how long each is."""

import re
from dataclasses import dataclass, field

_HEADING = re.compile(r"(#{1,6})\s+(.*\S)\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True, kw_only=True)
class Section:
    """level: 1 to 6, 0 for what stands before the first heading. start: of its first character in the whole text."""

    title: str
    level: int
    start: int
    text: str = field(repr=False)

    @property
    def words(self) -> int:
        return count_words(self.text)


def sections(markdown: str) -> list[Section]:
    """The parts of a text in their order, each with what stands under its own heading."""
    marks = [(0, 0, 0, "")]
    at, is_code = 0, False
    for line in markdown.splitlines(keepends=True):
        is_code = is_code != bool(_FENCE.match(line))
        heading = None if is_code else _HEADING.match(line.rstrip("\n"))
        if heading:
            marks.append((at, at + len(line), len(heading[1]), heading[2]))
        at += len(line)
    ends = [start for start, *_ in marks[1:]] + [len(markdown)]
    found = [
        Section(title=title, level=level, start=start, text=markdown[body:end])
        for (start, body, level, title), end in zip(marks, ends, strict=True)
    ]
    return [section for section in found if section.level or section.text.strip()]


def count_words(text: str) -> int:
    """Words as a person counts them: letters and digits, with apostrophes and hyphens inside."""
    return len(re.findall(r"\w+(?:['’-]\w+)*", text))


def opening(text: str, words: int) -> str:
    """The beginning of a text on one line, cut after so many words."""
    found = text.split()
    return " ".join(found[:words]) + (" …" if len(found) > words else "")
