"""`DeletionQueue`: deleted chats: hidden at once, restorable for a short time, then deleted for good."""

import logging
from collections.abc import Callable
from datetime import timedelta

from services.conversations.conversation import ConversationSummary, conversation_summary
from services.conversations.conversations import Conversations
from services.conversations.versions import COLLECTION, version_ids
from services.errors import ItemNotFound
from services.i18n import gettext
from services.identity.students import Student
from services.runtime.clock import Clock, stamp
from services.storage.due_queue import DueQueue
from services.storage.records import read_all
from services.storage.store import Store

log = logging.getLogger(__name__)

RESTORABLE_FOR = timedelta(minutes=10)
"""How long a deleted chat can be restored."""
_AT_ONCE = 500
"""Chats of one round of the jobs loop."""


class DeletionQueue:
    def __init__(
        self, store: Store, clock: Clock, conversations: Conversations, *, end_turns: Callable[[Student, str], None]
    ) -> None:
        """end_turns: ends what runs in a student's conversation, and withdraws what waits in it."""
        self._store = store
        self._clock = clock
        self._conversations = conversations
        self._end_turns = end_turns
        self._due = DueQueue(
            store=store,
            job="clear_out_chats",
            collection=COLLECTION,
            due_field="deleted_at",
            clock=clock,
            moves=False,
        )

    def delete(self, student: Student, conversation_id: str) -> ConversationSummary:
        """Delete a chat with its versions until `restore`: turns are stopped, open approvals are withdrawn; the chat
        as it was.

        The one that the student sees goes last, so that after a crash the rest is deleted with it once more.
        Raises `ItemNotFound` when it does not exist, or is deleted already.
        """
        now = stamp(self._clock())
        changes = {"deleted_at": now, "changed_at": now}
        mine = self._store.for_student(student.id)
        deleted = None
        for id in version_ids(mine, conversation_id):
            deleted = mine.compare_and_set(COLLECTION, id, {"deleted_at": None}, changes)
            if deleted is not None:
                self._end_turns(student, id)
                self._conversations.changes.notify(student.id, id, now)
        if deleted is None:
            raise ItemNotFound("Homeroom", gettext("This chat is not here any more."))
        return conversation_summary(deleted)

    def restore(self, student_id: str, conversation_id: str) -> None:
        """Restore a deleted chat with its versions; raises `ItemNotFound` when its time is over."""
        if self._conversations.exists(student_id, conversation_id):
            return
        in_time = {"deleted_at": {"$gt": self._since()}}
        mine = self._store.for_student(student_id)
        back = None
        for id in version_ids(mine, conversation_id):
            back = mine.compare_and_set(COLLECTION, id, in_time, {"deleted_at": None})
        if back is None:
            raise ItemNotFound("Homeroom", gettext("This chat is gone for good."))

    def deleted(self, student_id: str) -> list[ConversationSummary]:
        """List the chats that can be restored, the latest first."""
        where = {"deleted_at": {"$gt": self._since()}, "replaced_by": None}
        found = self._store.for_student(student_id).find(COLLECTION, where, order=[("deleted_at", -1)])
        return read_all(conversation_summary, found)

    def purge(self) -> int:
        """Delete for good what was deleted long enough ago, of all students; how many chats. A job calls it."""
        purged: list[str] = []

        def purge(student_id: str, conversation_id: str) -> None:
            self._conversations.delete(student_id, conversation_id)
            purged.append(conversation_id)

        self._due.run(purge, limit=_AT_ONCE, age=RESTORABLE_FOR)
        if purged:
            self._store.purge_deleted()
            log.info("chats_cleared_out count=%s", len(purged))
        return len(purged)

    def _since(self) -> str:
        return stamp(self._clock() - RESTORABLE_FOR)
