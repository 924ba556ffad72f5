"""`Retention`: deletes in time what was read and is not used any more, and what lost accounts and crashes left."""

from datetime import timedelta

from services.materials.listings import Listings
from services.materials.store.records import SHELF
from services.materials.store.repository import CONTENTS, COURSES, MATERIALS, MaterialRepository
from services.runtime.clock import Clock, stamp
from services.storage.due_queue import DueQueue

UNUSED_FOR = timedelta(days=180)
TIDY_EVERY = timedelta(days=1)
OLD_PARTS = timedelta(hours=1)
"""Younger parts may be of a material that is being stored just now."""
_AT_ONCE = 40
"""Courses of one round of the jobs loop, those of as many students first."""


class Retention:
    """Deletion of what nobody has asked for in `UNUSED_FOR`; uploads stay until their student removes them."""

    def __init__(self, repository: MaterialRepository, listings: Listings, clock: Clock) -> None:
        self._repository, self._listings, self._clock = repository, listings, clock
        self._due = DueQueue(
            store=repository.store,
            job="tidy_libraries",
            collection=COURSES,
            due_field="tidied_at",
            clock=clock,
            moves=False,
        )

    def tidy_due(self) -> int:
        """For the jobs loop: look at the libraries whose turn it is; how many there were."""
        tidied: set[str] = set()

        def tidy(student_id: str, _: str) -> None:
            if student_id not in tidied:
                self._tidy(student_id)
                tidied.add(student_id)

        self._due.run(tidy, limit=_AT_ONCE, age=TIDY_EVERY)
        return len(tidied)

    def _tidy(self, student_id: str) -> None:
        now = self._clock()
        for key, record in self._listings.known(student_id).items():
            is_unused = record.used_at is None or now - record.used_at > UNUSED_FOR
            if is_unused and record.source != SHELF:
                self._repository.give_up_course(student_id, record)
            else:
                self._repository.update_course(student_id, key, {"tidied_at": now})
        delete_orphans(self._repository, student_id, self._clock)


def delete_orphans(repository: MaterialRepository, student_id: str, clock: Clock) -> int:
    """Delete parts of texts and uploads that no material names, as a process that died leaves them; how many."""
    mine, before = repository.store.for_student(student_id), stamp(clock() - OLD_PARTS)
    readings = {document["id"]: document["reading"] for document in mine.find(MATERIALS, {})}
    deleted = 0
    for collection in CONTENTS:
        for document in mine.find(collection, {"at": {"$lt": before}}):
            named = readings.get(document["material_id"])
            if named is None or document.get("reading", named) != named:
                deleted += mine.delete(collection, {"id": document["id"]})
    return deleted
