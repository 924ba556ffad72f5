"""Data export: everything that Homeroom stores of a student, as a zip archive."""

import io
import json
import os
import textwrap
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from services.approvals.approvals import Approvals
from services.conversations.chat_export import conversation_to_markdown, markdown_file_name
from services.conversations.conversations import Conversations
from services.errors import BadArguments, ItemNotFound
from services.files.upload import clean_name
from services.i18n import formats, gettext
from services.identity.students import Student
from services.materials.material import MaterialPage
from services.materials.store.records import SHELF, MaterialRecord
from services.materials.store.repository import MaterialRepository
from services.materials.store.text_parts import DamagedText
from services.materials.store.uploads import Uploads
from services.privacy.data_inventory import DATA_INVENTORY
from services.privacy.data_retention import retention_of
from services.privacy.inventory_item import InventoryItem
from services.runtime.clock import Clock
from services.settings import Settings
from services.settings.operations import RetentionDays
from services.storage.documents import Document
from services.storage.store import Store

_EVERY = 1_000_000
"""More conversations than anybody has."""
_WIDTH = 88


class ExportServices(Protocol):
    """Part of the `ServiceContainer` that an export reads."""

    @property
    def settings(self) -> Settings: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def store(self) -> Store: ...
    @property
    def conversations(self) -> Conversations: ...
    @property
    def approvals(self) -> Approvals: ...


def export_archive(services: ExportServices, student: Student) -> bytes:
    """Make the zip: README.txt, a JSON file for each collection, and each conversation as Markdown besides.

    Nothing in it is a secret, sealed or hashed: it may be given to whoever is to read it.
    """
    now = services.clock().astimezone(ZoneInfo(student.timezone))
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        numbers = {}
        for item in DATA_INVENTORY:
            if item.is_exported:
                found = [_shown(item, document) for document in item.documents(services.store, student.id)]
                numbers[item.collection] = len(found)
                _add(archive, _json_name(item), json.dumps(found, ensure_ascii=False, indent=1), now)
        for name, text in _conversations(services, student):
            _add(archive, name, text, now)
        for name, content in _files(services, student):
            _add(archive, name, content, now)
        for name, content in _materials(services, student.id):
            _add(archive, name, content, now)
        readme = _readme(student, numbers, now, services.settings.operations.retention)
        _add(archive, "README.txt", readme, now)
    return whole.getvalue()


def write_archive(path: Path, archive: bytes) -> None:
    """Write the file with mode 0600; raises `BadArguments` when it cannot be made, or is there already."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(archive)
    except OSError as error:
        raise BadArguments(f"{path} cannot be made ({error.strerror}).", next_step="Name a new file.") from None


def archive_name(now: datetime, timezone: str) -> str:
    """The archive's file name, with the student's own date."""
    return f"homeroom-{now.astimezone(ZoneInfo(timezone)):%Y-%m-%d}.zip"


def _shown(item: InventoryItem, document: Document) -> Document:
    return {field: value for field, value in document.items() if field not in item.excluded_fields}


def _json_name(item: InventoryItem) -> str:
    return f"data/{item.collection}.json"


def _conversations(services: ExportServices, student: Student) -> Iterator[tuple[str, str]]:
    for conversation in services.conversations.list(student.id, _EVERY, has_all_versions=True):
        items = services.conversations.view(student.id, conversation.id)
        approvals = services.approvals.for_conversation(student.id, conversation.id)
        origin = services.settings.public_url
        text = conversation_to_markdown(conversation, items, approvals, student.timezone, own_origin=origin)
        yield f"conversations/{markdown_file_name(conversation, student.timezone)}", text


def _files(services: ExportServices, student: Student) -> Iterator[tuple[str, bytes]]:
    for file in services.store.for_student(student.id).find("files", {}):
        try:
            content = services.conversations.files.read_original(student.id, file["conversation_id"], file["file_id"])
        except ItemNotFound:
            # Its chat was deleted a moment ago.
            continue
        yield f"files/{file['conversation_id'][:8]}/{file['file_id'][:6]}-{file['name']}", content


def _materials(services: ExportServices, student_id: str) -> Iterator[tuple[str, bytes]]:
    """Files that were added to courses, and the text of every material that was read."""
    repository = MaterialRepository(services.store, services.clock)
    uploads = Uploads(repository, services.clock)
    for key, course in repository.courses(student_id).items():
        folder = f"{clean_name(course.course.name)}-{key[-6:]}"
        for record in repository.materials(student_id, [key]):
            name = f"materials/{folder}/{record.material.position:03d}-{clean_name(record.material.title)}"
            if record.reading:
                yield f"{name}.txt", _material_text(repository, student_id, record).encode()
            if record.source == SHELF:
                yield name, uploads.content(student_id, record).content


def _material_text(repository: MaterialRepository, student_id: str, record: MaterialRecord) -> str:
    try:
        pages = repository.pages(student_id, record, None)
    except DamagedText:
        pages = []
    head = "\n".join(line for line in (record.material.title, record.material.url) if line)
    return "\n\n".join([head, *(_material_page(page, record) for page in pages)]) + "\n"


def _material_page(page: MaterialPage, record: MaterialRecord) -> str:
    label = f": {page.label}" if page.label else ""
    notes = f"\n\n{page.notes}" if page.notes else ""
    return f"--- {record.unit} {page.number}{label} ---\n\n{page.text}{notes}"


def _add(archive: zipfile.ZipFile, name: str, text: str | bytes, now: datetime) -> None:
    entry = zipfile.ZipInfo(name, now.timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    archive.writestr(entry, text)


def _readme(student: Student, numbers: dict[str, int], now: datetime, days: RetentionDays) -> str:
    when = formats.moment(now, ZoneInfo(student.timezone))
    head = [
        *_headed(gettext("Everything that Homeroom keeps of you"), "="),
        "",
        gettext("Made for {name} on {when}.", name=student.name, when=when),
        "",
        *_wrapped(
            gettext(
                "conversations/ holds your chats as text that any editor opens (Markdown). data/ holds everything as "
                "it is stored, for programs (JSON, times in UTC)."
            )
        ),
        "",
        *_wrapped(
            gettext(
                "Not in here: the keys to your connected accounts and to Homeroom. They are secrets and stay sealed, "
                "so you can pass this archive on without giving anybody access. What your services keep (Canvas, your "
                "calendar, Notion and others) is theirs: Homeroom stores no copy beyond what stands in your chats."
            )
        ),
        "",
        *_headed(gettext("What is in data/"), "-"),
    ]
    return "\n".join([*head, *_described(numbers, days)]) + "\n"


def _described(numbers: dict[str, int], days: RetentionDays) -> Iterator[str]:
    for item in DATA_INVENTORY:
        if item.is_exported:
            yield f"\n{_json_name(item)}: {gettext(item.title)} ({formats.number(numbers[item.collection])})"
            yield from _wrapped(
                gettext("{holds} Kept: {lasts}", holds=gettext(item.holds), lasts=retention_of(item, days)), indent="  "
            )
    rest = ", ".join(gettext(item.title).lower() for item in DATA_INVENTORY if not item.is_exported)
    yield ""
    yield from _wrapped(gettext("Left out, because it says nothing that is not above: {rest}.", rest=rest))


def _headed(title: str, line: str) -> Sequence[str]:
    return title, line * len(title)


def _wrapped(text: str, *, indent: str = "") -> Sequence[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
