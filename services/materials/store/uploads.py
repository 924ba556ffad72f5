"""`Uploads`: files that a student adds to a course's shelf, kept whole in the store until they remove them."""

import base64
import hashlib
from collections.abc import Iterator

from services.errors import ItemNotFound
from services.files.attachments import PART
from services.files.upload import Upload, clean_name
from services.i18n import gettext
from services.materials.material import Material, MaterialKind
from services.materials.source import MaterialContent
from services.materials.store.records import SHELF, MaterialRecord, material_fields
from services.materials.store.repository import MATERIALS, UPLOADS, MaterialRepository
from services.runtime.clock import Clock, stamp


class Uploads:
    """Repository of uploads. Their parts are stored first: whoever finds the material finds it whole."""

    def __init__(self, repository: MaterialRepository, clock: Clock) -> None:
        self._repository, self._clock = repository, clock

    def material(self, course_key: str, upload: Upload, *, position: int) -> Material:
        """The material that a file becomes in a course: the same file twice is the same material."""
        digest = hashlib.sha256(upload.content).hexdigest()
        name = clean_name(upload.name)
        return Material(
            id=f"upload-{hashlib.sha256(f'{course_key} {digest}'.encode()).hexdigest()[:20]}",
            course_key=course_key,
            kind=MaterialKind.UPLOAD,
            title=name,
            position=position,
            name=name,
            version=digest[:20],
            size=len(upload.content),
            dated_at=self._clock(),
        )

    def add(self, student_id: str, material: Material, upload: Upload) -> None:
        mine = self._repository.store.for_student(student_id)
        for number, part in enumerate(_parts(upload.content)):
            where = {"id": f"{material.id}.{number:03d}", "material_id": material.id, "number": number}
            mine.put(UPLOADS, {**where, "at": stamp(self._clock()), "data": base64.b64encode(part).decode()})
        fields = {"is_listed": True, "reading": "", "upload_bytes": len(upload.content), **material_fields(material)}
        mine.put(MATERIALS, {"id": material.id, "source": SHELF, **fields})

    def content(self, student_id: str, record: MaterialRecord) -> MaterialContent:
        """The file as it was added; raises `ItemNotFound`."""
        where = {"material_id": record.material.id}
        found = self._repository.reader(student_id, record).find(UPLOADS, where, order=[("number", 1)])
        if not found:
            raise ItemNotFound(
                "Homeroom", gettext("This file is not here any more."), next_step=gettext("Add it again.")
            )
        content = b"".join(base64.b64decode(part["data"]) for part in found)
        return MaterialContent(name=record.material.name, content=content)


def _parts(content: bytes) -> Iterator[bytes]:
    return (content[at : at + PART] for at in range(0, len(content), PART))
