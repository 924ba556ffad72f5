"""Archive of a library: its texts and uploads as files, for the export of a student's data."""

from collections.abc import Iterator

from services.files.upload import clean_name
from services.materials.material import MaterialPage
from services.materials.store.records import SHELF, MaterialRecord
from services.materials.store.repository import MaterialRepository
from services.materials.store.text_parts import DamagedText
from services.materials.store.uploads import Uploads
from services.runtime.clock import Clock
from services.storage.store import Store


def archive_files(store: Store, clock: Clock, student_id: str) -> Iterator[tuple[str, bytes]]:
    """Path and content of each file: uploads as they were added, and the text of every material that was read."""
    repository = MaterialRepository(store, clock)
    uploads = Uploads(repository, clock)
    for key, course in repository.courses(student_id).items():
        folder = f"{clean_name(course.course.name)}-{key[-6:]}"
        for record in repository.materials(student_id, [key]):
            name = f"materials/{folder}/{record.material.position:03d}-{clean_name(record.material.title)}"
            if record.reading:
                yield f"{name}.txt", _text(repository, student_id, record).encode()
            if record.source == SHELF:
                yield name, uploads.content(student_id, record).content


def _text(repository: MaterialRepository, student_id: str, record: MaterialRecord) -> str:
    try:
        pages = repository.pages(student_id, record, None)
    except DamagedText:
        pages = []
    head = "\n".join(line for line in (record.material.title, record.material.url) if line)
    return "\n\n".join([head, *(_page(page, record) for page in pages)]) + "\n"


def _page(page: MaterialPage, record: MaterialRecord) -> str:
    label = f": {page.label}" if page.label else ""
    notes = f"\n\n{page.notes}" if page.notes else ""
    return f"--- {record.unit} {page.number}{label} ---\n\n{page.text}{notes}"
