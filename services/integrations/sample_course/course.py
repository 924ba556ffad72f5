"""The sample course as it is written in `course.toml`, and as it stands for one student at one moment.

`course.es.toml` says the same words in Spanish.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from services.i18n import get_language

ID = "sample_course"
LABEL = "Sample course"
DAYS = 7
"""After so many the dates move on, so that the course never runs dry and its weekdays stay what they were."""
END_OF_DAY = "23:59"
_HERE = Path(__file__).parent
_LISTS = ("readings", "announcements", "work")


@dataclass(frozen=True, kw_only=True)
class SampleAssignment:
    """One piece of work. due_at: aware, in the student's zone. minutes: about how long it takes. score: None until
    it is graded.
    """

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
        """How it stands, in the words that the week knows from Canvas."""
        if self.score is not None:
            return f"graded: {self.score:g} of {self.points:g}"
        if self.is_handed_in:
            return "handed in"
        return "not handed in, past due" if self.is_late else "not handed in yet"

    def data(self) -> dict[str, Any]:
        """As plain JSON, in the shape of Canvas's assignments; `due_at` is ISO 8601 in UTC."""
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
    """posted_at: aware, in the student's zone."""

    id: str
    title: str
    text: str
    posted_at: datetime


@dataclass(frozen=True, kw_only=True)
class SampleCourse:
    """What is written in the file; it has no dates until somebody begins it."""

    written: Mapping[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """What the course is called wherever it may stand beside real ones: "ASTR 101 (sample): …"."""
        return str(self.written["name"])

    @property
    def weights(self) -> Mapping[str, int]:
        """What each group counts for, in per cent."""
        return dict(self.written["weights"])

    def work(self, began: datetime, now: datetime) -> list[SampleAssignment]:
        """All work, the earliest first. began: when this student began the course; now: in the student's zone."""
        first = _first_day(began, now)
        return sorted((self._work(one, first, now) for one in self.written["work"]), key=lambda one: one.due_at)

    def announcements(self, began: datetime, now: datetime) -> list[SampleAnnouncement]:
        """The newest first; both times as in `work`."""
        first = _first_day(began, now)
        found = [
            SampleAnnouncement(
                id=announcement["id"],
                title=announcement["title"],
                text=announcement["text"],
                posted_at=_at(announcement, first, now),
            )
            for announcement in self.written["announcements"]
        ]
        return sorted(found, key=lambda one: one.posted_at, reverse=True)

    def readings(self) -> Iterator[tuple[str, str]]:
        """Each chapter, and what it is read for."""
        return ((reading["title"], reading["for"]) for reading in self.written["readings"])

    def _work(self, one: Mapping[str, Any], first: date, now: datetime) -> SampleAssignment:
        due_at = _at(one, first, now)
        fixed = {name: value for name, value in one.items() if name not in ("day", "at")}
        return SampleAssignment(**fixed, due_at=due_at, course=self.name, is_late=due_at < now)


def load_course() -> SampleCourse:
    """The one that Homeroom brings, in the language spoken."""
    return _course(get_language())


@cache
def _course(spoken: str) -> SampleCourse:
    written, words = _read("course.toml"), _HERE / f"course.{spoken}.toml"
    return SampleCourse(written=_in_words(written, _read(words.name)) if words.exists() else written)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / name).read_text(encoding="utf-8"))


def _in_words(written: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """The course with the words of another language in the place of its own; all else stays what it is."""
    groups: Mapping[str, str] = words["groups"]
    said = {**written, **{name: words[name] for name in ("name", "teacher", "about", "policies")}}
    said["weights"] = {groups[name]: weight for name, weight in written["weights"].items()}
    for part in _LISTS:
        said[part] = [{**one, **words[part][one["id"]]} for one in written[part]]
    said["work"] = [{**one, "group": groups[one["group"]]} for one in said["work"]]
    return said


def _first_day(began: datetime, now: datetime) -> date:
    """The day that all others count from: when it began, moved on by whole weeks."""
    day = began.astimezone(now.tzinfo).date()
    return day + timedelta(days=max(0, (now.date() - day).days // DAYS * DAYS))


def _at(one: Mapping[str, Any], first: date, now: datetime) -> datetime:
    at = time.fromisoformat(one.get("at", END_OF_DAY))
    return datetime.combine(first + timedelta(days=one["day"]), at, now.tzinfo)


@dataclass(frozen=True, kw_only=True)
class GroupScore:
    """percent: of the points that are graded. weight: of the whole grade, in per cent."""

    name: str
    percent: float
    weight: int


def group_scores(work: Sequence[SampleAssignment], weights: Mapping[str, int]) -> list[GroupScore]:
    """The groups in which something is graded, in the order of the syllabus."""
    found = []
    for name, weight in weights.items():
        mine = [one for one in work if one.group == name and one.score is not None]
        if mine:
            scored = sum(one.score or 0.0 for one in mine)
            found.append(GroupScore(name=name, percent=100 * scored / sum(one.points for one in mine), weight=weight))
    return found


def overall_percent(work: Sequence[SampleAssignment], weights: Mapping[str, int]) -> float:
    """The grade so far in per cent, over the groups in which something is graded."""
    groups = group_scores(work, weights)
    return sum(group.percent * group.weight for group in groups) / sum(one.weight for one in groups)
