"""Blocks of a page's text as a screen draws them: headings, lists, code and tables, with a marked passage."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

SHORTEST_WRAPPED = 45
"""Characters of a line that may be cut by its width."""
_BULLET = re.compile(r"[ \t]*[•◦▪‣·*–-][ \t]+(?=\S)")
_HEADING = re.compile(r"#{1,6} +(?=\S)")
_CELLS = re.compile(r" {0,3}\| (.*)\|[ \t]*$")
_RULE = re.compile(r"\|[ :|-]+\|")
_FENCE = re.compile(r" {0,3}(?:`{3}|~{3})")

Parts = list[tuple[str, bool]]
"""Pieces of a line, each with whether it is marked."""


def text_blocks(
    text: str, marked: tuple[int, int] = (0, 0), *, is_wrapped: bool = False
) -> Iterator[Mapping[str, Any]]:
    """Blocks of a page's text, as `services.files.documents` writes it: headings, paragraphs, lists, fenced code,
    and tables, whose cells are parted by tabs or stand between bars. Words stay words.

    is_wrapped: a line may be cut by its width, as in a text that was wrapped by hand; else each is a paragraph.
    """
    group: list[Any] = []
    kind = before = ""
    at = 0
    drawn: list[Any] | None
    for line in text.split("\n"):
        if _FENCE.match(line):
            found, drawn = ("", []) if kind == "code" else ("code", None)
        elif kind == "code":
            found, drawn = "code", _parts(line, at, marked)
        else:
            found, drawn = _line(line, at, marked)
        if group and found != kind:
            yield {"kind": kind, "lines": group}
            group = []
        if is_wrapped and found == "text" and group and drawn and _goes_on(before):
            group[-1] = [*group[-1], (" ", False), *drawn]
        elif found and drawn is not None:
            group.append(drawn)
        kind, before = found, line
        at += len(line) + 1
    if group:
        yield {"kind": kind, "lines": group}


def _goes_on(line: str) -> bool:
    """Whether a line is cut in the middle of a sentence."""
    return len(line) >= SHORTEST_WRAPPED and line.rstrip()[-1:] not in ".:!?;…”»"


def _line(line: str, at: int, marked: tuple[int, int]) -> tuple[str, Any]:
    """Kind of a line, "" for an empty one, and its parts; those of each cell for a table."""
    if not line.strip():
        return "", []
    if heading := _HEADING.match(line):
        return "heading", _parts(line[heading.end() :], at + heading.end(), marked)
    if _RULE.fullmatch(line.strip()):
        return "table", None
    if (cells := _CELLS.match(line)) and " | " in cells[1]:
        inner = cells[1].removesuffix(" ")
        return "table", _cells(inner if " | " in inner else cells[1], at + cells.start(1), " | ", marked)
    if "\t" in line.strip():
        return "table", _cells(line, at, "\t", marked)
    if bullet := _BULLET.match(line):
        return "list", _parts(line[bullet.end() :], at + bullet.end(), marked)
    return "text", _parts(line, at, marked)


def _cells(line: str, at: int, separator: str, marked: tuple[int, int]) -> list[Parts]:
    row = []
    for cell in line.split(separator):
        row.append(_parts(cell, at, marked))
        at += len(cell) + len(separator)
    return row


def _parts(words: str, at: int, marked: tuple[int, int]) -> Parts:
    """Words from `at` on, cut where the mark begins and ends."""
    begin, end = (min(max(edge - at, 0), len(words)) for edge in marked)
    cut = ((words[:begin], False), (words[begin:end], True), (words[end:], False))
    return [(piece, is_marked) for piece, is_marked in cut if piece]
