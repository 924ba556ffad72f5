"""`DataRetention`: deletes what a deployment keeps only for so many days, and says so to students."""

import logging
from contextlib import suppress
from datetime import timedelta
from typing import Any

from services.conversations.deletion_queue import DeletionQueue
from services.conversations.versions import COLLECTION as CHATS
from services.errors import ItemNotFound
from services.i18n import gettext
from services.identity.students import Students
from services.privacy.inventory_item import InventoryItem
from services.runtime.clock import Clock, stamp
from services.settings.operations import RetentionDays
from services.storage.collections import OF_CONVERSATION
from services.storage.due_queue import DueQueue
from services.storage.store import Store

log = logging.getLogger(__name__)

ACTIVITY = "activity"
_AT_ONCE = 200
"""Documents of one round of the jobs loop."""


class DataRetention:
    """Chats without a message for `RetentionDays.chats` days, but for pinned ones, and activity of older days."""

    def __init__(
        self, store: Store, clock: Clock, students: Students, deletion_queue: DeletionQueue, days: RetentionDays
    ) -> None:
        self._store, self._clock, self._students = store, clock, students
        self._deletion_queue, self._days = deletion_queue, days
        self._chats = self._queue(CHATS, "updated_at", deleted_at=None, replaced_by=None, pinned={"$ne": True})
        self._activity = self._queue(ACTIVITY, "at")

    def apply_due(self) -> int:
        """For the jobs loop: delete what is due, a part in each round; how many documents that was."""
        deleted = self._delete_chats(self._days.chats) if self._days.chats else 0
        deleted += self._delete_activity(self._days.activity) if self._days.activity else 0
        if deleted:
            log.info("retention_applied count=%s", deleted)
        return deleted

    def _delete_chats(self, days: int) -> int:
        deleted: list[str] = []

        def delete(student_id: str, conversation_id: str) -> None:
            student = self._students.get(student_id)
            if student is not None:
                with suppress(ItemNotFound):
                    self._deletion_queue.delete(student, conversation_id)
                    deleted.append(conversation_id)

        self._chats.run(delete, limit=_AT_ONCE, age=timedelta(days=days))
        return len(deleted)

    def _delete_activity(self, days: int) -> int:
        old = {"at": {"$lte": stamp(self._clock() - timedelta(days=days))}}
        deleted: dict[str, int] = {}

        def delete(student_id: str, _: str) -> None:
            if student_id not in deleted:
                deleted[student_id] = self._store.for_student(student_id).delete(ACTIVITY, old)

        self._activity.run(delete, limit=_AT_ONCE, age=timedelta(days=days))
        return sum(deleted.values())

    def _queue(self, collection: str, field: str, **where: Any) -> DueQueue:
        return DueQueue(
            store=self._store,
            job="apply_retention",
            collection=collection,
            due_field=field,
            clock=self._clock,
            where=where,
            moves=False,
        )


def retention_of(item: InventoryItem, days: RetentionDays) -> str:
    """How long an item is kept in this deployment, for a person."""
    said = gettext(item.retention)
    if days.chats and item.collection in (CHATS, *OF_CONVERSATION):
        return gettext(
            "{lasts} This Homeroom also deletes chats {n} days after their last message, unless they are pinned.",
            lasts=said,
            n=days.chats,
        )
    if days.activity and item.collection == ACTIVITY:
        return gettext("{lasts} This Homeroom also deletes entries after {n} days.", lasts=said, n=days.activity)
    return said
