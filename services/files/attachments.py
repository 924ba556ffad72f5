"""Attachments: `Attachment`, the reference to a file in a message, and `Files`, the repository of files."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from services.errors import ItemNotFound
from services.files.limits import MOST_KEPT
from services.files.reader_queue import reading_for
from services.files.readers import read_uploads
from services.files.upload import FilesRefused, Kind, Readable, Upload, clean_name, format_size
from services.i18n import gettext, gettext_noop, ngettext
from services.runtime.clock import Clock, stamp
from services.storage.records import read_record
from services.storage.store import Store, StudentDocuments

TYPE = "attachment"
"""The type of the block that stands for a file in a stored message; the API never sees one."""
_KINDS = {
    "pdf": "PDF",
    "image": gettext_noop("Image"),
    "text": gettext_noop("Text"),
    "word": gettext_noop("Word document"),
    "slides": gettext_noop("Slides"),
}
COLLECTION = "files"
PARTS = "file_parts"
PART = 3 * 1024 * 1024
"""Bytes of a part; as base64 four MB, far from the 16 MB that a document may have in MongoDB. Three divide it, so
that the parts' base64 is the file's when it is put together."""
_ORIGINAL, _READING = "original", "reading"


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """Reference to a file.

    id: a hash of the content. size: bytes of the student's file. weight: bytes of what the model gets.

    media_type, tokens, pages: of what the model gets (see `PageText`).
    """

    id: str
    name: str = field(repr=False)
    kind: Kind
    media_type: str
    size: int
    weight: int
    tokens: int
    pages: int = 0

    @property
    def description(self) -> str:
        """ "PDF, 12 pages, 1.3 MB"."""
        pages = [ngettext("{n} page", "{n} pages", self.pages)] if self.pages else []
        return ", ".join([gettext(_KINDS[self.kind]), *pages, format_size(self.size)])

    def block(self) -> dict[str, Any]:
        """The reference that a stored message holds in its content."""
        return {"type": TYPE, **asdict(self)}


def attachments_in(content: Iterable[Mapping[str, Any]]) -> tuple[Attachment, ...]:
    """The files that came with a message, from its stored content."""
    return tuple(from_block(block) for block in content if block["type"] == TYPE)


def from_block(block: Mapping[str, Any]) -> Attachment:
    return read_record(Attachment, block)


@dataclass(frozen=True, kw_only=True)
class CheckedFile:
    """File that passed the checks and is not stored yet."""

    attachment: Attachment
    original: bytes = field(repr=False)
    readable: Readable


class Files:
    """Repository of the files of all conversations."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def check_uploads(self, student_id: str, uploads: Sequence[Upload]) -> list[CheckedFile]:
        """Check the files of one message; nothing is stored yet.

        Raises `FilesRefused`, which says of each bad file what is wrong and what to do.
        """
        if not uploads:
            return []
        with reading_for(student_id):
            readables = read_uploads(uploads)
        found = [_checked(upload, readable) for upload, readable in zip(uploads, readables, strict=True)]
        stored_bytes = sum(document["size"] for document in self._store.for_student(student_id).find(COLLECTION, {}))
        if stored_bytes + sum(len(upload.original) for upload in found) > MOST_KEPT:
            raise FilesRefused(
                gettext(
                    "The files in your chats have come to {kept}, and {most} are the most.",
                    kept=format_size(stored_bytes),
                    most=format_size(MOST_KEPT),
                ),
                next_step=gettext("Delete chats with files that you do not need any more."),
            )
        return found

    def store_files(self, student_id: str, conversation_id: str, checked: Sequence[CheckedFile]) -> list[Attachment]:
        """Store checked files with the conversation; what is there already is not stored again."""
        documents = self._store.for_student(student_id)
        for file in checked:
            if documents.get(COLLECTION, _key(conversation_id, file.attachment.id)) is None:
                self._keep(documents, conversation_id, file)
        return [file.attachment for file in checked]

    def read_original(self, student_id: str, conversation_id: str, file_id: str) -> bytes:
        """The file as the student attached it; raises `ItemNotFound`, for another student's too."""
        found = self._store.for_student(student_id).get(COLLECTION, _key(conversation_id, file_id))
        if found is None:
            raise ItemNotFound(
                "Homeroom", gettext("This file is not here any more."), next_step=gettext("Attach it again.")
            )
        return base64.b64decode(self._base64(student_id, conversation_id, file_id, _ORIGINAL))

    def read_for_model(self, student_id: str, conversation_id: str, attachment: Attachment) -> str | None:
        """Read a file in the form that the model gets, as base64; None when it is not stored any more."""
        what = _ORIGINAL if attachment.kind == "pdf" else _READING
        return self._base64(student_id, conversation_id, attachment.id, what) or None

    def _keep(self, documents: StudentDocuments, conversation_id: str, checked_file: CheckedFile) -> None:
        """Store the parts first: whoever finds the file's document finds it whole."""
        contents = {_ORIGINAL: checked_file.original}
        if checked_file.attachment.kind != "pdf":
            contents[_READING] = checked_file.readable.content
        where = {"conversation_id": conversation_id, "file_id": checked_file.attachment.id}
        for what, content in contents.items():
            for number, part in enumerate(_parts(content)):
                id = f"{_key(conversation_id, checked_file.attachment.id)}.{what}.{number:03d}"
                data = base64.b64encode(part).decode()
                documents.put(PARTS, {"id": id, **where, "what": what, "number": number, "data": data})
        fields = {name: value for name, value in checked_file.attachment.block().items() if name not in ("id", "type")}
        document = {
            "id": _key(conversation_id, checked_file.attachment.id),
            **where,
            **fields,
            "at": stamp(self._clock()),
        }
        documents.put(COLLECTION, document)

    def _base64(self, student_id: str, conversation_id: str, file_id: str, what: str) -> str:
        where = {"conversation_id": conversation_id, "file_id": file_id, "what": what}
        found = self._store.for_student(student_id).find(PARTS, where, order=[("number", 1)])
        return "".join(part["data"] for part in found)


def _checked(upload: Upload, readable: Readable) -> CheckedFile:
    digest = hashlib.sha256(f"{readable.kind}\n".encode() + upload.content).hexdigest()
    attachment = Attachment(
        id=digest[:32],
        name=clean_name(upload.name),
        kind=readable.kind,
        media_type=readable.media_type,
        size=len(upload.content),
        weight=len(readable.content),
        tokens=readable.tokens,
        pages=readable.pages,
    )
    return CheckedFile(attachment=attachment, original=upload.content, readable=readable)


def _parts(content: bytes) -> Iterator[bytes]:
    return (content[at : at + PART] for at in range(0, len(content), PART))


def _key(conversation_id: str, file_id: str) -> str:
    return f"{conversation_id}.{file_id}"
