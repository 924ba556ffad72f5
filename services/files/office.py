"""Office reader for chats: text of Word files and slides; nothing in them runs, and nothing they name is fetched."""

from collections.abc import Iterator

from services.files import text
from services.files.documents.document import DocumentPage
from services.files.documents.office.package import OfficePackage
from services.files.documents.office.slides import slide_pages
from services.files.documents.office.word_blocks import word_blocks
from services.files.documents.sections import block_text
from services.files.upload import FileRefused, Readable
from services.i18n import gettext, gettext_noop

_ANEW = gettext_noop("Open it on your computer, save it again as .docx, .pptx or PDF, and attach that.")


def read_word(content: bytes) -> Readable:
    """Read a .docx; raises `FileRefused` for one that is locked, damaged, has macros, or unpacks to far too much."""
    try:
        package = OfficePackage(content)
        blocks = [block_text(block) for block in word_blocks(package)] if package.is_word else None
    except FileRefused as refusal:
        raise FileRefused(str(refusal), next_step=gettext(_ANEW)) from None
    if blocks is None:
        raise FileRefused(
            gettext("This is not a Word document, whatever its name says."), next_step=gettext(_ANEW)
        ) from None
    return text.readable("word", "\n\n".join(block for block in blocks if block.strip()))


def read_slides(content: bytes) -> Readable:
    """Read a .pptx, each slide with its number and its speaker's notes; raises `FileRefused` as `read_word` does."""
    try:
        package = OfficePackage(content)
        slides = list(_slides(package)) if package.is_slides else None
    except FileRefused as refusal:
        raise FileRefused(str(refusal), next_step=gettext(_ANEW)) from None
    if slides is None:
        raise FileRefused(gettext("These are no slides, whatever the name says."), next_step=gettext(_ANEW))
    return text.readable("slides", "\n\n".join(slides))


def _slides(package: OfficePackage) -> Iterator[str]:
    _, pages = slide_pages(package)
    for page in pages:
        if isinstance(page, DocumentPage):
            notes = f"\n\nSpeaker's notes:\n{page.notes}" if page.notes else ""
            yield f"[Slide {page.number}]\n{page.text}{notes}"
