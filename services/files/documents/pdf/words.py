"""Words of a PDF's page with their places, as the page is shown; and whether they are words of a language at all."""

import ctypes
import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import Any

from services.files.documents.pdf.hyphens import is_unspaced
from services.files.documents.pdf.layout import Box, Segment
from services.files.documents.pdf.origins import Origins

_MOST_CHARACTERS = 60_000
_HYPHEN = 2
"""What PDFium gives for a hyphen at the end of a line, and for that end with it."""
_LINE_ENDS = (10, 13, _HYPHEN)
_SPACES = frozenset((0x85, 0xA0, 0x1680, *range(0x2000, 0x200C), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000))
_LOST = "\ufffd"
_WITHOUT_LETTER = frozenset((_LOST, "\x7f"))
_FORMS = re.compile("[\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]+")
"""Ligatures and the shapes that Arabic letters take within a word; each stands for plain letters."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LEFT_TO_RIGHT = re.compile(r"[0-9A-Za-z]+(?:[.,:/][0-9A-Za-z]+)*")
_ODD_SIGNS = '!"#$%&*<>?@'
"""What letters of a font without a table come out as; not even program code is made of these."""
_LIGATURES = {code: chr(0xFB00 + code - first) for first in (0x0B, 0x1B) for code in range(first, first + 5)}
"""Ligatures (ff, fi, fl, ffi, ffl) at the places where fonts of TeX keep them, old ones and those of Cork's table."""
_LONGEST_POWER = 40
_SMALL_LETTERS = re.compile("[\u00b2\u00b3\u00b9\u2070-\u209f]+")
"""Signs that are raised or lowered themselves."""
_LOGO = re.compile(r"\W?(?:La|LA|XeLa|XeLA|LuaLa|LuaLA)?T[eE]X")
"""TeX and its kin, whose letters stand at several heights."""
_SMALLEST_SIZE = 2.0
"""Points; smaller sizes are those of fonts that are drawn dot by dot, and say nothing."""
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

    boxes = _Boxes(page, textpage)
    handle, unicode_of = textpage.raw, raw.FPDFText_GetUnicode
    lines: list[list[PdfWord]] = [[]]
    lost = total = start = 0
    signs: list[str] = []
    count = min(raw.FPDFText_CountChars(handle), _MOST_CHARACTERS)
    for at in range(count + 1):
        code = unicode_of(handle, at) if at < count else 32
        is_ligature = code in _LIGATURES and boxes.is_ligature(at)
        if is_ligature or (code > 32 and code not in _SPACES):
            total += 1
            sign = (
                _LIGATURES[code] if is_ligature else chr(code) if code < 0xD800 or 0xF8FF < code < 0x110000 else _LOST
            )
            if sign in _WITHOUT_LETTER:
                lost += 1
                continue
        else:
            if signs and (box := boxes.joined(start, at - 1)) is not None:
                text = "".join(signs) + ("-" if code == _HYPHEN else "")
                lines[-1].append(PdfWord(text, box, start, at - start))
            signs = []
            if code in _LINE_ENDS and lines[-1]:
                lines.append([])
            continue
        if not signs:
            start = at
        signs.append(sign)
    found = [_in_reading_order([boxes.plain(word) for word in line]) for line in lines if line]
    return PageWords(found, _is_garbled(found, lost, total))


class _Boxes:
    """Boxes of a page's characters; a word's is that around its first and its last, whose font gives the height."""

    def __init__(self, page: Any, textpage: Any) -> None:
        from pypdfium2 import raw

        self._raw, self._place, self._handle, self._rect = raw, PagePlace(page), textpage.raw, raw.FS_RECTF()
        self._pointer, self._box_of = ctypes.byref(self._rect), raw.FPDFText_GetLooseCharBox
        self._origins = Origins(textpage)

    def is_ligature(self, at: int) -> bool:
        """Whether a sign that is no letter stands beside one, and is not PDFium's own for the end of a line."""
        if self._raw.FPDFText_IsGenerated(self._handle, at) == 1:
            return False
        beside = (self._raw.FPDFText_GetUnicode(self._handle, other) for other in (at - 1, at + 1) if other >= 0)
        return any(code > 32 and chr(code).isalpha() for code in beside if code < 0x110000)

    def joined(self, first: int, last: int) -> Box | None:
        box = self._of(first)
        end = self._of(last) if last != first else box
        whole = box.joined(end) if box is not None and end is not None else box or end
        return whole if whole is None else self._as_high_as_its_font(whole, first)

    def _as_high_as_its_font(self, box: Box, at: int) -> Box:
        """The box, its height that of its letters where the font tells another, as those of signs of mathematics do."""
        size = self._origins.size(at)
        if size < _SMALLEST_SIZE or 0.5 * size <= box.height <= 1.6 * size or self._origins.is_turned(at):
            return box
        tight = self._origins.tight(at)
        if tight is None:
            return box
        _, top, _, bottom = self._place.shown(*tight)
        middle = (top + bottom) / 2
        return Box(box.left, middle - size / 2, box.right, middle + size / 2)

    def plain(self, word: PdfWord) -> PdfWord:
        """The word in letters that a keyboard has, in reading order (PDFium may leave Arabic as it is drawn)."""
        text = self._with_exponents(word)
        if text.isascii():
            return word if text == word.text else replace(word, text=text)
        if _RIGHT_TO_LEFT.search(text) and self._rises(word):
            text = _LEFT_TO_RIGHT.sub(lambda found: found[0][::-1], text)[::-1]
        text = _FORMS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
        return replace(word, text=text)

    def _with_exponents(self, word: PdfWord) -> str:
        """The word's text with what stands raised in it after a "^": "x^2", a note's number too."""
        if not 1 < word.length <= _LONGEST_POWER or len(word.text) != word.length:
            return word.text
        raised = self._origins.raised(word.at, word.length)
        if not any(raised) or _LOGO.match(word.text):
            return word.text
        runs = groupby(zip(word.text, raised, strict=True), key=lambda pair: pair[1])
        pieces = (("".join(sign for sign, _ in run), is_raised) for is_raised, run in runs)
        return "".join(_exponent(piece) if is_raised else piece for piece, is_raised in pieces)

    def _rises(self, word: PdfWord) -> bool:
        """Whether the characters of a word follow each other from left to right."""
        first, last = self._of(word.at), self._of(word.at + word.length - 1)
        return first is not None and last is not None and first.left < last.left

    def _of(self, at: int) -> Box | None:
        if not self._box_of(self._handle, at, self._pointer):
            return None
        rect = self._rect
        return Box(*self._place.shown(rect.left, rect.bottom, rect.right, rect.top))


def _exponent(text: str) -> str:
    if not any(map(str.isalnum, text)) or _SMALL_LETTERS.fullmatch(text):
        return text
    return f"^{text}" if text.isalnum() else f"^({text})"


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
    signs = "".join(piece.text for line in lines for piece in line)
    if len(signs) >= 100 and sum(map(signs.count, _ODD_SIGNS)) > 0.2 * len(signs):
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
    box, text = words[0].box, words[0].text
    for before, word in pairwise(words):
        box = box.joined(word.box)
        text += ("" if is_unspaced(before.text, word.text) else " ") + word.text
    longest = max(words, key=lambda word: word.length)
    return Segment(text, box, longest.box.height)


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
