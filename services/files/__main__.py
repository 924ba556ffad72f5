"""Program of a reader process: reads the files of its input under the memory limit of its argument, in bytes.

Its jobs are what can be asked for of a file, each answered in records.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from services.files.documents.document_worker import read_document
from services.files.documents.office.package import OfficePackage
from services.files.documents.office.pdf_converter import printable_copy
from services.files.documents.office.word_blocks import word_blocks
from services.files.documents.picture import page_picture
from services.files.documents.sections import sections
from services.files.reader_process import Job, Record, serve_process
from services.files.readers import read_upload
from services.files.upload import Upload

_ANCHOR = 300
"""Characters of a section by which its page is found."""


def _attachment(upload: Upload, _options: Mapping[str, Any]) -> Iterator[Record]:
    readable = read_upload(upload)
    fields = {name: value for name, value in vars(readable).items() if name != "content"}
    yield {**fields, "end": True}, readable.content


def _picture(upload: Upload, options: Mapping[str, Any]) -> Iterator[Record]:
    picture, mark_top = page_picture(upload, options["number"], options["mark"], options["anchor"])
    yield {"media_type": picture.media_type, "mark_top": mark_top, "end": True}, picture.content


def _printable(upload: Upload, options: Mapping[str, Any]) -> Iterator[Record]:
    """A copy for the program that turns it into a PDF; with how a section's text begins, to find it there."""
    package = OfficePackage(upload.content)
    pages = () if package.is_slides else sections(word_blocks(package))
    anchor = next((page.text for page in pages if page.number == options["number"]), "")
    ending = "pptx" if package.is_slides else "docx"
    yield {"ending": ending, "anchor": anchor[:_ANCHOR], "end": True}, printable_copy(package)


def _document(upload: Upload, options: Mapping[str, Any]) -> Iterator[Record]:
    wanted = {name: options[name] for name in ("first", "left_out", "page_limit_s")}
    return ((record, b"") for record in read_document(upload, **wanted))


JOBS: Mapping[str, Job] = {
    "attachment": _attachment,
    "document": _document,
    "picture": _picture,
    "printable": _printable,
}

if __name__ == "__main__":
    serve_process(JOBS)
