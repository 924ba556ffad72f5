"""`DocumentReader`: reads documents by page and draws their pages, in reader processes of its own."""

import atexit
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from services.errors import ServiceUnavailable
from services.files.documents.document import DocumentPage, DocumentText
from services.files.documents.office.pdf_converter import PdfConverter, digest_of, pdf_converter
from services.files.reader_process import PROCESSES, AllBusy, ProcessEnded, ReaderProcesses, Record
from services.files.upload import OPEN_ORIGINAL, FileRefused, Upload
from services.i18n import gettext

OnPage = Callable[[int, int], None]

DOCUMENT_LIMIT_S, BACKGROUND_LIMIT_S = 90.0, 600.0
"""Seconds for a whole document; its pages up to then are kept. What nobody waits for stands back for others."""
PAGE_LIMIT_S = 8.0
PICTURE_LIMIT_S = 20.0
BACKGROUND_NICENESS = 10
MEMORY_LIMIT = 768 * 1024 * 1024
"""Bytes of address space: the largest document, and a page of it drawn."""
_PACKED = b"PK\x03\x04"
_MOST_RESTARTS = 3
"""Pages that may end their process, each of which is left out, before the rest of a document is given up."""


@dataclass(frozen=True, kw_only=True)
class DrawnPage:
    """Picture of a page. mark_top: where the marked passage begins, 0 at the top and 1 at the end; None for nowhere."""

    content: bytes = field(repr=False)
    media_type: str
    mark_top: float | None = None


class DocumentReader:
    """Reader of documents. Thread-safe; as many at once as there are processes.

    Raises `FileRefused` for what cannot be read, now or later, and `ServiceUnavailable` where all processes stay busy.
    """

    def __init__(
        self,
        processes: ReaderProcesses,
        *,
        converter: PdfConverter | None = None,
        limit_s: float = DOCUMENT_LIMIT_S,
        page_limit_s: float = PAGE_LIMIT_S,
    ) -> None:
        """limit_s: seconds for one document. page_limit_s: seconds of computing for one of its pages."""
        self._processes, self._converter = processes, converter
        self._limit_s, self._page_limit_s = limit_s, page_limit_s

    def read(self, upload: Upload, on_page: OnPage = lambda page, count: None) -> DocumentText:
        """Read a document as far as it goes within its limits; what is missing stands in its `remarks`.

        on_page: called with the number of each page that was read and that of all, 0 while nobody knows.
        """
        run = _Run(upload, on_page, self._page_limit_s)
        ends = time.monotonic() + self._limit_s
        while (left := ends - time.monotonic()) > 0 and run.restarts <= _MOST_RESTARTS:
            try:
                run.follow(self._processes, left)
            except AllBusy:
                raise _busy() from None
            except ProcessEnded as ended:
                if not run.is_resumable(is_fresh=ended.is_fresh):
                    break
            if run.is_ended:
                break
        return run.document(can_convert=self._converter is not None)

    def picture(self, upload: Upload, number: int, mark: str = "") -> DrawnPage:
        """Draw a page with the passage `mark` marked; raises `FileRefused` too where there is no such picture.

        Slides and Word files are turned into a PDF for it, where LibreOffice is installed; else only a slide's own
        picture can be shown. number: of a section, for Word files: of the page with the passage, or where it begins.
        """
        anchor = ""
        if self._converter is not None and upload.content.startswith(_PACKED):
            upload, anchor = self._as_pdf(self._converter, upload, number)
        record, content = self._last_record("picture", upload, {"number": number, "mark": mark, "anchor": anchor})
        return DrawnPage(content=content, media_type=record["media_type"], mark_top=record["mark_top"])

    def _as_pdf(self, converter: PdfConverter, upload: Upload, number: int) -> tuple[Upload, str]:
        """The file as a PDF, and the beginning of a section's text. Read anew each time: that is quick."""
        record, copy = self._last_record("printable", upload, {"number": number})
        digest = digest_of(upload.content)
        made = converter.kept(digest) or converter.convert(digest, copy, record["ending"])
        return Upload(name="document.pdf", content=made), record["anchor"]

    def _last_record(self, job: str, upload: Upload, options: Mapping[str, Any]) -> Record:
        try:
            return list(self._processes.records(job, upload, options, limit_s=PICTURE_LIMIT_S))[-1]
        except AllBusy:
            raise _busy() from None
        except ProcessEnded:
            raise _too_much() from None


