"""Sample course, as written in `course.toml` and with the dates and scores that it has for a student at a time.

`course.es.toml` has its texts in Spanish.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from services.i18n import get_language
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches, near_matches
from services.safety.field_log import declared
from services.safety.provenance import Provenance

ID = "sample_course"
LABEL = "Sample course"
DAYS = 7
"""Dates move on after so many days, so that something is always due and the weekdays stay the same."""
END_OF_DAY = "23:59"
_HERE = Path(__file__).parent
_LISTS = ("readings", "announcements", "work")


@dataclass(frozen=True, kw_only=True)
class SampleAssignment:
    """Assignment. due_at: in the student's zone. minutes: roughly how long it takes. score: None until graded."""

    id: str
    title: str
    kind: str
    group: str
    due_at: datetime
    points: float
    course: str
    is_late: bool
    is_handed_in: bool = False
    score: float | None = None
    comment: str = ""
    minutes: int = 0
    text: str = ""

    @property
    def is_open(self) -> bool:
        return not self.is_handed_in and self.score is None

    @property
    def status(self) -> str:
        """Status, in the words that Canvas's tools use too."""
        if self.score is not None:
            return f"graded: {self.score:g} of {self.points:g}"
        if self.is_handed_in:
            return "handed in"
        if self.kind == "exam":
            return "no grade yet" if self.is_late else "nothing to hand in online"
        return "not handed in, past due" if self.is_late else "not handed in yet"

    def data(self) -> dict[str, Any]:
        """Plain JSON in the shape of Canvas's assignments; `due_at` is ISO 8601 in UTC."""
        return {
            "id": self.id,
            "course": self.course,
            "title": self.title,
            "due_at": self.due_at.astimezone(UTC).isoformat(),
            "points": self.points,
            "status": self.status,
            "is_done": not self.is_open,
            "service": LABEL,
            "kind": self.kind,
            "minutes": self.minutes if self.is_open else 0,
            "is_sample": True,
        }


@dataclass(frozen=True, kw_only=True)
class SampleAnnouncement:
    """Announcement. posted_at: in the student's zone."""

    id: str
    title: str
    text: str
    posted_at: datetime


@dataclass(frozen=True, kw_only=True)
class SampleCourse:
    """Course as written in its file; dates depend on when a student began it."""

    written: Mapping[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """Name that marks it as a sample beside real courses: "ASTR 101 (sample): …"."""
        return str(self.written["name"])

    @property
    def weights(self) -> Mapping[str, int]:
        """Weight of each group in per cent."""
        return dict(self.written["weights"])

    def assignments(self, began: datetime, now: datetime) -> list[SampleAssignment]:
        """All assignments, the earliest first. began: when the student began the course; now: in the student's zone."""
        first = _first_day(began, now)
        return sorted(
            (self._assignment(assignment, first, now) for assignment in self.written["work"]),
            key=lambda assignment: assignment.due_at,
        )

    def announcements(self, began: datetime, now: datetime) -> list[SampleAnnouncement]:
        """Announcements, the newest first; both times as in `assignments`."""
        first = _first_day(began, now)
        found = [
            SampleAnnouncement(
                id=announcement["id"],
                title=announcement["title"],
                text=announcement["text"],
                posted_at=_time_of(announcement, first, now),
            )
            for announcement in self.written["announcements"]
        ]
        return sorted(found, key=lambda announcement: announcement.posted_at, reverse=True)

    def readings(self) -> Iterator[tuple[str, str]]:
        """Chapters, each with what it is read for."""
        return ((reading["title"], reading["for"]) for reading in self.written["readings"])

    def _assignment(self, entry: Mapping[str, Any], first: date, now: datetime) -> SampleAssignment:
        due_at = _time_of(entry, first, now)
        fixed = {name: value for name, value in entry.items() if name not in ("day", "at")}
        return SampleAssignment(**fixed, due_at=due_at, course=self.name, is_late=due_at < now)


def load_course() -> SampleCourse:
    """Course in the language of the current locale."""
    return declared(_course(get_language()), Provenance.SCHOOL)


def find_assignment(assignments: Sequence[SampleAssignment], reference: str) -> SampleAssignment:
    """Look up an assignment by id or words of its title; raises `BadArguments` with the choices."""
    exact = [assignment for assignment in assignments if assignment.id == reference]
    fitting = exact or best_matches(assignments, reference, lambda assignment: (assignment.title,))
    if len(fitting) == 1:
        return fitting[0]
    choices = [NameChoice(name=each.title, id=each.id, at=each.due_at) for each in fitting or assignments]
    if fitting:
        raise several_fit("assignment", reference, choices)
    near = near_matches(assignments, reference, lambda assignment: (assignment.title,))
    raise none_fits("assignment", reference, choices, near=[NameChoice(name=each.title, id=each.id) for each in near])


@cache
def _course(language: str) -> SampleCourse:
    written, words = _read("course.toml"), _HERE / f"course.{language}.toml"
    return SampleCourse(written=_translated(written, _read(words.name)) if words.exists() else written)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / name).read_text(encoding="utf-8"))


def _translated(written: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """Course with its texts replaced by those of another language."""
    groups: Mapping[str, str] = words["groups"]
    translated = {**written, **{name: words[name] for name in ("name", "teacher", "about", "policies")}}
    translated["weights"] = {groups[name]: weight for name, weight in written["weights"].items()}
    for part in _LISTS:
        translated[part] = [{**entry, **words[part][entry["id"]]} for entry in written[part]]
    translated["work"] = [{**assignment, "group": groups[assignment["group"]]} for assignment in translated["work"]]
    return translated


def _first_day(began: datetime, now: datetime) -> date:
    """First day of the course: when the student began it, moved on by whole weeks."""
    day = began.astimezone(now.tzinfo).date()
    return day + timedelta(days=max(0, (now.date() - day).days // DAYS * DAYS))


def _time_of(entry: Mapping[str, Any], first: date, now: datetime) -> datetime:
    at = time.fromisoformat(entry.get("at", END_OF_DAY))
    return datetime.combine(first + timedelta(days=entry["day"]), at, now.tzinfo)


@dataclass(frozen=True, kw_only=True)
class GroupScore:
    """Score of an assignment group. percent: of the graded points. weight: of the whole grade, in per cent."""

    name: str
    percent: float
    weight: int


def group_scores(work: Sequence[SampleAssignment], weights: Mapping[str, int]) -> list[GroupScore]:
    """Scores of the groups in which something is graded, in the order of the syllabus."""
    found = []
    for name, weight in weights.items():
        of_group = [assignment for assignment in work if assignment.group == name and assignment.score is not None]
        if of_group:
            scored = sum(assignment.score or 0.0 for assignment in of_group)
            found.append(
                GroupScore(
                    name=name, percent=100 * scored / sum(assignment.points for assignment in of_group), weight=weight
                )
            )
    return found


def overall_percent(work: Sequence[SampleAssignment], weights: Mapping[str, int]) -> float:
    """Grade so far in per cent, over the groups in which something is graded."""
    groups = group_scores(work, weights)
    return sum(group.percent * group.weight for group in groups) / sum(group.weight for group in groups)
