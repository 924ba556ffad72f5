"""`Persona`: a made-up student of a demo class, the same at every start, with courses, a calendar and notes."""

import hashlib
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sandbox.people import Person

SHARED_COURSE = "BIOL 201"
MOST_PERSONAS = 200
FIRST_NUMBER = 1400
"""Canvas's number of the first one; its people of other kinds have lower ones."""
PRESENTER = Person(id="hale", name="Robin Hale", email="robin.hale@campus.example", role="teaching assistant")
PRESENTER_PLAN = ("CS 101", "WRIT 110", "MATH 221", "HIST 142")
UNFINISHED = ("upload", "text", "discussion")
"""What may be left undone or be late: nobody misses an exam."""
Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Persona:
    """Student of the class. number: Canvas's id of theirs. weekly, once: rows as in `names.toml`."""

    person: Person
    number: int
    courses: tuple[str, ...]
    weekly: Sequence[Sequence[Any]]
    once: Sequence[Sequence[Any]]
    notes: Sequence[Sequence[Any]]

    def as_canvas_student(self, courses: Mapping[str, Row]) -> Row:
        """The student as `people.toml` writes one; courses: the rows of the courses' files, by code."""
        taken = {code: self._in_course(courses[code]) for code in self.courses}
        return {"id": self.number, "name": self.person.name, "notes": self.notes, "courses": taken}

    def _in_course(self, course: Row) -> Row:
        seed = f"{self.person.id}/{course['code']}"
        items = [item for group in course["groups"] for item in group["items"]]
        over = [item[4] for item in items if isinstance(item[0], int) and -40 < item[0] < 0 and item[3] in UNFINISHED]
        undone = [title for title in over if drawn(f"{seed}/{title}", 6) == 0][:2]
        late = [title for title in over if title not in undone and drawn(f"{seed}/late/{title}", 7) == 0][:2]
        return {"mean": 0.66 + drawn(seed, 31) / 100, "missing": undone, "late": late}


@cache
def personas(size: int) -> tuple[Persona, ...]:
    """So many students, in the order in which they are given out."""
    return tuple(_persona(index) for index in range(size))


@cache
def presenter() -> Persona:
    """Whoever presents: teaches the class, and takes courses like a student."""
    facts = _facts()
    return Persona(
        person=PRESENTER,
        number=FIRST_NUMBER - 1,
        courses=(SHARED_COURSE, *PRESENTER_PLAN),
        weekly=(facts["weekly"][3],),
        once=(facts["once"][1], facts["once"][4]),
        notes=((2, "20:00", facts["notes"][4]),),
    )


def drawn(seed: str, count: int) -> int:
    """A number below `count`, the same for the same seed."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big") % count


def _persona(index: int) -> Persona:
    facts = _facts()
    firsts, lasts = facts["first"], facts["last"]
    # Every first name is given out once before the first one comes again, with another last name.
    name = f"{firsts[index % len(firsts)]} {lasts[(index + index // len(firsts) * 7) % len(lasts)]}"
    id = _ascii(name).replace(" ", ".")
    person = Person(id=id, name=name, email=f"{id}@campus.example", role="student")
    return Persona(
        person=person,
        number=FIRST_NUMBER + index,
        courses=(SHARED_COURSE, *facts["plans"][drawn(f"{id}/plan", len(facts["plans"]))]),
        weekly=_some(facts["weekly"], f"{id}/weekly", 2),
        once=_some(facts["once"], f"{id}/once", 3),
        notes=[(1 + drawn(f"{id}/{note}", 5), "18:00", note) for note in _some(facts["notes"], f"{id}/notes", 2)],
    )


def _some(rows: Sequence[Any], seed: str, count: int) -> Sequence[Any]:
    """So many of the rows, each once."""
    return sorted(rows, key=lambda row: drawn(f"{seed}/{row}", 1_000_000))[:count]


def _ascii(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return plain.lower()


@cache
def _facts() -> Row:
    return tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
