"""Whose words something is, without telling a classmate's name (T18)."""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from services.connections.backoff import Pace
from services.integrations.canvas.payloads import is_id, objects_of, safe_line

CLASSMATE = "a classmate"
_SHORTEST_NAME = 3
_ALSO_WORDS = frozenset(
    [
        "April",
        "August",
        "Art",
        "Bill",
        "Chase",
        "Dawn",
        "Drew",
        "Faith",
        "Frank",
        "Grace",
        "Grant",
        "Hope",
        "Joy",
        "June",
        "Lee",
        "Mark",
        "May",
        "Page",
        "Pat",
        "Rich",
        "Rose",
        "Sky",
        "Summer",
        "Will",
        "Young",
    ]
)


@dataclass(frozen=True, kw_only=True)
class CourseMembers:
    """Who is who in one course. teachers: names by id. own_id: the student. strangers: names that are kept back."""

    own_id: int | None
    teachers: Mapping[int, str]
    strangers: Sequence[str] = field(default=(), repr=False)

    def who(self, user_id: object, *, also_teacher: object = None) -> str:
        """How to call the author: "you", a teacher by name, or "a classmate". also_teacher: the id of who graded."""
        if user_id is not None and user_id == self.own_id:
            return "you"
        if isinstance(user_id, int) and user_id in self.teachers:
            return self.teachers[user_id] or "the teacher"
        return "the grader" if user_id is not None and user_id == also_teacher else CLASSMATE

    def without_names(self, text: str) -> str:
        """The text with every classmate's name taken out, as a whole and in parts."""
        for pattern in _name_patterns(self.strangers):
            text = pattern.sub(CLASSMATE, text)
        return text


def members_of(
    teachers: Iterable[tuple[int, str]], writers: Iterable[Mapping[str, Any]], own_id: int | None
) -> CourseMembers:
    """From a course's teachers and the people who wrote there, each with `id` and `display_name`."""
    known = dict(teachers)
    names = [
        safe_line(writer.get("display_name"), 120)
        for writer in writers
        if not is_id(writer.get("id")) or (writer["id"] not in known and (writer["id"] != own_id or own_id is None))
    ]
    return CourseMembers(own_id=own_id, teachers=known, strangers=tuple(name for name in names if name))


def _name_patterns(names: Sequence[str]) -> Iterable[re.Pattern[str]]:
    """Whole names first, in any case; then their parts as they are written, unless a part is a word of its own."""
    for name in sorted(names, key=len, reverse=True):
        yield re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    parts = {part.strip("“”\"'().,") for name in names for part in re.split(r"[\s-]+", name)}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if len(part) >= _SHORTEST_NAME and part not in _ALSO_WORDS:
            yield re.compile(rf"(?<!\w){re.escape(part)}(?!\w)")


KNOWN_S = 3600.0


_TEACHING = frozenset({"teacher", "ta"})


def roles_of(row: dict[str, Any]) -> tuple[str, ...]:
    """The roles that a course's row says its asker has: "student", "teacher", "ta", "designer", "observer".

    https://developerdocs.instructure.com/services/canvas/resources/courses: `enrollments` of the asker, by `type`.
    """
    return tuple(
        dict.fromkeys(str(enrollment.get("type", "")).lower() for enrollment in objects_of(row.get("enrollments")))
    )


def is_taught(roles: Iterable[str]) -> bool:
    """Whether somebody with these roles teaches there; who also takes the course counts as a student of it."""
    found = frozenset(roles)
    return bool(found & _TEACHING) and "student" not in found


@dataclass(frozen=True, kw_only=True)
class _Known:
    teaches: bool
    until: float


class TeachingCache:
    """By account, which its `Pace` stands for; safe to use from many threads, as at worst Canvas is asked once more."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: WeakKeyDictionary[Pace, _Known] = WeakKeyDictionary()

    def teaches(self, account: Pace) -> bool | None:
        """None when that is not known any more."""
        known = self._known.get(account)
        return known.teaches if known is not None and known.until > self._clock() else None

    def note(self, account: Pace, rows: Sequence[dict[str, Any]]) -> None:
        """Take it from the list of the account's active courses."""
        teaches = any(is_taught(roles_of(row)) for row in rows)
        self._known[account] = _Known(teaches=teaches, until=self._clock() + KNOWN_S)
