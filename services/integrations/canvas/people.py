"""Whose words something is, without telling a classmate's name (T18)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.integrations.canvas.payloads import flat, is_id

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
class People:
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
        for pattern in _patterns(self.strangers):
            text = pattern.sub(CLASSMATE, text)
        return text


def people_of(teachers: Iterable[tuple[int, str]], writers: Iterable[Mapping[str, Any]], own_id: int | None) -> People:
    """From a course's teachers and the people who wrote there, each with `id` and `display_name`."""
    known = dict(teachers)
    names = [
        flat(writer.get("display_name"), 120)
        for writer in writers
        if not is_id(writer.get("id")) or (writer["id"] not in known and (writer["id"] != own_id or own_id is None))
    ]
    return People(own_id=own_id, teachers=known, strangers=tuple(name for name in names if name))


def _patterns(names: Sequence[str]) -> Iterable[re.Pattern[str]]:
    """Whole names first, in any case; then their parts as they are written, unless a part is a word of its own."""
    for name in sorted(names, key=len, reverse=True):
        yield re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    parts = {part.strip("“”\"'().,") for name in names for part in re.split(r"[\s-]+", name)}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        if len(part) >= _SHORTEST_NAME and part not in _ALSO_WORDS:
            yield re.compile(rf"(?<!\w){re.escape(part)}(?!\w)")
