"""Running lines: headers, footers and page numbers that a document repeats are taken out of its pages."""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from services.files.documents.document import DocumentPage, PageBegin, UnreadPage
from services.files.documents.pdf.layout import TextRow

_AROUND = 4
"""Pages before and after that are compared with a page."""
_REPEATED = 3
"""Pages among those, its own among them, on which a line has to stand, digits apart."""
_EDGE = 0.12
"""Share of the page's height in which running lines stand, at the top and at the bottom."""
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(
    r"(?:(?:page|p\.|página|pág\.|seite|s\.|第)\s{0,20})?[-\u2013\u2014 ]{0,20}(\d{1,4})[-\u2013\u2014 ]{0,20}"
    r"(?:\s{0,20}(?:/|of|de|von|sur)\s{0,20}\d{1,4}|\s{0,20}页|\s{0,20}ページ)?",
    re.IGNORECASE,
)
_ROMAN = re.compile(r"[-\u2013\u2014 ]{0,20}[ivxl]{1,6}[-\u2013\u2014 ]{0,20}")
_MARGIN = 0.08
"""Share of the page's height in which a number that stands alone is the page's."""
_LONELY = 1.0
"""Line heights between such a number and the text, at least."""


@dataclass(frozen=True, slots=True)
class LaidOutPage:
    """Page with its rows in reading order. height: points. is_wide: landscape, as slides are.

    written: what readers wrote on it, in fields of its form or as comments.
    """

    page: DocumentPage
    rows: Sequence[TextRow]
    height: float
    is_wide: bool = False
    written: str = ""


def without_running_lines(
    pages: Iterable[LaidOutPage | PageBegin | UnreadPage],
) -> Iterator[LaidOutPage | PageBegin | UnreadPage]:
    """Pages without what their neighbours repeat; a printed page number that counts along becomes the label.

    Holds `2 * _AROUND + 1` pages at a time.
    """
    window: deque[LaidOutPage] = deque()
    at = 0
    for page in pages:
        if not isinstance(page, LaidOutPage):
            yield page
            continue
        window.append(page)
        if len(window) > _AROUND + at:
            yield _without(window[at], window)
            at += 1
            if at > _AROUND:
                window.popleft()
                at -= 1
    while at < len(window):
        yield _without(window[at], window)
        at += 1


def _without(laid_out: LaidOutPage, around: Sequence[LaidOutPage]) -> LaidOutPage:
    keys = Counter(key for page in around for key in {_key(row) for row in _edges(page)})
    running = [
        row
        for row in _edges(laid_out)
        if keys[_key(row)] >= _REPEATED or _is_own_number(row, laid_out) or _is_lone_number(row, laid_out)
    ]
    if not running:
        return laid_out
    label = laid_out.page.label or _printed_number(laid_out, around)
    rows = [row for row in laid_out.rows if row not in running]
    return replace(laid_out, rows=rows, page=replace(laid_out.page, label=label))


def _is_own_number(row: TextRow, laid_out: LaidOutPage) -> bool:
    found = _NUMBER.fullmatch(row.text.strip())
    return found is not None and int(found[1]) == laid_out.page.number


def _is_lone_number(row: TextRow, laid_out: LaidOutPage) -> bool:
    """Whether a row is nothing but a number in the page's margin, away from all text."""
    text, height = row.text.strip(), laid_out.height
    if not (_NUMBER.fullmatch(text) or _ROMAN.fullmatch(text)) or len(laid_out.rows) < 2:
        return False
    if _MARGIN * height < row.box.top and row.box.bottom < (1 - _MARGIN) * height:
        return False
    least = _LONELY * row.box.height
    others = (other.box for other in laid_out.rows if other is not row)
    return all(other.bottom + least <= row.box.top or row.box.bottom + least <= other.top for other in others)


def _key(row: TextRow) -> tuple[str, int]:
    return _DIGITS.sub("#", row.text.casefold()), round(row.box.top / 6)


def _edges(laid_out: LaidOutPage) -> list[TextRow]:
    """Rows at the top and the bottom. A slide's title stands at the top, and several slides may share one."""
    top = 0.0 if laid_out.is_wide else laid_out.height * _EDGE
    bottom = laid_out.height * (1 - _EDGE)
    return [row for row in laid_out.rows if row.box.bottom <= top or row.box.top >= bottom]


def _printed_number(laid_out: LaidOutPage, around: Sequence[LaidOutPage]) -> str:
    offsets = Counter(offset for page in around for offset in _offsets(page))
    counted = [offset for offset in _offsets(laid_out) if offset and offsets[offset] >= _REPEATED]
    return str(laid_out.page.number + counted[0]) if counted else ""


def _offsets(laid_out: LaidOutPage) -> set[int]:
    """By how much the numbers that stand alone at the page's edge differ from the page's place in the file."""
    segments = (segment.text for row in _edges(laid_out) for segment in row.segments)
    return {int(found[1]) - laid_out.page.number for text in segments if (found := _NUMBER.fullmatch(text.strip()))}
