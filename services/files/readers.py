"""File readers for chats: chosen by the extension, with limits that hold for all; PDFs, Word files and slides.

The model reads a PDF itself, so it is only checked whether it can. Nothing in an Office file runs, and nothing that it
names is fetched.
"""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from services.files import image, text
from services.files.documents.block_readers import document_blocks
from services.files.documents.content_type import content_type
from services.files.documents.document import DocumentPage
from services.files.documents.office.package import OfficePackage
from services.files.documents.office.slides import slide_pages
from services.files.documents.office.word_blocks import word_blocks
from services.files.documents.pdf.pages import unlocked_pdf
from services.files.documents.sections import block_text
from services.files.limits import (
    LARGEST_FILE,
    LARGEST_MB,
    LARGEST_MESSAGE,
    MEGABYTE,
    MOST_FILES,
    MOST_PAGES,
    MOST_TOKENS,
)
from services.files.reader_process import shared_processes
from services.files.upload import (
    DOCUMENTS,
    EXTENSIONS,
    IMAGES,
    FileRefused,
    FilesRefused,
    Readable,
    Upload,
    extension,
    format_size,
    step_instead_of,
)
from services.i18n import formats, gettext, gettext_noop, ngettext

MEDIA_TYPE = "application/pdf"
TOKENS_OF_PAGE = 2_200
"""A page goes to the model as a picture and as its text."""
_HEAD = 1_024
"""Bytes within which a PDF must say that it is one (ISO 32000-1, annex H)."""
_BROKEN = gettext_noop("This PDF is damaged and cannot be opened.")
_ANEW = gettext_noop("Open it on your computer, save or print it as a PDF again, and attach that.")
_OFFICE_ANEW = gettext_noop("Open it on your computer, save it again as .docx, .pptx or PDF, and attach that.")
_ANEW_AS_PDF = gettext_noop("Open it on your computer, save it as a PDF, and attach that.")
_PAGED = ("pdf", "slides", "image")
_OF_THIS_KIND = gettext_noop("Files of this kind cannot be read here.")


def read_pdf(content: bytes) -> Readable:
    """Check a PDF; raises `FileRefused` for one that is locked, damaged, without pages, or too long."""
    if b"%PDF-" not in content[:_HEAD]:
        raise FileRefused(
            gettext("This is not a PDF, whatever its name says."), next_step=gettext("Attach the PDF itself.")
        )
    content, pages = _unlocked(content)
    if pages > MOST_PAGES:
        raise FileRefused(
            gettext(
                "This PDF has {pages} pages; {most} are the most that can be read at once.",
                pages=formats.number(pages),
                most=MOST_PAGES,
            ),
            next_step=gettext("Print the pages you need as a PDF of their own, and attach that."),
        )
    return Readable(kind="pdf", content=content, media_type=MEDIA_TYPE, tokens=pages * TOKENS_OF_PAGE, pages=pages)


def _unlocked(content: bytes) -> tuple[bytes, int]:
    """A PDF that needs no password, and its number of pages; an owner's password alone keeps nobody from reading."""
    pages = _pages(content)
    if pages is not None:
        return content, pages
    try:
        content = unlocked_pdf(content)
    except FileRefused:
        pages = None
    else:
        pages = _pages(content)
    if pages is None:
        raise FileRefused(
            gettext("This PDF is locked with a password."),
            next_step=gettext("Save a copy without a password, and attach that."),
        )
    return content, pages


def _pages(content: bytes) -> int | None:
    """Number of a PDF's pages; None for one that is encrypted."""
    # Imported where it is wanted: most messages bring no PDF.
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted:
            return None
        pages = len(reader.pages)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        # A damaged file breaks the reader in many ways.
        raise FileRefused(gettext(_BROKEN), next_step=gettext(_ANEW)) from None
    if pages == 0:
        raise FileRefused(gettext("This PDF has no pages."), next_step=gettext(_ANEW))
    return pages


def read_word(content: bytes) -> Readable:
    """Read a .docx; raises `FileRefused` for one that is locked, damaged, has macros, or unpacks to far too much."""
    try:
        package = OfficePackage(content)
        blocks = [block_text(block) for block in word_blocks(package)] if package.is_word else None
    except FileRefused as refusal:
        raise FileRefused(str(refusal), next_step=gettext(_OFFICE_ANEW)) from None
    if blocks is None:
        raise FileRefused(
            gettext("This is not a Word document, whatever its name says."), next_step=gettext(_OFFICE_ANEW)
        ) from None
    return text.readable("word", "\n\n".join(block for block in blocks if block.strip()))


def read_blocks(name: str, content: bytes) -> Readable:
    """Read a text of another program, a book, a spreadsheet or a notebook; raises `FileRefused` as `read_word` does."""
    upload = Upload(name=name, content=content)
    try:
        kind = content_type(name, content)
        blocks = [block_text(block) for block in document_blocks(kind, upload)] if kind not in _PAGED else None
    except FileRefused as refusal:
        raise FileRefused(str(refusal), next_step=gettext(_ANEW_AS_PDF)) from None
    if blocks is None:
        raise FileRefused(
            gettext("This file is not what its name says, or it is damaged."), next_step=gettext(_ANEW_AS_PDF)
        )
    return text.readable("text", "\n\n".join(block for block in blocks if block.strip()))


