"""Page of a course material as the reader shows it: its facts in the student's language, and its text in blocks."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n import formats, gettext, gettext_noop
from services.identity.students import Student
from services.materials.material import Material, MaterialKind, MaterialPage, PageUnit
from services.materials.results import MaterialPages
from services.safety.text import one_line

UNIT_NAMES = {
    PageUnit.PAGE: gettext_noop("Page"),
    PageUnit.SLIDE: gettext_noop("Slide"),
    PageUnit.SECTION: gettext_noop("Section"),
}
PLACES = {
    PageUnit.PAGE: gettext_noop("“{title}”, page {n}"),
    PageUnit.SLIDE: gettext_noop("“{title}”, slide {n}"),
    PageUnit.SECTION: gettext_noop("“{title}”, section {n}"),
}
LONGEST_TITLE = 120
FEWEST_LETTERS = 10
"""Letters of a passage's end that are marked although its beginning is not on the page."""
LONGEST_GAP = 6_000
"""Characters between the beginning and the end of a marked passage."""
SHORTEST_WRAPPED = 45
"""Characters of a line that may be cut by its width."""
_BULLET = re.compile(r"[ \t]*[•◦▪‣·*–-][ \t]+(?=\S)")
_HEADING = re.compile(r"#{1,6} +(?=\S)")
_CELLS = re.compile(r" {0,3}\| ((?:(?!\|$).)* \| .*?) ?\|[ \t]*$")
_SIGNS = ".,;:!?…)]»”’\"'"
"""Signs that belong to the words before them."""
_RULE = re.compile(r"\|[ :|-]+\|")
_FENCE = re.compile(r" {0,3}(?:`{3}|~{3})")

Parts = list[tuple[str, bool]]
"""Pieces of a line, each with whether it is marked."""


def reader_page(found: MaterialPages, number: int, passage: str, student: Student, *, course: str) -> Mapping[str, Any]:
    """The page as JSON. number: the one that was asked for; where there is no such page, `page` is None.

    passage: words to mark, as `services.llm.citations.shorten_quote` shortens them. course: name of the course.
    """
    material = found.material
    page = next((page for page in found.pages if page.number == number), None)
    return {
        "title": material.title,
        "course": course,
        "module": material.module,
        "dated": _day(material, student),
        "url": material.url,
        "url_label": open_label(material),
        "unit": gettext(UNIT_NAMES[found.unit]),
        "is_slide": found.unit is PageUnit.SLIDE,
        "count": found.count,
        "has_pictures": found.has_pictures,
        "is_live": found.is_live,
        "as_of": formats.moment(found.as_of.astimezone(ZoneInfo(student.timezone)), ZoneInfo(student.timezone)),
        "notes": list(found.notes),
        "place": _place(found, number),
        "page": None if page is None else _page(page, passage, is_wrapped=found.unit is PageUnit.SECTION),
    }


def _page(page: MaterialPage, passage: str, *, is_wrapped: bool) -> Mapping[str, Any]:
    marked = marked_range(page.text, passage)
    return {
        "number": page.number,
        # In full, for the page's picture.
        "passage": page.text[slice(*marked)] or passage,
        # Most texts begin with their own heading.
        "label": "" if _letters(page.text).startswith(_letters(page.label)) else page.label,
        "blocks": list(text_blocks(page.text, marked, is_wrapped=is_wrapped)),
        "speaker_notes": list(text_blocks(page.notes, marked_range(page.notes, passage))),
        "is_blank": page.is_blank,
    }


def _place(found: MaterialPages, number: int) -> str:
    """The page in the middle of a sentence; of a material with one page its title says it all."""
    title = one_line(found.material.title, LONGEST_TITLE)
    if found.count < 2:
        return gettext("“{title}”", title=title)
    return gettext(PLACES[found.unit], title=title, n=number)


def _day(material: Material, student: Student) -> str:
    if material.dated_at is None:
        return ""
    return formats.pattern(material.dated_at.astimezone(ZoneInfo(student.timezone)).date(), "d MMM y")


def open_label(material: Material) -> str:
    """Words for the link to the original; "" for none."""
    if material.kind is MaterialKind.UPLOAD or not material.url:
        return ""
    return gettext("Open the link") if material.kind is MaterialKind.LINK else gettext("Open in Canvas")


def marked_range(text: str, passage: str) -> tuple[int, int]:
    """Where the passage stands in the text (characters), whatever the case, blanks and signs between its letters.

    (0, 0) where it does not. A passage with "…" reaches from what stands before it to what stands behind; of either
    it is enough that the part which is next to the other is there.
    """
    first, _, last = (_letters(part) for part in passage.partition(" … "))
    letters, places = _letters(text), [at for at, letter in enumerate(text) if letter.isalnum()]
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


def _letters(text: str) -> str:
    """Letters and digits alone, one for each of the text: what was joined or cut by blanks and signs looks alike."""
    return "".join(letter.lower()[:1] for letter in text if letter.isalnum())


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
    if cells := _CELLS.match(line):
        return "table", _cells(cells[1], at + cells.start(1), " | ", marked)
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
