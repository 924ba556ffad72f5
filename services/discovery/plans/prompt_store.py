"""`PromptStore`: the beginnings of conversations, each kept once however many conversations share it."""

import hashlib
import json
import threading
from collections import OrderedDict
from datetime import timedelta
from typing import Any

from services.errors import DuplicateDocument
from services.runtime.clock import Clock, moment, stamp
from services.runtime.identity_cache import OfSame
from services.storage.store import Store

COLLECTION = "prompts"
KEPT = timedelta(days=30)
"""From its last use; a conversation that goes on later gets a new beginning."""
RENEWED = timedelta(days=1)
"""How often a use is noted."""
MOST = 200
"""Held in memory by one process."""


class PromptStore:
    """Texts and definitions by a hash of what they say. Nothing in them may be a student's own."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._held: OrderedDict[str, Any] = OrderedDict()
        self._named = OfSame(_named)

    def keep(self, content: Any) -> str:
        """Keep plain JSON; its id."""
        return self._keep(content, *_named(content))

    def keep_same(self, content: list[Any]) -> str:
        """As `keep`, for a list of the same things as ever; its id."""
        return self._keep(content, *self._named(content))

    def _keep(self, content: Any, id: str, written: str) -> str:
        if self.get(id) is None:
            document = {"id": id, "content": written, "expires_at": self._until()}
            try:
                self._store.shared.insert(COLLECTION, document)
            except DuplicateDocument:
                self._store.shared.swap(COLLECTION, id, {}, {"expires_at": document["expires_at"]})
            self._hold(id, content)
        return id

    def get(self, id: str) -> Any | None:
        """What was kept, or None when nobody has used it for long."""
        with self._lock:
            if id in self._held:
                until, content = self._held[id]
                if until > stamp(self._clock() + KEPT - RENEWED):
                    self._held.move_to_end(id)
                    return content
        found = self._store.shared.get(COLLECTION, id)
        if found is None or found["expires_at"] <= stamp(self._clock()):
            return None
        if moment(found["expires_at"]) <= self._clock() + KEPT - RENEWED:
            self._store.shared.swap(COLLECTION, id, {}, {"expires_at": self._until()})
        content = json.loads(found["content"])
        self._hold(id, content)
        return content

    def _hold(self, id: str, content: Any) -> None:
        with self._lock:
            self._held[id] = (self._until(), content)
            while len(self._held) > MOST:
                self._held.popitem(last=False)

    def _until(self) -> str:
        return stamp(self._clock() + KEPT)


def _named(content: Any) -> tuple[str, str]:
    """The id of plain JSON, and its text."""
    written = json.dumps(content, ensure_ascii=False)
    return hashlib.sha256(written.encode()).hexdigest()[:32], written
