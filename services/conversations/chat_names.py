"""`ChatNames`: titles that chats get by themselves; the student's own name of a chat stays for ever."""

from collections.abc import Sequence

from services.conversations.change_watch import ChangeWatch
from services.conversations.titles import titles_of_exchange
from services.llm.messages import StoredMessage
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.store import Store

_UNNAMED: Document = {"is_named": {"$ne": True}}


class ChatNames:
    def __init__(self, store: Store, clock: Clock, changes: ChangeWatch) -> None:
        self._store, self._clock, self._changes = store, clock, changes

    def name_after_exchange(self, student_id: str, conversation_id: str, messages: Sequence[StoredMessage]) -> None:
        """Name it after the first question and answer of `messages`, while it has the title of the question alone."""
        before, after = titles_of_exchange(messages)
        if after and after != before:
            self._change(student_id, conversation_id, {"has_weak_title": True}, title=after)

    def claim(self, student_id: str, conversation_id: str) -> str | None:
        """Claim the one title that a model makes for a chat: its title now; None when it has a name of the student's,
        or another claim was first.
        """
        mine = self._store.for_student(student_id)
        unclaimed = {**_UNNAMED, "is_title_claimed": {"$ne": True}, "deleted_at": None}
        claimed = mine.compare_and_set("conversations", conversation_id, unclaimed, {"is_title_claimed": True})
        return str(claimed["title"]) if claimed else None

    def replace_title(self, student_id: str, conversation_id: str, before: str, after: str) -> None:
        """Give it the title that a model made, unless it has got another one than `before` meanwhile."""
        self._change(student_id, conversation_id, {"title": before, "deleted_at": None}, title=after)

    def _change(self, student_id: str, conversation_id: str, unchanged: Document, *, title: str) -> None:
        now = stamp(self._clock())
        changes = {"title": title, "has_weak_title": False, "changed_at": now}
        expected = {**unchanged, **_UNNAMED}
        mine = self._store.for_student(student_id)
        if mine.compare_and_set("conversations", conversation_id, expected, changes) is not None:
            self._changes.notify(student_id, conversation_id, now)
