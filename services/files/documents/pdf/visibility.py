"""Visible words of a PDF's page: those that leave a trace where the page is drawn."""

import ctypes
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from services.files.documents.pdf.layout import Box
from services.files.documents.pdf.words import PagePlace, PdfWord

_PIXELS = 900
"""Of the longer edge of the drawing."""
_CONTRAST = 20
"""Levels of 255 between a word and its ground, below which nobody sees it."""
_SMALLEST = 1.5
"""Points; smaller letters are hidden ones."""
_FAINT = 12
"""Opacity of 255, below which nothing is seen."""
_MOST_OBJECTS = 2_000
_MOST_CLIPS = 100


class PageVisibility:
    """What can be seen of a page, which is drawn when it is first asked."""

    def __init__(self, page: Any, textpage: Any) -> None:
        self._page, self._textpage, self._place = page, textpage, PagePlace(page)
        self._width, self._height = page.get_size()

    def shows(self, word: PdfWord) -> bool:
        """Whether somebody sees the word. A single sign is too small to tell, a glyph without a shape no hiding."""
        if not self._is_on_page(word.box) or (word.box.height < _SMALLEST and word.length > 1):
            return False
        if sum(map(str.isalnum, word.text)) < 2 or self._grey is None:
            return True
        if self._grey.differs(word.box) or self._is_seen_closely(word):
            return True
        return not self._is_hidden(word)

    def _is_on_page(self, box: Box) -> bool:
        return box.right > 0 and box.bottom > 0 and box.left < self._width and box.top < self._height

    def _is_seen_closely(self, word: PdfWord) -> bool:
        """Look again, in colour, at the place of the shape itself: what a font says of its height may be wrong."""
        tight = self._tight_box(word)
        return self._colored is not None and (
            self._colored.differs(word.box) or (tight is not None and self._colored.differs(tight))
        )

    def _tight_box(self, word: PdfWord) -> Box | None:
        from pypdfium2 import raw

        found: Box | None = None
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        for at in range(word.at, word.at + word.length):
            if raw.FPDFText_GetCharBox(self._textpage, at, left, right, bottom, top):
                box = Box(*self._place.shown(left.value, bottom.value, right.value, top.value))
                found = box if found is None else found.joined(box)
        return found

    def _is_hidden(self, word: PdfWord) -> bool:
        """Whether a word without a trace is hidden, and not only of a font whose shapes are missing here.

        Then it is unseen by its mode, faint, of the colour of its ground, or below something.
        """
        from pypdfium2 import raw

        owner = raw.FPDFText_GetTextObject(self._textpage, word.at)
        if not owner or raw.FPDFTextObj_GetTextRenderMode(owner) in (
            raw.FPDF_TEXTRENDERMODE_INVISIBLE,
            raw.FPDF_TEXTRENDERMODE_CLIP,
        ):
            return True
        color = [ctypes.c_uint() for _ in range(4)]
        if not raw.FPDFText_GetFillColor(self._textpage, word.at, *color):
            return True
        red, green, blue, opacity = (part.value for part in color)
        if opacity < _FAINT or self._colored is None:
            return True
        ground = self._colored.at(word.box)
        if all(abs(a - b) < 2 * _CONTRAST for a, b in zip((blue, green, red), ground, strict=True)):
            return True
        return self._is_clipped(owner, word.box) or self._is_covered(owner, word.box)

    def _is_clipped(self, owner: Any, box: Box) -> bool:
        """Whether the middle of a box lies outside the area to which its drawing is clipped."""
        from pypdfium2 import raw

        path = raw.FPDFPageObj_GetClipPath(owner)
        across, down = ctypes.c_float(), ctypes.c_float()
        for at in range(min(max(0, raw.FPDFClipPath_CountPaths(path)), _MOST_CLIPS) if path else 0):
            points: list[tuple[float, float]] = []
            for part in range(min(max(0, raw.FPDFClipPath_CountPathSegments(path, at)), _MOST_CLIPS)):
                raw.FPDFPathSegment_GetPoint(raw.FPDFClipPath_GetPathSegment(path, at, part), across, down)
                points.append((across.value, down.value))
            if points and not self._area(points).holds_middle_of(box):
                return True
        return False

    def _area(self, points: Sequence[tuple[float, float]]) -> Box:
        across, down = [point[0] for point in points], [point[1] for point in points]
        return Box(*self._place.shown(min(across), min(down), max(across), max(down)))

    def _is_covered(self, owner: Any, box: Box) -> bool:
        """Whether something is drawn over the middle of a box after the text, or the text is part of a drawing."""
        from pypdfium2 import raw

        address = ctypes.addressof(owner.contents)
        is_later = False
        edges = [ctypes.c_float() for _ in range(4)]
        for at in range(min(raw.FPDFPage_CountObjects(self._page), _MOST_OBJECTS)):
            found = raw.FPDFPage_GetObject(self._page, at)
            if ctypes.addressof(found.contents) == address:
                is_later = True
            elif is_later and raw.FPDFPageObj_GetType(found) != raw.FPDF_PAGEOBJ_TEXT:
                raw.FPDFPageObj_GetBounds(found, *edges)
                left, bottom, right, top = (edge.value for edge in edges)
                if Box(*self._place.shown(left, bottom, right, top)).holds_middle_of(box):
                    return True
        return False

    @cached_property
    def _grey(self) -> "_Drawing | None":
        return _Drawing.of(self._page, grayscale=True)

    @cached_property
    def _colored(self) -> "_Drawing | None":
        return _Drawing.of(self._page, grayscale=False)


class _Drawing:
    """Pixels of a page."""

    def __init__(self, bitmap: Any, scale: float) -> None:
        self._scale, self._parts = scale, int(bitmap.n_channels)
        self._width, self._height, self._stride = bitmap.width, bitmap.height, bitmap.stride
        self._pixels = bytes(bitmap.buffer)

    @classmethod
    def of(cls, page: Any, *, grayscale: bool) -> "_Drawing | None":
        """Draw a page small; None for one that has no size to speak of."""
        from pypdfium2 import PdfiumError

        scale = min(2.0, _PIXELS / max(*page.get_size(), 1))
        try:
            bitmap = page.render(scale=scale, grayscale=grayscale, may_draw_forms=False)
        except (ValueError, PdfiumError):
            return None
        try:
            return cls(bitmap, scale)
        finally:
            bitmap.close()

    def differs(self, box: Box) -> bool:
        """Whether the pixels of a box are not all alike."""
        left, right = max(0, int(box.left * self._scale)), min(self._width, int(box.right * self._scale) + 2)
        top, bottom = max(0, int(box.top * self._scale)), min(self._height, int(box.bottom * self._scale) + 2)
        if left >= right or top >= bottom:
            return False
        for part in range(self._parts):
            least, most = 255, 0
            for line in range(top, bottom):
                start = line * self._stride
                pixels = self._pixels[start + left * self._parts + part : start + right * self._parts : self._parts]
                least, most = min(least, min(pixels)), max(most, max(pixels))
                if most - least >= _CONTRAST:
                    return True
        return False

    def at(self, box: Box) -> tuple[int, ...]:
        """Colour in the middle of a box, in the order blue, green, red."""
        across = min(self._width - 1, max(0, int((box.left + box.right) / 2 * self._scale)))
        down = min(self._height - 1, max(0, int((box.top + box.bottom) / 2 * self._scale)))
        start = down * self._stride + across * self._parts
        return tuple(self._pixels[start : start + 3])