class _Run:
    """Reading of one document, over as many processes as its pages end."""

    def __init__(self, upload: Upload, on_page: OnPage, page_limit_s: float) -> None:
        self._upload, self._on_page, self._page_limit_s = upload, on_page, page_limit_s
        self._whole: dict[str, Any] = {}
        self._pages: list[DocumentPage] = []
        self._hidden: list[int] = []
        self._at = 0
        self._tries = 0
        self.unread: set[int] = set()
        self.restarts = 0
        self.is_ended = False

    def follow(self, processes: ReaderProcesses, limit_s: float) -> None:
        self._at = 0
        self._tries += 1
        limits = {"page_limit_s": self._page_limit_s}
        options = {"first": self._last() + 1, "left_out": sorted(self.unread), **limits}
        for record, _ in processes.records("document", self._upload, options, limit_s=limit_s):
            if page := record.pop("page", None):
                self._pages.append(DocumentPage(**page))
                self._on_page(page["number"], self._whole["count"])
            elif hidden := record.pop("hidden", None):
                self._hidden.append(hidden)
            elif unread := record.pop("unread", None):
                self.unread.add(unread)
            else:
                self._at = record.pop("at", self._at)
                self._whole |= record
        self.is_ended = True

    def is_resumable(self, *, is_fresh: bool) -> bool:
        """Note the page that ended the process, and tell whether the rest can be read without it.

        A process that had read other files may have ended because of those: then the same page is tried once more.
        """
        if not is_fresh and self._tries == 1:
            return True
        if self._at:
            self.unread.add(self._at)
            self.restarts += 1
        return bool(self._at and self._at <= self._whole["count"])

    def document(self, *, can_convert: bool) -> DocumentText:
        """What was read; raises `FileRefused` when that is nothing."""
        if not self._pages:
            raise _without_text() if self.is_ended else _too_much()
        return DocumentText(
            unit=self._whole["unit"],
            pages=self._pages,
            count=max(self._whole["count"], self._last()),
            hidden_slides=self._hidden,
            unread=sorted(self.unread),
            is_cut=not self.is_ended or self._whole["is_cut"],
            can_picture=self._whole["is_drawable"]
            or (self._whole["is_convertible"] and (can_convert or any(page.is_blank for page in self._pages))),
        )

    def _last(self) -> int:
        return max([page.number for page in self._pages[-1:]] + self._hidden[-1:], default=0)


@cache
def document_reader(*, is_background: bool = False) -> DocumentReader:
    """The document reader of this app process; whom somebody waits for does not queue behind the background."""
    processes = ReaderProcesses(
        processes=1 if is_background else PROCESSES,
        memory_limit=MEMORY_LIMIT,
        niceness=BACKGROUND_NICENESS if is_background else 0,
    )
    atexit.register(processes.close)
    limit_s = BACKGROUND_LIMIT_S if is_background else DOCUMENT_LIMIT_S
    return DocumentReader(processes, converter=pdf_converter(), limit_s=limit_s)


def _busy() -> ServiceUnavailable:
    return ServiceUnavailable("Homeroom", gettext("Many files are being read at the moment."))


def _without_text() -> FileRefused:
    return FileRefused(gettext("There is no text in this file."), next_step=gettext(OPEN_ORIGINAL))


def _too_much() -> FileRefused:
    return FileRefused(gettext("This file takes too much memory or time to read."), next_step=gettext(OPEN_ORIGINAL))
