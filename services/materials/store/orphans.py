"""Orphans: parts of texts and uploads that no material names, as a process that died on the way leaves them."""

from services.materials.store.repository import CONTENTS, MATERIALS
from services.storage.store import StudentDocuments


def delete_orphans(mine: StudentDocuments) -> int:
    """Delete a student's orphans; how many there were. Nothing of theirs may be stored at the same time."""
    readings = {document["id"]: document["reading"] for document in mine.find(MATERIALS, {})}
    deleted = 0
    for collection in CONTENTS:
        for document in mine.find(collection, {}):
            named = readings.get(document["material_id"])
            if named is None or document.get("reading", named) != named:
                deleted += mine.delete(collection, {"id": document["id"]})
    return deleted
