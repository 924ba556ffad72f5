"""`Ingester`: reads one material in: fetched from its source, read by page, packed and stored."""

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Protocol

from services.errors import ItemNotFound, PermissionMissing, RequestRefused, TooLarge
from services.files.documents.document import DocumentText
from services.files.documents.document_reader import document_reader
from services.files.reader_queue import reading_for
from services.files.upload import FileRefused, Upload, extension
from services.i18n import get_locale
from services.materials.connected_sources import ConnectedSources
from services.materials.ingestion.packer import pack
from services.materials.limits import LibraryMeter
from services.materials.material import MaterialPage, MaterialText, PageUnit
from services.materials.source import MaterialContent
from services.materials.store.original_file_cache import OriginalFileCache
from services.materials.store.records import SHELF, MaterialRecord
from services.materials.store.repository import MaterialRepository
from services.materials.store.text_parts import PackedText
from services.materials.store.uploads import Uploads

log = logging.getLogger(__name__)

MOST_REMEMBERED = 24_000_000
"""Bytes of packed texts that are kept for the next student with the same file."""


class PackText(Protocol):
    """Reads a file by page in a process of its own, and packs it; raises `FileRefused`."""

    def __call__(self, content: MaterialContent, *, is_background: bool) -> PackedText: ...


@dataclass(kw_only=True)
class PackedTexts:
    """LRU cache of packed texts by the hash of the very bytes they are of: a class of 200 reads the same deck once.

    Nobody is given a text by it who has not fetched the same file with their own account a moment ago.
    """

    most_bytes: int = MOST_REMEMBERED
    _known: OrderedDict[str, PackedText] = field(default_factory=OrderedDict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def get_or_pack(self, content: MaterialContent, pack: Callable[[], PackedText]) -> PackedText:
        digest = hashlib.sha256(content.content)
        digest.update(f"{extension(content.name)} {get_locale()}".encode())
        key = digest.hexdigest()
        with self._lock:
            if found := self._known.get(key):
                self._known.move_to_end(key)
                return found
        packed = pack()
        with self._lock:
            self._known[key] = packed
            while sum(text.stored_bytes for text in self._known.values()) > self.most_bytes:
                self._known.popitem(last=False)
        return packed


class Ingester:
    """Reader of materials into the store; the same one is read once at a time in this process."""

    def __init__(
        self,
        *,
        repository: MaterialRepository,
        sources: ConnectedSources,
        uploads: Uploads,
        originals: OriginalFileCache,
        meter: LibraryMeter,
        pack: PackText,
    ) -> None:
        self._repository, self._sources, self._uploads = repository, sources, uploads
        self._originals, self._meter, self._pack = originals, meter, pack
        self._packed = PackedTexts()
        self._lock = threading.Lock()
        self._reading: dict[tuple[str, str, str], Future[None]] = {}

    def read(self, student_id: str, record: MaterialRecord, *, is_background: bool = False) -> None:
        """Read a material into the store; does nothing for one that changed or went meanwhile.

        Raises `FileRefused` for one that cannot be read, which is noted; `PermissionMissing` and `ItemNotFound` for one
        that is closed by now, whose text is deleted; `LibraryFull`; and what its source raises.
        """
        key = (student_id, record.material.id, record.material.version)
        with self._lock:
            running = self._reading.get(key)
            mine = running is None
            if running is None:
                running = self._reading[key] = Future()
        if not mine:
            return running.result()
        try:
            self._read(student_id, record, is_background=is_background)
            running.set_result(None)
        except BaseException as error:
            running.set_exception(error)
            raise
        finally:
            with self._lock:
                self._reading.pop(key, None)

    def fetch(self, student_id: str, record: MaterialRecord) -> MaterialContent:
        """Fetch a material, from the upload that it is or from its source; kept for a while for its pictures."""
        if record.source == SHELF:
            return self._uploads.content(student_id, record)
        if content := self._originals.get(student_id, record.material):
            return content
        try:
            content = self._sources.open(student_id, record.source).content(record.material)
        except (PermissionMissing, ItemNotFound) as error:
            self._repository.drop_texts(student_id, [record], locked=str(error))
            raise
        self._originals.put(student_id, record.material, content)
        return content

    def _fetch_whole(self, student_id: str, record: MaterialRecord) -> MaterialContent:
        """Fetch a material; one that its source cannot give out, such as one that is too large, is like one that cannot
        be read.
        """
        try:
            return self.fetch(student_id, record)
        except (RequestRefused, TooLarge) as refusal:
            raise FileRefused(str(refusal), next_step=refusal.next_step) from None

    def _read(self, student_id: str, record: MaterialRecord, *, is_background: bool) -> None:
        self._meter.require_room(student_id)
        try:
            content = self._fetch_whole(student_id, record)
            with reading_for(student_id):
                packed = self._packed.get_or_pack(content, lambda: self._pack(content, is_background=is_background))
        except FileRefused as refusal:
            self._originals.drop(student_id, record.material)
            self._repository.save_refusal(student_id, record.material, str(refusal), refusal.next_step)
            raise
        self._meter.require_room(student_id, text=packed.stored_bytes - record.text_bytes)
        if self._repository.save_text(student_id, record.material, packed):
            self._meter.add(packed.stored_bytes)
        else:
            log.info("material_changed_while_read")


def pack_document(content: MaterialContent, *, is_background: bool) -> PackedText:
    """Read and pack a file, in processes of their own; one that stands back where nobody waits for it.

    Raises `FileRefused`, and `ServiceUnavailable` where all readers stay busy.
    """
    upload = Upload(name=content.name, content=content.content)
    return pack(material_text(document_reader(is_background=is_background).read(upload)))


def material_text(read: DocumentText) -> MaterialText:
    """The text of a material, from what was read of its file."""
    return MaterialText(
        unit=PageUnit(read.unit),
        pages=[
            MaterialPage(number=page.number, label=page.label, text=page.text, notes=page.notes, is_blank=page.is_blank)
            for page in read.pages
        ],
        count=read.count,
        has_pictures=read.can_picture,
        remarks=tuple(read.remarks),
    )
