"""Words of a PDF's page with their places, as the page is shown; and whether they are words of a language at all."""

import ctypes
import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from services.files.documents.pdf_layout import Box, Segment

_MOST_CHARACTERS = 60_000
_FORMS = re.compile("[\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]+")
"""Ligatures and the shapes that Arabic letters take within a word; each stands for plain letters."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LEFT_TO_RIGHT = re.compile(r"[0-9A-Za-z]+(?:[.,:/][0-9A-Za-z]+)*")
_VOWELS = re.compile("[aeiouyáéíóúäöüàèâêîôûåæøœ]", re.IGNORECASE)
_LATIN_WORD = re.compile(r"[a-zA-ZÀ-ÿ]{4,}")
_GAP, _WIDE_GAP = 0.8, 3.0
"""Line heights between two words from which they may be cells of a table or lines of two columns, and are."""
_UNEVEN = 2.5
"""Times the usual gap of its line from which a gap parts cells."""
_EVEN = 0.25
"""Line heights by which the gaps of a justified line may differ."""


@dataclass(slots=True)
class PdfWord:
    """Word on a page. at: the place of its first character in the page's text; length: how many it has there."""

    text: str = field(repr=False)
    box: Box
    at: int
    length: int


@dataclass(frozen=True, slots=True)
class PageWords:
    """Words by line, in the file's order. is_garbled: most glyphs have no letter to them, or make no words."""

    lines: list[list[PdfWord]]
    is_garbled: bool


def words_of(page: Any, textpage: Any) -> PageWords:
    """Words of a page, of its first `_MOST_CHARACTERS`."""
    from pypdfium2 import raw

    place = PagePlace(page)
    lines: list[list[PdfWord]] = [[]]
    lost = total = 0
    word = _OpenWord()
    rect = raw.FS_RECTF()
    pointer, handle = ctypes.byref(rect), textpage.raw
    unicode_of, box_of = raw.FPDFText_GetUnicode, raw.FPDFText_GetLooseCharBox
    for at in range(min(raw.FPDFText_CountChars(handle), _MOST_CHARACTERS)):
        code = unicode_of(handle, at)
        if code in (10, 13):
            word.end(lines[-1])
            if lines[-1]:
                lines.append([])
            continue
        sign = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
        if sign.isspace():
            word.end(lines[-1])
            continue
        total += 1
        if sign == "\x02":
            sign = "-"
        if sign == "\ufffd" or "\ue000" <= sign <= "\uf8ff" or sign < " ":
            lost += 1
        elif box_of(handle, at, pointer):
            left, top, right, bottom = place.shown(rect.left, rect.bottom, rect.right, rect.top)
            if word.is_left_by(left, top):
                word.end(lines[-1])
            word.add(sign, at, left, top, right, bottom)
    word.end(lines[-1])
    found = [_in_reading_order(line) for line in lines if line]
    return PageWords(found, _is_garbled(found, lost, total))


class _OpenWord:
    """Word whose characters are being read; its box as four numbers, since there are very many characters."""

    __slots__ = ("at", "bottom", "left", "lefts", "right", "signs", "top")

    def __init__(self) -> None:
        self.signs: list[str] = []
        self.lefts: list[float] = []
        self.at = 0
        self.left = self.top = self.right = self.bottom = 0.0

    def is_left_by(self, left: float, top: float) -> bool:
        """Whether the next character is too far from this word to belong to it."""
        height = self.bottom - self.top
        return bool(self.signs) and (abs(top - self.top) > height or left - self.right > height)

    def add(self, sign: str, at: int, left: float, top: float, right: float, bottom: float) -> None:
        if not self.signs:
            self.at, self.left, self.top, self.right, self.bottom = at, left, top, right, bottom
        else:
            if left < self.left:
                self.left = left
            if top < self.top:
                self.top = top
            if right > self.right:
                self.right = right
            if bottom > self.bottom:
                self.bottom = bottom
        self.signs.append(sign)
        self.lefts.append(left)

    def end(self, line: list[PdfWord]) -> None:
        if not self.signs:
            return
        text = "".join(self.signs)
        if not text.isascii():
            text = _plain_letters(text, self.lefts)
        box = Box(self.left, self.top, self.right, self.bottom)
        line.append(PdfWord(text, box, self.at, len(self.signs)))
        self.signs, self.lefts = [], []


