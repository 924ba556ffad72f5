"""Document reader, as it runs in a reader process: the text of a file, page after page."""

import signal
from collections.abc import Collection, Iterator
from dataclasses import asdict
from typing import Any

from services.files.documents.block_readers import document_blocks
from services.files.documents.content_type import ContentType, content_type
from services.files.documents.document import (
    LARGEST_DOCUMENT,
    LARGEST_DOCUMENT_MB,
    LONGEST_DOCUMENT,
    MOST_DOCUMENT_PAGES,
    DocumentPage,
    HiddenSlide,
    PageBegin,
    PageResult,
    UnreadPage,
)
from services.files.documents.office.package import OfficePackage
from services.files.documents.office.slides import slide_pages
from services.files.documents.pdf.pages import pdf_pages
from services.files.documents.sections import sections
from services.files.upload import OPEN_ORIGINAL, FileRefused, Upload, format_size
from services.i18n import gettext

Record = dict[str, Any]
_DRAWN = ("pdf", "image")
_CONVERTED = ("slides", "word")
_OPEN_S = 30.0
"""Seconds of computing until the first page; for a text without pages, until its end."""
_UNITS = {"pdf": "page", "image": "page", "slides": "slide"}


def _limit_cpu(seconds: float) -> None:
    """Let the system end this process after so many seconds of computing from now, whatever library it hangs in.

    A busy machine does not shorten them. 0: no limit.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def read_document(
    upload: Upload, *, first: int = 1, left_out: Collection[int] = (), page_limit_s: float = 0
) -> Iterator[Record]:
    """Records of a document: one of the whole, then for each page which one comes ("at") and what it says, one at the
    end. Raises `FileRefused`.

    first: the page to begin with, and left_out: pages not to look at, after others have ended the process.
    page_limit_s: seconds of computing for each page, after which the process ends; 0 for no limit.
    """
    _require_size(upload)
    kind = content_type(upload.name, upload.content)
    _limit_cpu(_OPEN_S if page_limit_s else 0)
    try:
        count, pages = _pages(kind, upload, first, left_out)
        yield {
            "unit": _UNITS.get(kind, "section"),
            "count": count,
            "is_drawable": kind in _DRAWN,
            "is_convertible": kind in _CONVERTED,
        }
        characters = number = 0
        is_cut = False
        for page in pages:
            if isinstance(page, PageBegin):
                _limit_cpu(page_limit_s)
                yield {"at": page.number}
            elif isinstance(page, HiddenSlide):
                yield {"hidden": page.number}
            elif isinstance(page, UnreadPage):
                yield {"unread": page.number}
            else:
                number = page.number
                characters += len(page.text) + len(page.notes)
                if characters > LONGEST_DOCUMENT:
                    is_cut = True
                    break
                yield {"page": asdict(page)}
    finally:
        _limit_cpu(0)
    is_cut = is_cut or count > MOST_DOCUMENT_PAGES or (not count and number >= MOST_DOCUMENT_PAGES)
    yield {"end": True, "count": max(count, number), "is_cut": is_cut}


def _pages(
    kind: ContentType, upload: Upload, first: int, left_out: Collection[int]
) -> tuple[int, Iterator[PageResult]]:
    """Number of pages, 0 where it shows only at the end, and the pages."""
    if kind == "pdf":
        return pdf_pages(upload.content, first=first, left_out=left_out)
    if kind == "slides":
        return slide_pages(OfficePackage(upload.content), first=first, left_out=left_out)
    if kind == "image":
        return 1, iter([DocumentPage(number=1, images=1, is_blank=True)])
    return 0, _some(sections(document_blocks(kind, upload)))


def _some(pages: Iterator[DocumentPage]) -> Iterator[DocumentPage]:
    is_empty = True
    for page in pages:
        is_empty = False
        yield page
    if is_empty:
        raise FileRefused(gettext("There is no text in this file."), next_step=gettext(OPEN_ORIGINAL))


def _require_size(upload: Upload) -> None:
    if not upload.content:
        raise FileRefused(gettext("This file is empty."), next_step=gettext(OPEN_ORIGINAL))
    if len(upload.content) > LARGEST_DOCUMENT:
        raise FileRefused(
            gettext(
                "This file has {size}; {most} MB are the most.",
                size=format_size(len(upload.content)),
                most=LARGEST_DOCUMENT_MB,
            ),
            next_step=gettext(OPEN_ORIGINAL),
        )
