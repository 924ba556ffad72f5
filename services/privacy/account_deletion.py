"""Account deletion: erases all data of a student after they confirmed it, and what other processes write later."""

import logging
from collections.abc import Callable
from datetime import timedelta

from services.connections.connections import Connections
from services.errors import DuplicateDocument
from services.identity.sign_in_sessions import Tombstones
from services.identity.students import Students
from services.privacy.data_inventory import DATA_INVENTORY
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.store import Store
from services.turns.runner import TurnRunner

log = logging.getLogger(__name__)

COLLECTION = "departures"
FIRST_TRY = timedelta(seconds=30)
"""Time for the first attempt, before the jobs loop resumes a deletion."""
AFTERWARDS = (timedelta(minutes=1), timedelta(minutes=4), timedelta(minutes=10))
"""Between looks for what came late: a call that was under way in any replica notes its end when it comes back."""
DEFERRED_WORK_S = 2.0
"""For this process's work after turns; what comes later still is removed as a late write."""
_UNDER_WAY = {"status": {"$in": ["running", "waiting"]}}
_LAST = ("students", COLLECTION)
_STAYS = "revocations"


class AccountDeletion:
    """Deletion that survives crashes: a record of it is stored before the first step and until the last.

    Each step may be repeated, by any replica.
    """

    def __init__(
        self,
        *,
        store: Store,
        students: Students,
        connections: Connections,
        turns: TurnRunner,
        leave_classes: Callable[[str], None],
        settle_costs: Callable[[float], None],
        clock: Clock,
    ) -> None:
        """leave_classes: takes a student out of their classes, by id; may be repeated. settle_costs: waits until what
        requests have cost is written, for so many seconds at most.
        """
        self._store, self._students, self._connections = store, students, connections
        self._turns, self._leave_classes, self._settle_costs = turns, leave_classes, settle_costs
        self._clock = clock

    def delete(self, student_id: str) -> list[str]:
        """Delete everything of this student now; the services that did not take their grant back yet.

        Those are asked again by the jobs loop, for 30 days at most; of all else nothing is left.
        """
        record = {"id": student_id, "next_at": self._in(FIRST_TRY), "looks": 0}
        try:
            self._store.shared.insert(COLLECTION, record)
        except DuplicateDocument:
            log.info("departure_begun_already")
        self._remove(student_id)
        unanswered = self._connections.end_queued(student_id)
        self._store.purge_deleted()
        log.info("student_deleted unanswered=%s", len(unanswered))
        return unanswered

    def finish_due(self) -> int:
        """For the jobs loop: resume deletions after a crash, and remove late writes; how many it looked at."""
        where = {"next_at": {"$lte": stamp(self._clock())}}
        due = self._store.shared.find(COLLECTION, where, order=[("next_at", 1)])
        resumed = self._store.guard.work_through("finish_departures", COLLECTION, due, self._resume)
        return sum(resumed)

    def _resume(self, record: Document) -> bool:
        student_id, looks = record["id"], record["looks"]
        if looks < len(AFTERWARDS):
            changes = {"looks": looks + 1, "next_at": self._in(AFTERWARDS[looks])}
            if self._store.shared.compare_and_set(COLLECTION, student_id, {"looks": looks}, changes) is None:
                return False
        self._remove(student_id)
        self._connections.end_queued(student_id)
        if looks == len(AFTERWARDS):
            self._store.shared.delete(COLLECTION, {"id": student_id})
        self._store.purge_deleted()
        return True

    def _remove(self, student_id: str) -> None:
        """Everything but queued revocations. The student's own document goes last: until then they are kept out."""
        student = self._students.begin_deletion(student_id)
        if student is not None:
            for turn in self._store.for_student(student_id).find("turns", _UNDER_WAY):
                self._turns.stop(student, turn["id"])
            # Titles, search words and costs of answers that ended just now, also by these stops, would come later.
            self._turns.wait_for_deferred_work(DEFERRED_WORK_S)
            self._settle_costs(DEFERRED_WORK_S)
        self._connections.disconnect_all(student_id)
        self._leave_classes(student_id)
        for name in sorted(self._store.owned - {_STAYS}):
            self._store.for_student(student_id).delete(name, {})
        for item in DATA_INVENTORY:
            if item.field is not None and item.collection not in _LAST:
                self._store.shared.delete(item.collection, item.where(self._store, student_id))
        self._students.remove(student_id)

    def _in(self, span: timedelta) -> str:
        return stamp(self._clock() + span)


def repeat_deletions(latest: Store, restored: Store, *, secret: str, clock: Clock) -> int:
    """Queue in a restored backup the deletion of those who have deleted their account since it was made; how many.

    latest: the store that the backup replaces. secret: that of the tombstones, the same as then.
    """
    since, before = Tombstones(latest, clock, secret), Tombstones(restored, clock, secret)
    repeated = 0
    for student in restored.shared.find("students", {}):
        identity = student["issuer"], student["subject"]
        tombstone = since.of(*identity)
        if tombstone is not None and tombstone != before.of(*identity):
            restored.shared.put("farewells", tombstone)
            restored.shared.put(COLLECTION, {"id": student["id"], "next_at": stamp(clock()), "looks": 0})
            repeated += 1
    for record in latest.shared.find(COLLECTION, {}):
        restored.shared.put(COLLECTION, record)
    return repeated
