"""`ResultCache`: what tools answered a while ago, in memory, for the same student asking the same."""

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

MOST_CHARACTERS = 20_000_000
"""Of all answers together; the ones that were asked for longest ago go first."""
LONGEST = 400_000
"""Characters of one answer; a longer one is not kept."""
KEPT_FOR = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True)
class CacheKey:
    """Who asked what. student_id stands by itself: no answer is ever found for another student.

    question: the tool, its arguments, the assistant and the state of the accounts it is about.
    subjects: what the answer is about; when one of these changes, it is forgotten.
    """

    student_id: str
    question: Hashable
    subjects: tuple[str, ...]


States = Mapping[str, Hashable]
"""What else an answer turned out to be about, while it was found, and as of which state."""


@dataclass(frozen=True, kw_only=True)
class CachedResult:
    """An answer and when it was given. is_outdated: it may only stand in for one that cannot be had."""

    result: ToolResult = field(repr=False)
    at: datetime
    size: int
    is_outdated: bool = False
    also: States = field(default_factory=dict)


class ResultCache:
    def __init__(self, clock: Clock, *, most_characters: int = MOST_CHARACTERS) -> None:
        self._clock = clock
        self._most = most_characters
        self._lock = threading.Lock()
        self._kept: OrderedDict[CacheKey, CachedResult] = OrderedDict()
        self._of_student: defaultdict[str, set[CacheKey]] = defaultdict(set)
        self._size = 0
        self._changes = 0
        self._changed: OrderedDict[tuple[str, str], int] = OrderedDict()

    def find(self, asked: CacheKey, within: timedelta, *, outdated_too: bool = False) -> CachedResult | None:
        """The last answer, if it is not older than that; its data belongs to whoever asked."""
        with self._lock:
            found = self._kept.get(asked)
            if found is None or self._clock() - found.at > within or (found.is_outdated and not outdated_too):
                return None
            self._kept.move_to_end(asked)
        return replace(found, result=replace(found.result, data=deepcopy(found.result.data)))

    def moment(self) -> int:
        """To be taken before the service is asked, and given to `keep`."""
        with self._lock:
            return self._changes

    def keep(self, asked: CacheKey, result: ToolResult, moment: int, also: States = MappingProxyType({})) -> None:
        """Keep an answer, unless something that it is about was changed since `moment`."""
        size = len(result.output) + len(json.dumps(result.data, default=str))
        if size > LONGEST:
            return
        mine = replace(result, data=deepcopy(result.data))
        with self._lock:
            about = (*asked.subjects, *also)
            if any(self._changed.get((asked.student_id, subject), 0) > moment for subject in about):
                return
            self._drop(asked)
            self._kept[asked] = CachedResult(result=mine, at=self._clock(), size=size, also=dict(also))
            self._of_student[asked.student_id].add(asked)
            self._size += size
            self._make_room()

    def outdate(self, student_id: str) -> None:
        """Have everything that this student asks from now on answered anew."""
        with self._lock:
            for asked in self._of_student.get(student_id, ()):
                self._kept[asked] = replace(self._kept[asked], is_outdated=True)

    def forget(self, student_id: str, subjects: Iterable[str]) -> None:
        """Drop what this student was told about these."""
        gone = set(subjects)
        with self._lock:
            for subject in gone:
                self._changes += 1
                self._changed[student_id, subject] = self._changes
                self._changed.move_to_end((student_id, subject))
            while len(self._changed) > 10_000:
                self._changed.popitem(last=False)
            for asked in [one for one in self._of_student.get(student_id, ()) if gone & self._about(one)]:
                self._drop(asked)

    def _about(self, asked: CacheKey) -> set[str]:
        return {*asked.subjects, *self._kept[asked].also}

    def _make_room(self) -> None:
        oldest = self._clock() - KEPT_FOR
        while self._kept:
            asked, first = next(iter(self._kept.items()))
            if self._size <= self._most and first.at >= oldest:
                return
            self._drop(asked)

    def _drop(self, asked: CacheKey) -> None:
        dropped = self._kept.pop(asked, None)
        if dropped is None:
            return
        self._size -= dropped.size
        of_student = self._of_student[asked.student_id]
        of_student.discard(asked)
        if not of_student:
            del self._of_student[asked.student_id]
