"""Objects on a PDF's page: its pictures and drawings, and whether they say more than its letters."""

import ctypes
from dataclasses import dataclass
from typing import Any

_MOST_OBJECTS = 2_000
_SMALLEST_PICTURE = 0.01
"""Share of a page; smaller pictures are bullets and lines."""
_SCAN = 0.6
"""Share of a page from which a picture on it is a scan."""
_FIGURE = 0.05
_FIGURE_LINES = 8
"""Drawn lines and areas from which they are a figure, and no frame."""
_FEW_LETTERS, _FEW_BESIDE_SCAN = 25, 250


@dataclass(slots=True)
class PageObjects:
    """What is on a page. images: pictures; largest: the share of the page that the largest takes.

    lines: drawn lines and areas. letters, unseen_letters: pieces of text, and those written to be unseen.
    """

    images: int = 0
    largest: float = 0.0
    lines: int = 0
    letters: int = 0
    unseen_letters: int = 0

    @property
    def is_lettered_scan(self) -> bool:
        """A scan with its letters laid over it unseen, as text recognition makes them."""
        return self.largest >= _SCAN and self.unseen_letters > 10 * self.letters

    def tells_more_than(self, letters: int) -> bool:
        """Whether only the page's picture tells what is on it, given how many letters its text has."""
        if letters == 0:
            return bool(self.images or self.lines or self.letters)
        if letters < _FEW_LETTERS and (self.largest >= _FIGURE or self.lines >= _FIGURE_LINES):
            return True
        return self.largest >= _SCAN and letters < _FEW_BESIDE_SCAN and not self.is_lettered_scan


def objects_on(page: Any) -> PageObjects:
    """Count the first `_MOST_OBJECTS` objects of a page, those of its forms (parts used as a whole) among them."""
    from pypdfium2 import raw

    found = PageObjects()
    area = max(1.0, page.get_width() * page.get_height())
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))

    def share_of(thing: Any) -> float:
        raw.FPDFPageObj_GetBounds(thing, left, bottom, right, top)
        return float((right.value - left.value) * (top.value - bottom.value) / area)

    def add(thing: Any, share: float | None) -> None:
        kind = raw.FPDFPageObj_GetType(thing)
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            is_unseen = raw.FPDFTextObj_GetTextRenderMode(thing) == raw.FPDF_TEXTRENDERMODE_INVISIBLE
            found.letters, found.unseen_letters = found.letters + (not is_unseen), found.unseen_letters + is_unseen
        elif kind == raw.FPDF_PAGEOBJ_IMAGE:
            size = share_of(thing) if share is None else share
            if size > _SMALLEST_PICTURE:
                found.images, found.largest = found.images + 1, max(found.largest, size)
        elif kind == raw.FPDF_PAGEOBJ_FORM and share is None:
            whole = share_of(thing)
            for at in range(min(raw.FPDFFormObj_CountObjects(thing), _MOST_OBJECTS)):
                add(raw.FPDFFormObj_GetObject(thing, at), whole)
        else:
            found.lines += 1

    for at in range(min(raw.FPDFPage_CountObjects(page), _MOST_OBJECTS)):
        add(raw.FPDFPage_GetObject(page, at), None)
    return found
