"""Block readers: which one reads a text without pages, by what its bytes are."""

from collections.abc import Callable, Iterator, Mapping

from services.files.documents.content_type import ContentType
from services.files.documents.office.package import OfficePackage, Package
from services.files.documents.office.word_blocks import word_blocks
from services.files.documents.open_formats.epub import epub_blocks
from services.files.documents.open_formats.odf import odf_blocks
from services.files.documents.open_formats.rtf import rtf_blocks
from services.files.documents.open_formats.xlsx import xlsx_blocks
from services.files.documents.sections import Block
from services.files.documents.text_blocks import text_blocks
from services.files.documents.web_blocks import web_blocks
from services.files.text import decoded, decoded_page
from services.files.upload import Upload, extension

_READERS: Mapping[ContentType, Callable[[bytes], Iterator[Block]]] = {
    "word": lambda content: word_blocks(OfficePackage(content)),
    "sheets": lambda content: xlsx_blocks(OfficePackage(content)),
    "book": lambda content: epub_blocks(Package(content)),
    "open_document": lambda content: odf_blocks(Package(content)),
    "rich_text": rtf_blocks,
    "web": lambda content: web_blocks(decoded_page(content)),
}


def document_blocks(kind: ContentType, upload: Upload) -> Iterator[Block]:
    """Blocks of a file; raises `FileRefused`. kind: of its bytes, one without pages of its own."""
    reader = _READERS.get(kind)
    return reader(upload.content) if reader else text_blocks(decoded(upload.content), extension(upload.name))
