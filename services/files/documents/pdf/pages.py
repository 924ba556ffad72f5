"""PDF reader: text by page in reading order, as far as somebody can see it (PDFium, as in Chromium).

Each page is drawn small as well: words that leave no trace in the drawing (white, covered, outside the page) are
hidden ones and left out. A page without text, or with glyphs that no table maps to letters, is blank. `PageObjects`
tells whether its pictures and drawings say more than its letters.
"""

import ctypes
import io
import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.files.documents.document import (
    LONGEST_PAGE,
    MOST_DOCUMENT_PAGES,
    DocumentPage,
    PageBegin,
    PageResult,
    UnreadPage,
)
from services.files.documents.pdf.annotations import PageAnnotations
from services.files.documents.pdf.hyphens import SeenWords
from services.files.documents.pdf.layout import heading, paragraphs, rows_in_order
from services.files.documents.pdf.running_lines import LaidOutPage, without_running_lines
from services.files.documents.pdf.visibility import PageVisibility
from services.files.documents.pdf.words import PdfWord, segments_of, words_of
from services.files.upload import OPEN_ORIGINAL, FileRefused
from services.i18n import gettext, gettext_noop
from services.safety.text import plain

# PDFium's remark that it leaves a form's second description (XFA) aside helps nobody.
logging.getLogger("pypdfium2").setLevel(logging.ERROR)
BROKEN = gettext_noop("This PDF is damaged and cannot be opened.")
_MOST_TRIED = 5
_MOST_OBJECTS = 2_000
_SMALLEST_PICTURE = 0.01
"""Share of a page; smaller pictures are bullets and lines."""
_SCAN = 0.6
"""Share of a page from which a picture on it is a scan."""
_FIGURE = 0.05
_FIGURE_LINES = 8
"""Drawn lines and areas from which they are a figure, and no frame."""
_FEW_LETTERS, _FEW_BESIDE_SCAN = 25, 250


def open_pdf(content: bytes) -> Any:
    """The PDF as PDFium opens it; raises `FileRefused` for one that is locked, damaged or without pages."""
    from pypdfium2 import PdfDocument, PdfiumError, raw

    try:
        document = PdfDocument(content)
        document.init_forms(raw.FPDF_FORMFILLINFO(version=2))
    except PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            raise FileRefused(
                gettext("This PDF is locked with a password."), next_step=gettext(OPEN_ORIGINAL)
            ) from None
        raise FileRefused(gettext(BROKEN), next_step=gettext(OPEN_ORIGINAL)) from None
    if len(document) == 0:
        raise FileRefused(gettext("This PDF has no pages."), next_step=gettext(OPEN_ORIGINAL))
    if not any(_page(document, number) for number in range(1, min(_MOST_TRIED, len(document)) + 1)):
        raise FileRefused(gettext(BROKEN), next_step=gettext(OPEN_ORIGINAL))
    return document


def unlocked_pdf(content: bytes) -> bytes:
    """A copy of a PDF that anybody may open, without its owner's locks; raises `FileRefused` as `open_pdf` does."""
    from pypdfium2 import raw

    copy = io.BytesIO()
    open_pdf(content).save(copy, flags=raw.FPDF_REMOVE_SECURITY)
    return copy.getvalue()


def _page(document: Any, number: int) -> Any | None:
    """A page of the document; None for a damaged one."""
    from pypdfium2 import PdfiumError

    try:
        return document[number - 1]
    except PdfiumError:
        return None


def pdf_pages(content: bytes, *, first: int = 1, left_out: Collection[int] = ()) -> tuple[int, Iterator[PageResult]]:
    """Number of pages, and the text of each up to `MOST_DOCUMENT_PAGES`, read one after another."""
    document = open_pdf(content)
    numbers = range(first, min(len(document), MOST_DOCUMENT_PAGES) + 1)
    read = _read_pages(document, numbers, left_out)
    pages = without_running_lines(read)
    words = SeenWords()
    return len(document), (_finished(page, words) if isinstance(page, LaidOutPage) else page for page in pages)


def _read_pages(
    document: Any, numbers: range, left_out: Collection[int]
) -> Iterator[LaidOutPage | PageBegin | UnreadPage]:
    for number in numbers:
        if number in left_out:
            yield UnreadPage(number)
        else:
            yield PageBegin(number)
            yield _read_page(document, number)


def _read_page(document: Any, number: int) -> LaidOutPage | UnreadPage:
    page = _page(document, number)
    if page is None:
        return UnreadPage(number)
    try:
        label = _printed_label(document, number)
        return _read(page, number, label)
    finally:
        page.close()


def _printed_label(document: Any, number: int) -> str:
    label = plain(str(document.get_page_label(number - 1))).strip()[:20]
    return "" if label == str(number) else label


def _read(page: Any, number: int, label: str) -> LaidOutPage:
    width, height = page.get_size()
    drawn = objects_on(page)
    textpage = page.get_textpage()
    words = words_of(page, textpage)
    lines = words.lines
    if lines and not drawn.is_lettered_scan:
        visibility = PageVisibility(page, textpage)
        lines = [seen for line in lines if (seen := [word for word in line if visibility.shows(word)])]
    is_hidden = _count_words(lines) < _count_words(words.lines)
    written = PageAnnotations(page, textpage, page.formenv).text()
    textpage.close()
    rows = rows_in_order(list(segments_of(lines)))
    letters = sum(sign.isalnum() for row in rows for sign in row.text)
    found = DocumentPage(
        number=number,
        label=label,
        images=drawn.images,
        is_blank=words.is_garbled or drawn.tells_more_than(letters),
        has_hidden_text=is_hidden,
    )
    return LaidOutPage(found, [] if words.is_garbled else rows, height, width > height, written)


def _count_words(lines: Sequence[Sequence[PdfWord]]) -> int:
    """Words of letters: numbers and crop marks beside the page hide nothing."""
    return sum(sum(map(str.isalpha, word.text)) > 2 for line in lines for word in line)


def _finished(read: LaidOutPage, words: SeenWords) -> DocumentPage:
    text = plain(paragraphs(read.rows, words)).strip()
    text = "\n\n".join(filter(None, (text, read.written)))[:LONGEST_PAGE]
    label = read.page.label or plain(heading(read.rows))
    return replace(read.page, text=text, label=label)


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
