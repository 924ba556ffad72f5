"""Orphans: parts of texts and uploads that no material names, as a process that died on the way leaves them."""

from datetime import timedelta

from services.materials.store.repository import CONTENTS, MATERIALS, MaterialRepository
from services.runtime.clock import Clock, stamp

OLD = timedelta(hours=1)
"""Younger parts may be of a material that is being stored just now."""


def delete_orphans(repository: MaterialRepository, student_id: str, clock: Clock) -> int:
    """Delete a student's orphans; how many there were."""
    mine, before = repository.store.for_student(student_id), stamp(clock() - OLD)
    readings = {document["id"]: document["reading"] for document in mine.find(MATERIALS, {})}
    deleted = 0
    for collection in CONTENTS:
        for document in mine.find(collection, {"at": {"$lt": before}}):
            named = readings.get(document["material_id"])
            if named is None or document.get("reading", named) != named:
                deleted += mine.delete(collection, {"id": document["id"]})
    return deleted
