"""`IndexCache`: the indexes of the students who searched last, in bounded memory."""

import threading
from collections import OrderedDict
from collections.abc import Callable

from services.materials.search.library_index import LibraryIndex

MOST_BYTES = 96_000_000
"""Of all indexes together; one of 5,000 passages takes about 5 MB."""


class IndexCache:
    """LRU cache by student and version of their library, thread-safe; a student has one index at a time.

    An index that is larger than the whole cache is used and not kept.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[str, LibraryIndex]] = OrderedDict()

    def get(self, student_id: str, version: str, make: Callable[[], LibraryIndex]) -> LibraryIndex:
        """Return the student's index at this version, made when it is not known yet."""
        with self._lock:
            known = self._known.get(student_id)
            if known is not None and known[0] == version:
                self._known.move_to_end(student_id)
                return known[1]
        made = make()
        with self._lock:
            self._known[student_id] = (version, made)
            self._known.move_to_end(student_id)
            while self._known and sum(index.nbytes for _, index in self._known.values()) > self._most_bytes:
                self._known.popitem(last=False)
        return made

    def drop(self, student_id: str) -> None:
        """Forget a student's index, as when what was read is deleted."""
        with self._lock:
            self._known.pop(student_id, None)
