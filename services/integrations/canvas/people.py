"""Roles and names of the people in a course: who teaches, and classmates, whose names are never shown."""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from services.connections.backoff import Backoff
from services.integrations.canvas.payloads import is_id, objects_of, safe_line

CLASSMATE = "a classmate"
STUDENT = "the student"
_SHORTEST_NAME = 3
_NAMES_THAT_ARE_WORDS = re.compile(
    "April|August|Art|Bill|Chase|Dawn|Drew|Faith|Frank|Grace|Grant|Hope|Joy|June|Lee|Mark|May|Page|Pat|Rich|Rose|Sky"
    "|Summer|Will|Young"
)
KNOWN_S = 3600.0
_TEACHING_ROLES = frozenset({"teacher", "ta"})


@dataclass(frozen=True, kw_only=True)
class CourseMembers:
    """Members of a course. teachers: names by id. own_id: the student. hidden_names: of classmates, never shown."""

    own_id: int | None
    teachers: Mapping[int, str]
    hidden_names: Sequence[str] = field(default=(), repr=False)

    def author_name(self, user_id: object, *, also_teacher: object = None) -> str:
        """Name an author: "the student", a teacher by name, or "a classmate". also_teacher: the id of the grader."""
        if user_id is not None and user_id == self.own_id:
            return STUDENT
        if isinstance(user_id, int) and user_id in self.teachers:
            return self.teachers[user_id] or "the teacher"
        return "the grader" if user_id is not None and user_id == also_teacher else CLASSMATE

    def without_names(self, text: str) -> str:
        """Remove every classmate's name from a text, whole names and their parts."""
        for pattern in _name_patterns(self.hidden_names):
            text = pattern.sub(CLASSMATE, text)
        return text


def members_of(
    teachers: Iterable[tuple[int, str]], writers: Iterable[Mapping[str, Any]], own_id: int | None
) -> CourseMembers:
    """Members from a course's teachers and the people who wrote there, each with `id` and `display_name`."""
    known = dict(teachers)
    names = [
        safe_line(writer.get("display_name"), 120)
        for writer in writers
        if not is_id(writer.get("id")) or (writer["id"] not in known and (writer["id"] != own_id or own_id is None))
    ]
    return CourseMembers(own_id=own_id, teachers=known, hidden_names=tuple(name for name in names if name))


def _name_patterns(names: Sequence[str]) -> Iterable[re.Pattern[str]]:
    """Patterns of whole names in any case, then of their parts as written, unless a part is a common word."""
    for name in sorted(names, key=len, reverse=True):
        yield re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    parts = {part.strip("“”\"'().,") for name in names for part in re.split(r"[\s-]+", name)}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if len(part) >= _SHORTEST_NAME and not _NAMES_THAT_ARE_WORDS.fullmatch(part):
            yield re.compile(rf"(?<!\w){re.escape(part)}(?!\w)")


def roles_of(row: dict[str, Any]) -> tuple[str, ...]:
    """Read the user's roles in a course: "student", "teacher", "ta", "designer", "observer".

    https://developerdocs.instructure.com/services/canvas/resources/courses: `enrollments` of the user, by `type`.
    """
    enrollments = objects_of(row.get("enrollments"))
    return tuple(dict.fromkeys(str(enrollment.get("type", "")).lower() for enrollment in enrollments))


def is_taught(roles: Iterable[str]) -> bool:
    """Check whether these roles mean teaching; a user who also takes the course counts as a student."""
    found = frozenset(roles)
    return bool(found & _TEACHING_ROLES) and "student" not in found


@dataclass(frozen=True, kw_only=True)
class _CachedAnswer:
    teaches: bool
    until: float


class TeachingCache:
    """Cache of whether an account teaches, for an hour, so that a student's questions cost no more requests.

    Keyed by the account's `Backoff`. Safe to use from many threads: at worst Canvas is asked once more.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: WeakKeyDictionary[Backoff, _CachedAnswer] = WeakKeyDictionary()

    def teaches(self, account: Backoff) -> bool | None:
        """Look up whether the account teaches; None when that is not known or too old."""
        known = self._known.get(account)
        return known.teaches if known is not None and known.until > self._clock() else None

    def store(self, account: Backoff, rows: Sequence[dict[str, Any]]) -> None:
        """Store the answer from the list of the account's active courses."""
        teaches = any(is_taught(roles_of(row)) for row in rows)
        self._known[account] = _CachedAnswer(teaches=teaches, until=self._clock() + KNOWN_S)
