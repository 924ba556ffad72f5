"""Words of a PDF's page with their places, as the page is shown; and whether they are words of a language at all."""

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from services.files.documents.pdf_layout import CELL_GAP, Box, Segment

_MOST_CHARACTERS = 60_000
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_VOWELS = re.compile("[aeiouyáéíóúäöüàèâêîôûåæøœ]", re.IGNORECASE)
_LATIN_WORD = re.compile(r"[a-zA-ZÀ-ÿ]{4,}")


@dataclass(slots=True)
class PdfWord:
    text: str
    box: Box


def words_of(page: Any) -> tuple[list[list[PdfWord]], bool]:
    """Words by line in the file's order; whether most glyphs have no letter to them."""
    from pypdfium2 import raw

    place = _Place(page)
    textpage = page.get_textpage()
    lines: list[list[PdfWord]] = [[]]
    signs: list[str] = []
    box: Box | None = None
    lost = total = 0
    rect = raw.FS_RECTF()
    pointer = ctypes.byref(rect)
    unicode_of, box_of = raw.FPDFText_GetUnicode, raw.FPDFText_GetLooseCharBox
    handle = textpage.raw

    def end_word() -> None:
        nonlocal box
        if signs and box is not None:
            lines[-1].append(PdfWord("".join(signs), box))
        signs.clear()
        box = None

    for at in range(min(raw.FPDFText_CountChars(handle), _MOST_CHARACTERS)):
        code = unicode_of(handle, at)
        if code in (10, 13):
            end_word()
            if lines[-1]:
                lines.append([])
            continue
        sign = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
        if sign.isspace():
            end_word()
            continue
        total += 1
        if sign == "\ufffd" or "\ue000" <= sign <= "\uf8ff" or (sign < " " and sign != "\x02"):
            lost += 1
            continue
        if not box_of(handle, at, pointer):
            continue
        shown = place.shown(rect.left, rect.bottom, rect.right, rect.top)
        if box is not None and (abs(shown.top - box.top) > box.height or shown.left - box.right > box.height):
            end_word()
        signs.append(_LIGATURES.get(sign, sign) if sign != "\x02" else "-")
        box = shown if box is None else box.joined(shown)
    end_word()
    textpage.close()
    found = [line for line in lines if line]
    return found, _is_garbled(found, lost, total)


def _is_garbled(lines: list[list[PdfWord]], lost: int, total: int) -> bool:
    """Whether the text layer is no language: glyphs without letters, or letters that make no words."""
    if total and lost > 0.3 * total:
        return True
    words = [word for line in lines for piece in line for word in _LATIN_WORD.findall(piece.text)]
    return len(words) >= 20 and sum(_VOWELS.search(word) is None for word in words) > 0.5 * len(words)


def parted(line: list[PdfWord]) -> Iterator[Segment]:
    """Segments of a line: parted where a gap is wide."""
    group: list[PdfWord] = []
    for word in line:
        if group:
            last = group[-1].box
            gap = max(word.box.left - last.right, last.left - word.box.right)
            if gap > CELL_GAP * max(last.height, 1) or abs(word.box.top - last.top) > 1.2 * max(
                last.height, word.box.height
            ):
                yield _segment(group)
                group = []
        group.append(word)
    if group:
        yield _segment(group)


def _segment(words: list[PdfWord]) -> Segment:
    box = words[0].box
    for word in words[1:]:
        box = box.joined(word.box)
    return Segment(" ".join(word.text for word in words), box)


class _Place:
    """Places on the page as it is shown: turned as it says, from its upper left corner."""

    def __init__(self, page: Any) -> None:
        self._turns = page.get_rotation() // 90 % 4
        left, bottom, right, top = page.get_bbox()
        self._left, self._bottom, self._width, self._height = left, bottom, right - left, top - bottom

    def shown(self, left: float, bottom: float, right: float, top: float) -> Box:
        left, right = left - self._left, right - self._left
        bottom, top = bottom - self._bottom, top - self._bottom
        if self._turns == 1:
            return Box(bottom, left, top, right)
        if self._turns == 2:
            return Box(self._width - right, bottom, self._width - left, top)
        if self._turns == 3:
            return Box(self._height - top, self._width - right, self._height - bottom, self._width - left)
        return Box(left, self._height - top, right, self._height - bottom)
