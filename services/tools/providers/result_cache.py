"""`ResultCache`: LRU cache of tool results in memory, keyed by student, tool and arguments."""

import json
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from services.runtime.clock import Clock
from services.tools.result import ToolResult

MAX_CHARACTERS = 20_000_000
"""Of all results together; the least recently used go first."""
MAX_RESULT_CHARACTERS = 400_000
"""Characters of one result; a longer one is not stored."""
KEPT_FOR = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True)
class CacheKey:
    """Key of a cached result. student_id stands by itself: no result is ever found for another student.

    question: the tool, its arguments, the assistant and the state of the accounts it is about.
    subjects: what the result is about; when one of these changes, it is invalidated.
    """

    student_id: str
    question: Hashable
    subjects: tuple[str, ...]


States = Mapping[str, Hashable]
"""Further subjects of a result, found while the tool ran, each with the version of its data then."""


@dataclass(frozen=True, kw_only=True)
class CachedResult:
    """Cached result. is_outdated: it is only for when the service cannot be reached."""

    result: ToolResult = field(repr=False)
    at: datetime
    size: int
    is_outdated: bool = False
    extra_subjects: States = field(default_factory=dict)


class ResultCache:
    """Thread-safe LRU cache with a size limit over all students."""

    def __init__(self, clock: Clock, *, max_characters: int = MAX_CHARACTERS) -> None:
        self._clock = clock
        self._max_characters = max_characters
        self._lock = threading.Lock()
        self._entries: OrderedDict[CacheKey, CachedResult] = OrderedDict()
        self._keys_of_student: defaultdict[str, set[CacheKey]] = defaultdict(set)
        self._size = 0
        self._revision = 0
        self._invalidated_at: OrderedDict[tuple[str, str], int] = OrderedDict()

    def find(self, key: CacheKey, within: timedelta, *, outdated_too: bool = False) -> CachedResult | None:
        """The last result, if it is not older than `within`; its data is a copy."""
        with self._lock:
            found = self._entries.get(key)
            if found is None or self._clock() - found.at > within or (found.is_outdated and not outdated_too):
                return None
            self._entries.move_to_end(key)
        return replace(found, result=replace(found.result, data=deepcopy(found.result.data)))

    def revision(self) -> int:
        """Revision of the cache, read before the tool runs and given to `store`."""
        with self._lock:
            return self._revision

    def store(
        self, key: CacheKey, result: ToolResult, revision: int, extra_subjects: States = MappingProxyType({})
    ) -> None:
        """Store a result, unless one of its subjects was invalidated since `revision`."""
        size = len(result.output) + len(json.dumps(result.data, default=str))
        if size > MAX_RESULT_CHARACTERS:
            return
        copied = replace(result, data=deepcopy(result.data))
        with self._lock:
            subjects = (*key.subjects, *extra_subjects)
            if any(self._invalidated_at.get((key.student_id, subject), 0) > revision for subject in subjects):
                return
            self._drop(key)
            self._entries[key] = CachedResult(
                result=copied, at=self._clock(), size=size, extra_subjects=dict(extra_subjects)
            )
            self._keys_of_student[key.student_id].add(key)
            self._size += size
            self._evict()

    def mark_outdated(self, student_id: str) -> None:
        """Mark all results of this student as outdated."""
        with self._lock:
            for key in self._keys_of_student.get(student_id, ()):
                self._entries[key] = replace(self._entries[key], is_outdated=True)

    def invalidate(self, student_id: str, subjects: Iterable[str]) -> None:
        """Drop the results of this student about these subjects."""
        gone = set(subjects)
        with self._lock:
            for subject in gone:
                self._revision += 1
                self._invalidated_at[student_id, subject] = self._revision
                self._invalidated_at.move_to_end((student_id, subject))
            while len(self._invalidated_at) > 10_000:
                self._invalidated_at.popitem(last=False)
            for key in [key for key in self._keys_of_student.get(student_id, ()) if gone & self._subjects_of(key)]:
                self._drop(key)

    def _subjects_of(self, key: CacheKey) -> set[str]:
        return {*key.subjects, *self._entries[key].extra_subjects}

    def _evict(self) -> None:
        expires_before = self._clock() - KEPT_FOR
        while self._entries:
            key, oldest_entry = next(iter(self._entries.items()))
            if self._size <= self._max_characters and oldest_entry.at >= expires_before:
                return
            self._drop(key)

    def _drop(self, key: CacheKey) -> None:
        dropped = self._entries.pop(key, None)
        if dropped is None:
            return
        self._size -= dropped.size
        keys = self._keys_of_student[key.student_id]
        keys.discard(key)
        if not keys:
            del self._keys_of_student[key.student_id]
