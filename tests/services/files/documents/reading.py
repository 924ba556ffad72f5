"""Reads documents in this process, for tests of what the readers make of them."""

from services.files.documents.document import DocumentPage
from services.files.documents.document_worker import read_document
from services.files.upload import Upload


def pages_of(content: bytes, name: str = "file.pdf") -> list[DocumentPage]:
    """Pages of a document as the reader process would answer them."""
    records = list(read_document(Upload(name=name, content=content)))
    return [DocumentPage(**record["page"]) for record in records if "page" in record]


def text_of(content: bytes, name: str = "file.pdf") -> str:
    return "\n".join(page.text for page in pages_of(content, name))
