"""`ListedTexts`: texts that came with the listing of a course, kept for a while, so that none is asked for again."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import ref

from services.connections.backoff import Backoff

KEPT_S = 600.0
"""So long a listing is taken as new by the reading that follows it."""
MOST_BYTES = 40_000_000
_ACCOUNT_BYTES = 8_000_000


@dataclass(frozen=True, kw_only=True)
class _Course:
    account: ref[Backoff]
    texts: dict[str, str] = field(repr=False)
    size: int
    until: float


class ListedTexts:
    """Cache of texts as HTML, by account and material id, shared by the sources of all students.

    Keyed by the account's `Backoff`, which no two accounts share. Thread-safe; each text is given out once.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._courses: OrderedDict[tuple[int, str], _Course] = OrderedDict()

    def store(self, account: Backoff, course_key: str, texts: dict[str, str]) -> None:
        """Store the texts of a course, in the place of earlier ones; very long ones are left to be asked for again."""
        fitting, size = dict[str, str](), 0
        for id, text in texts.items():
            if size + len(text) <= _ACCOUNT_BYTES:
                fitting[id], size = text, size + len(text)
        course = _Course(account=ref(account), texts=fitting, size=size, until=self._clock() + KEPT_S)
        with self._lock:
            self._courses.pop((id_of(account), course_key), None)
            self._courses[id_of(account), course_key] = course
            while sum(kept.size for kept in self._courses.values()) > MOST_BYTES:
                self._courses.popitem(last=False)

    def take(self, account: Backoff, material_id: str) -> str | None:
        """Take a text out; None when it is not known, or too old."""
        with self._lock:
            course = self._courses.get((id_of(account), material_id.partition(".")[0]))
            if course is None or course.account() is not account or course.until <= self._clock():
                return None
            return course.texts.pop(material_id, None)


def id_of(account: Backoff) -> int:
    return id(account)
