"""Jobs of a reader process: what can be asked for of a file, each as records of the answer."""

from collections.abc import Iterator, Mapping
from typing import Any

from services.files.documents.picture import page_picture
from services.files.documents.reader import read_document
from services.files.reader_process import Job, Record
from services.files.readers import read_upload
from services.files.upload import Readable, Upload


def _attachment(upload: Upload, _request: Mapping[str, Any]) -> Iterator[Record]:
    yield _record(read_upload(upload))


def _picture(upload: Upload, request: Mapping[str, Any]) -> Iterator[Record]:
    yield _record(page_picture(upload, request["number"], request["mark"]))


def _document(upload: Upload, _request: Mapping[str, Any]) -> Iterator[Record]:
    return ((record, b"") for record in read_document(upload))


def _record(readable: Readable) -> Record:
    fields = {name: value for name, value in vars(readable).items() if name != "content"}
    return {**fields, "end": True}, readable.content


JOBS: Mapping[str, Job] = {"attachment": _attachment, "document": _document, "picture": _picture}
