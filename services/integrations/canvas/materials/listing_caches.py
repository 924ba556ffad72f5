"""`ListingCaches`: what listings of courses brought, kept for a while for the account to which it was told, so that it
is not asked for again: `ListedTexts`, and `SingleFiles` where a course hides the list of its files.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from weakref import ref

from services.connections.backoff import Backoff
from services.integrations.canvas.payloads import Json

KEPT_S = 600.0
"""So long a listing is taken as new by the reading that follows it."""
MOST_BYTES = 40_000_000
FILES_KEPT_S = 1_800.0
MOST_FILES = 10_000
_COURSE_BYTES = 8_000_000


@dataclass(frozen=True, kw_only=True)
class _CourseTexts:
    account: ref[Backoff]
    texts: Mapping[str, str] = field(repr=False)
    size: int
    until: float


class ListedTexts:
    """Cache of texts as HTML by account and material id, shared by the sources of all students.

    Keyed by the account's `Backoff`, which no two accounts share. Thread-safe.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._courses: OrderedDict[tuple[int, str], _CourseTexts] = OrderedDict()

    def store(self, account: Backoff, course_key: str, texts: Mapping[str, str]) -> None:
        """Store the texts of a course in the place of earlier ones; what is too much is left to be asked for again."""
        kept, size = dict[str, str](), 0
        for material_id, text in texts.items():
            if size + len(text) <= _COURSE_BYTES:
                kept[material_id], size = text, size + len(text)
        course = _CourseTexts(account=ref(account), texts=kept, size=size, until=self._clock() + KEPT_S)
        with self._lock:
            self._courses.pop((id(account), course_key), None)
            self._courses[id(account), course_key] = course
            while sum(held.size for held in self._courses.values()) > MOST_BYTES:
                self._courses.popitem(last=False)

    def get(self, account: Backoff, material_id: str) -> str | None:
        """Get a text; None when it is not known, or too old."""
        with self._lock:
            while self._courses and next(iter(self._courses.values())).until <= self._clock():
                self._courses.popitem(last=False)
            course = self._courses.get((id(account), material_id.partition(".")[0]))
            # A number may be that of another account, once the one it was of is gone.
            return course.texts.get(material_id) if course and course.account() is account else None


@dataclass(frozen=True, kw_only=True)
class _FileRow:
    account: ref[Backoff]
    row: Json = field(repr=False)
    until: float


class SingleFiles:
    """Cache of what Canvas said of single files, by account and file id.

    A listing that is broken off goes on where it was, and the next one asks for what is new. That is no word on rights:
    locks come with the modules, and whoever fetches a file asks anew. Keyed and thread-safe as `ListedTexts`.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._rows: OrderedDict[tuple[int, int], _FileRow] = OrderedDict()

    def get_or_read(self, account: Backoff, file_id: int, read: Callable[[], Json]) -> Json:
        """Row of a file, as it is known or as it is read now; raises what `read` does."""
        key = (id(account), file_id)
        with self._lock:
            known = self._rows.get(key)
        if known and known.account() is account and known.until > self._clock():
            return known.row
        row = read()
        if not row.get("url"):
            # It is locked, which may be over at the next listing.
            return row
        with self._lock:
            self._rows.pop(key, None)
            self._rows[key] = _FileRow(account=ref(account), row=row, until=self._clock() + FILES_KEPT_S)
            while len(self._rows) > MOST_FILES:
                self._rows.popitem(last=False)
        return row


@dataclass(frozen=True, kw_only=True)
class ListingCaches:
    """Caches that the sources of all students share."""

    texts: ListedTexts = field(default_factory=ListedTexts)
    files: SingleFiles = field(default_factory=SingleFiles)
