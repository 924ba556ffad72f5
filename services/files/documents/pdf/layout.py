"""Page layout: words with their places become lines, rows of cells, columns in reading order, and paragraphs."""

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from services.files.documents.pdf.hyphens import SeenWords, is_broken, is_unspaced

_CLOSE = 0.6
"""Line heights between two segments from which they are cells."""
_MOST_CUTS = 40
_PAIRS_OF_COLUMNS = 5
_WORDY = 18
"""Characters from which the halves of a row are taken for lines of two columns, not for cells of a table."""
_INDENT = 0.7
"""Line heights by which the first line of a paragraph stands further in."""
_BULLET = re.compile(r"[•▪◦‣●○■□–—*-]\s|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]\s")
LONGEST_LABEL = 120
_WORD = re.compile(r"[^\W\d_]{3,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_LEAST_LETTERS = 0.6
"""Of a heading's signs; lines with fewer are formulas."""


@dataclass(frozen=True, slots=True)
class Box:
    """Rectangle in points from the page's upper left corner, as it is shown."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def joined(self, other: "Box") -> "Box":
        """The smallest rectangle around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def holds_middle_of(self, other: "Box") -> bool:
        across, down = (other.left + other.right) / 2, (other.top + other.bottom) / 2
        return self.left <= across <= self.right and self.top <= down <= self.bottom


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of one line without a wide gap: a line of a column, or a cell of a table."""

    text: str = field(repr=False)
    box: Box
    size: float = 0.0
    """Height of its longest word."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """Segments side by side."""

    segments: tuple[Segment, ...]
    box: Box

    @property
    def height(self) -> float:
        """Height of its letters, whatever else stands beside them raised or lowered."""
        longest = max(self.segments, key=lambda segment: len(segment.text))
        return longest.size or longest.box.height

    @property
    def text(self) -> str:
        """Its segments, parted by tabs; by a space where they are close, as a word with a raised one after it."""
        text = self.segments[0].text
        for before, after in pairwise(self.segments):
            gap = max(after.box.left - before.box.right, before.box.left - after.box.right)
            text += ("\t" if gap > _CLOSE * max(before.box.height, after.box.height) else " ") + after.text
        return text


def rows_in_order(segments: Sequence[Segment]) -> list[TextRow]:
    """Rows in reading order: the file's own order where that can be one, else by columns and from top to bottom."""
    rows = _rows(segments)
    return _rows(_cut(list(segments), _MOST_CUTS)) if _is_jumbled(rows) else rows


def _rows(segments: Sequence[Segment]) -> list[TextRow]:
    found: list[list[Segment]] = []
    for segment in segments:
        if found and _is_beside(found[-1][-1].box, segment.box):
            found[-1].append(segment)
        else:
            found.append([segment])
    return [_row(row) for row in found]


def _row(segments: list[Segment]) -> TextRow:
    box = segments[0].box
    for segment in segments[1:]:
        box = box.joined(segment.box)
    return TextRow(tuple(segments), box)


def _is_beside(box: Box, other: Box) -> bool:
    shared = min(box.bottom, other.bottom) - max(box.top, other.top)
    is_apart = other.left >= box.right - 1 or other.right <= box.left + 1
    return is_apart and shared > 0.5 * min(box.height, other.height)


def _is_jumbled(rows: Sequence[TextRow]) -> bool:
    """Whether the file's order climbs the page within a column, or runs across two columns of prose."""
    pairs = sum(len(row.segments) == 2 and min(len(s.text) for s in row.segments) >= _WORDY for row in rows)
    if pairs >= _PAIRS_OF_COLUMNS:
        return True
    climbs = sum(_climbs(above.box, below.box) for above, below in pairwise(rows))
    return climbs > 2 and climbs > len(rows) // 10


def _climbs(earlier: Box, later: Box) -> bool:
    shared = min(earlier.right, later.right) - max(earlier.left, later.left)
    return later.bottom < earlier.top - earlier.height and shared > 0


def _cut(segments: list[Segment], cuts: int) -> list[Segment]:
    """Cut a page at its gutters and at its gaps in turn (recursive X-Y cut, Nagy and Seth 1984)."""
    if len(segments) < 4 or cuts == 0:
        return _downwards(segments)
    if halves := _split_at_gutter(segments):
        return [segment for half in halves for segment in _cut(half, cuts - 1)]
    if bands := _split_at_gap(segments):
        return [segment for band in bands for segment in _cut(band, cuts - 1)]
    return _downwards(segments)


def _downwards(segments: list[Segment]) -> list[Segment]:
    """Sort by line and then from left to right; a line is as high as its first segment."""
    found: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: segment.box.top):
        if found and _is_beside_or_under(found[-1][0].box, segment.box):
            found[-1].append(segment)
        else:
            found.append([segment])
    return [segment for line in found for segment in sorted(line, key=lambda segment: segment.box.left)]