def read_web_page(content: bytes) -> Readable:
    """Read an HTML file as a browser would show it; one that shows nothing by itself as it is written."""
    blocks = [block_text(block) for block in document_blocks("web", Upload(name="page.html", content=content))]
    shown = "\n\n".join(block for block in blocks if block.strip())
    return text.readable("text", shown) if shown else text.read_page(content)


def read_slides(content: bytes) -> Readable:
    """Read a .pptx, each slide with its number and its speaker's notes; raises `FileRefused` as `read_word` does."""
    try:
        package = OfficePackage(content)
        slides = list(_slides(package)) if package.is_slides else None
    except FileRefused as refusal:
        raise FileRefused(str(refusal), next_step=gettext(_OFFICE_ANEW)) from None
    if slides is None:
        raise FileRefused(gettext("These are no slides, whatever the name says."), next_step=gettext(_OFFICE_ANEW))
    return text.readable("slides", "\n\n".join(slides))


def _slides(package: OfficePackage) -> Iterator[str]:
    _, pages = slide_pages(package)
    for page in pages:
        if isinstance(page, DocumentPage):
            notes = f"\n\nSpeaker's notes:\n{page.notes}" if page.notes else ""
            yield f"[Slide {page.number}]\n{page.text}{notes}"


_READERS: Mapping[str, Callable[[bytes], Readable]] = {
    "pdf": read_pdf,
    "docx": read_word,
    "pptx": read_slides,
    **dict.fromkeys(IMAGES, image.read_image),
    "html": read_web_page,
    "xml": text.read_page,
    **{ending: partial(read_blocks, f"file.{ending}") for ending in (*DOCUMENTS, "ipynb")},
}


def read_uploads(uploads: Sequence[Upload]) -> list[Readable]:
    """Read each file of a message, in order; raises `FilesRefused` that says of every bad one what is wrong with it."""
    if len(uploads) > MOST_FILES:
        raise FilesRefused(
            gettext("{count} files are too many for one message.", count=len(uploads)),
            next_step=gettext("Attach {most} at most, and the others with your next message.", most=MOST_FILES),
        )
    found: list[Readable] = []
    refused: dict[int, FileRefused] = {}
    for at, upload in enumerate(uploads):
        try:
            found.append(_read_isolated(upload))
        except FileRefused as error:
            refused[at] = error
    if refused:
        which = ngettext("A file cannot be attached.", "{n} files cannot be attached.", len(refused))
        raise FilesRefused(which, next_step=gettext("Your text is kept."), refused=refused)
    _fit_together(uploads, found)
    return found


def _read_isolated(upload: Upload) -> Readable:
    """Read a file in a process of its own; what is refused by its name or size takes none."""
    _require_kind(upload)
    _require_size(upload)
    return shared_processes().read(upload)


def read_upload(upload: Upload) -> Readable:
    """Read one file for the model; raises `FileRefused`. Its name only says which kind it should be."""
    _require_kind(upload)
    _require_size(upload)
    return _READERS.get(extension(upload.name), text.read_text)(upload.content)


def _require_kind(upload: Upload) -> None:
    ending = extension(upload.name)
    if ending not in EXTENSIONS:
        is_plain = ending.isascii() and ending.isalnum() and len(ending) <= 8
        refused = gettext(".{ending} files cannot be read here.", ending=ending) if is_plain else gettext(_OF_THIS_KIND)
        raise FileRefused(refused, next_step=step_instead_of(ending))


def _require_size(upload: Upload) -> None:
    if not upload.content:
        raise FileRefused(gettext("This file is empty."), next_step=gettext("Attach one that has something in it."))
    if len(upload.content) > LARGEST_FILE:
        raise FileRefused(
            gettext(
                "This file has {size}; {most} MB are the most.", size=format_size(len(upload.content)), most=LARGEST_MB
            ),
            next_step=gettext("Attach a smaller one, or the part you need."),
        )


def _fit_together(uploads: Sequence[Upload], found: Sequence[Readable]) -> None:
    weight = max(sum(len(upload.content) for upload in uploads), sum(len(readable.content) for readable in found))
    if weight > LARGEST_MESSAGE:
        raise FilesRefused(
            gettext(
                "Together these files have {weight}; {most} MB fit into one message.",
                weight=format_size(weight),
                most=LARGEST_MESSAGE // MEGABYTE,
            ),
            next_step=gettext("Attach fewer, and the others with your next message."),
        )
    if sum(readable.tokens for readable in found) > MOST_TOKENS:
        raise FilesRefused(
            gettext("Together these files are longer than what can be read at once."),
            next_step=gettext("Attach fewer, or only the pages you need."),
        )
