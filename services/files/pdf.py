"""PDFs: the model reads the file itself, so it is only looked at whether it can."""

import io

from services.files.limits import MOST_PAGES
from services.files.upload import FileRefused, Readable
from services.i18n import formats, gettext, gettext_noop

MEDIA_TYPE = "application/pdf"
TOKENS_OF_PAGE = 2_200
"""A page goes to the model as a picture and as its text."""
_HEAD = 1_024
"""Bytes within which a PDF must say that it is one (ISO 32000-1, annex H)."""
_BROKEN = gettext_noop("This PDF is damaged and cannot be opened.")
_ANEW = gettext_noop("Open it on your computer, save or print it as a PDF again, and attach that.")


def read(content: bytes) -> Readable:
    """Raises `FileRefused` for one that is locked, damaged, without pages, or too long."""
    if b"%PDF-" not in content[:_HEAD]:
        raise FileRefused(
            gettext("This is not a PDF, whatever its name says."), next_step=gettext("Attach the PDF itself.")
        )
    pages = _pages(content)
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


def _pages(content: bytes) -> int:
    # Imported where it is wanted: most messages bring no PDF.
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted:
            raise FileRefused(
                gettext("This PDF is locked with a password."),
                next_step=gettext("Save a copy without a password, and attach that."),
            )
        pages = len(reader.pages)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError):
        # A damaged file breaks the reader in many ways.
        raise FileRefused(gettext(_BROKEN), next_step=gettext(_ANEW)) from None
    if pages == 0:
        raise FileRefused(gettext("This PDF has no pages."), next_step=gettext(_ANEW))
    return pages