def _is_beside_or_under(first: Box, other: Box) -> bool:
    return min(first.bottom, other.bottom) - max(first.top, other.top) > 0.5 * min(first.height, other.height)


def _split_at_gutter(segments: list[Segment]) -> list[list[Segment]] | None:
    """Halves to the left and right of the widest empty strip, where both are prose."""
    height = statistics.median(segment.box.height for segment in segments)
    strip = _widest_strip([(s.box.left, s.box.right) for s in segments], at_least=height)
    if strip is None:
        return None
    halves = [[s for s in segments if s.box.right <= strip], [s for s in segments if s.box.right > strip]]
    is_prose = all(len(half) >= 3 and statistics.mean(len(s.text) for s in half) >= _WORDY for half in halves)
    return halves if is_prose else None


def _split_at_gap(segments: list[Segment]) -> list[list[Segment]] | None:
    gap = _widest_strip([(s.box.top, s.box.bottom) for s in segments], at_least=1)
    if gap is None:
        return None
    return [[s for s in segments if s.box.bottom <= gap], [s for s in segments if s.box.bottom > gap]]


def _widest_strip(spans: Sequence[tuple[float, float]], *, at_least: float) -> float | None:
    """Where the widest strip begins that no span crosses; None when the widest is narrower than `at_least`."""
    widest, begins = at_least, None
    ordered = sorted(spans)
    reach = ordered[0][1]
    for start, end in ordered[1:]:
        if start - reach >= widest:
            widest, begins = start - reach, reach
        reach = max(reach, end)
    return begins


def paragraphs(rows: Sequence[TextRow], words: SeenWords | None = None) -> str:
    """Text of rows: lines of a paragraph joined, words cut at a line's end put together, cells parted by tabs.

    words: those of the pages before, which tell what belongs together.
    """
    if not rows:
        return ""
    words = words or SeenWords()
    words.add(row.text for row in rows)
    written = [rows[0].text]
    for at, (above, row) in enumerate(pairwise(rows)):
        gap = row.box.top - above.box.bottom
        height = max(1.0, min(above.box.height, row.box.height))
        if _continues(rows, at, gap / height):
            written.append(words.joined(written.pop(), row.text))
        else:
            if not -height < gap < 0.9 * height:
                written.append("")
            written.append(row.text)
    return "\n".join(written)


def _continues(rows: Sequence[TextRow], at: int, gap: float) -> bool:
    above, row = rows[at], rows[at + 1]
    if len(above.segments) > 1 or len(row.segments) > 1 or not -0.6 < gap < 0.9 or _BULLET.match(row.text):
        return False
    if not 0.85 < row.height / max(1.0, above.height) < 1.18:
        return False
    if is_broken(above.text, row.text):
        return True
    if row.box.left - above.box.left > _INDENT * row.height and not _BULLET.match(above.text):
        return False
    column = [other.box.right for other in rows[max(0, at - 4) : at + 6] if _shares(other.box, above.box)]
    return above.box.right - above.box.left >= 0.8 * (max(column) - above.box.left) and len(above.text) > (
        _WORDY // 2 if is_unspaced(above.text, row.text) else _WORDY
    )


def _shares(box: Box, other: Box) -> bool:
    return min(box.right, other.right) - max(box.left, other.left) > 0


def heading(rows: Sequence[TextRow]) -> str:
    """The largest line in the upper half, where it is larger than the text; "" for none."""
    if not rows:
        return ""
    usual = statistics.median(row.height for row in rows)
    middle = (min(row.box.top for row in rows) + max(row.box.bottom for row in rows)) / 2
    upper = [(row.height, -at) for at, row in enumerate(rows) if row.box.top <= middle and _is_wordy(row.text)]
    if not upper:
        return ""
    height, place = max(upper)
    if height < 1.2 * usual and len(rows) > 1:
        return ""
    at = -place
    title = rows[at].text
    if at + 1 < len(rows) and abs(rows[at + 1].height - height) < 0.05 * height and _is_wordy(rows[at + 1].text):
        title += f" {rows[at + 1].text}"
    return " ".join(title.split())[:LONGEST_LABEL]


def _is_wordy(text: str) -> bool:
    """Whether a line is made of words, and is no formula."""
    signs = [sign for sign in text if not sign.isspace()]
    letters = sum(sign.isalnum() for sign in signs)
    return bool(_WORD.search(text)) and letters >= _LEAST_LETTERS * len(signs)