def _plain_letters(text: str, lefts: Sequence[float]) -> str:
    """The word in letters that a keyboard has, in reading order (PDFium may leave Arabic as it is drawn)."""
    if _RIGHT_TO_LEFT.search(text):
        rises = sum(b > a for a, b in pairwise(lefts))
        if rises > (len(lefts) - 1) // 2:
            text = _LEFT_TO_RIGHT.sub(lambda found: found[0][::-1], text)[::-1]
    return _FORMS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def _in_reading_order(line: list[PdfWord]) -> list[PdfWord]:
    """A line of a script from right to left, its words turned round where the file has them as they are drawn."""
    rtl = sum(_RIGHT_TO_LEFT.search(word.text) is not None for word in line)
    if len(line) < 2 or rtl <= len(line) // 2:
        return line
    rises = sum(b.box.left > a.box.left for a, b in pairwise(line))
    return line[::-1] if rises > (len(line) - 1) // 2 else line


def _is_garbled(lines: list[list[PdfWord]], lost: int, total: int) -> bool:
    if total and lost > 0.3 * total:
        return True
    words = [word for line in lines for piece in line for word in _LATIN_WORD.findall(piece.text)]
    return len(words) >= 20 and sum(_VOWELS.search(word) is None for word in words) > 0.5 * len(words)


def segments_of(lines: Sequence[Sequence[PdfWord]]) -> Iterator[Segment]:
    """Segments of lines: parted where a gap is wide, and uneven or in line with one of another line."""
    edges = Counter(edge for line in lines for edge in {_edge(b) for a, b in pairwise(line) if _gap(a, b) > _GAP})
    for line in lines:
        gaps = [_gap(a, b) for a, b in pairwise(line)]
        usual = statistics.median(gaps) if gaps else 0.0
        is_justified = len(gaps) > 2 and max(gaps) - min(gaps) < _EVEN
        group = [line[0]]
        for gap, word in zip(gaps, line[1:], strict=True):
            is_parted = gap > _WIDE_GAP or gap > _UNEVEN * usual or edges[_edge(word)] > 1
            if (gap > _GAP and is_parted and not is_justified) or _is_other_line(group[-1], word):
                yield _segment(group)
                group = []
            group.append(word)
        yield _segment(group)


def _edge(word: PdfWord) -> int:
    return round(word.box.left / 2)


def _gap(before: PdfWord, after: PdfWord) -> float:
    """Space between two words, in line heights."""
    gap = max(after.box.left - before.box.right, before.box.left - after.box.right)
    return gap / max(before.box.height, after.box.height, 1.0)


def _is_other_line(before: PdfWord, after: PdfWord) -> bool:
    return abs(after.box.top - before.box.top) > 1.2 * max(before.box.height, after.box.height, 1.0)


def _segment(words: Sequence[PdfWord]) -> Segment:
    box = words[0].box
    for word in words[1:]:
        box = box.joined(word.box)
    return Segment(" ".join(word.text for word in words), box)


class PagePlace:
    """Places on the page as it is shown: turned as it says, from its upper left corner."""

    def __init__(self, page: Any) -> None:
        self._turns = page.get_rotation() // 90 % 4
        left, bottom, right, top = page.get_bbox()
        self._left, self._bottom, self._width, self._height = left, bottom, right - left, top - bottom

    def shown(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """Left, top, right and bottom as shown, from what the file says."""
        left, right = left - self._left, right - self._left
        bottom, top = bottom - self._bottom, top - self._bottom
        if self._turns == 0:
            return left, self._height - top, right, self._height - bottom
        if self._turns == 1:
            return bottom, left, top, right
        if self._turns == 2:
            return self._width - right, bottom, self._width - left, top
        return self._height - top, self._width - right, self._height - bottom, self._width - left
