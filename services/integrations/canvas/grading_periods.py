"""Grading periods: the quarters or halves by which some courses grade, and the assignments that count in each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import Field

from services.errors import BadArguments, ItemNotFound, PermissionMissing
from services.i18n import gettext
from services.i18n.english import days
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.gradebook import AssignmentGroup, Gradebook, read_gradebook
from services.integrations.canvas.payloads import Json, exact_number, id_of, objects_of, read_rows, read_time, safe_line
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches

WHOLE_COURSE_WORDS = ("all", "whole course", "overall", "course")

PeriodWords = Annotated[
    str | None,
    Field(
        max_length=100,
        description='A grading period by its name, or "all" for the whole course; default the current one.',
    ),
]


@dataclass(frozen=True, kw_only=True)
class GradingPeriod:
    """Grading period: what is due after `start` and until `end` counts in it.

    weight: percent of the course, where periods have one.
    """

    id: int
    title: str
    start: datetime
    end: datetime
    weight: Fraction | None = None

    def label(self, zone: ZoneInfo) -> str:
        """Format with its days: "Second half (26 Oct – 23 Dec 2026)"."""
        return f"{self.title} ({days(self.start.astimezone(zone).date(), self.end.astimezone(zone).date())})"


@dataclass(frozen=True, kw_only=True)
class GradeScope:
    """Part of a course that a question about grades is about: a grading period or the whole course.

    rows: Canvas's assignment groups with what falls into it. period: None for the whole course. periods: all of the
    course. all_rows: all of the course's rows.
    """

    course: Course
    rows: list[Json]
    all_rows: list[Json] = field(default_factory=list)
    period: GradingPeriod | None = None
    periods: tuple[GradingPeriod, ...] = ()
    note: str = ""

    def whole_course(self) -> "GradeScope":
        """Widen to the whole course."""
        return replace(self, rows=self.all_rows, period=None)

    @property
    def is_current(self) -> bool:
        return self.period is not None and self.course.period is not None and self.period.id == self.course.period.id

    @property
    def name(self) -> str:
        """Name of the course with the period, for a headline."""
        which = "the current grading period" if self.is_current else "a grading period"
        return f"{self.course.name}, {self.period.title} ({which})" if self.period else self.course.name

    @property
    def noun(self) -> str:
        return "the grading period" if self.period else "the course"

    @property
    def canvas_grade(self) -> tuple[float | None, str | None]:
        """Percentage and letter that Canvas itself gives for this part, None where it does not."""
        if self.is_current and self.course.period:
            return self.course.period.score, self.course.period.grade
        return (None, None) if self.period else (self.course.score, self.course.grade)

    def book(self, *, origin: str, now: datetime) -> tuple[Gradebook, str]:
        """Read its gradebook, with a note about what could not be read."""
        is_weighted = self.course.is_weighted
        book, note = read_gradebook(self.rows, is_weighted=is_weighted, origin=origin, now=now)
        if self.period or not self.course.weighs_periods:
            return book, note

        def groups(period: GradingPeriod) -> tuple[AssignmentGroup, ...]:
            rows = groups_in_period(self.rows, period, self.periods)
            return read_gradebook(rows, is_weighted=is_weighted, origin=origin, now=now)[0].groups

        weighed = tuple((period.weight, groups(period)) for period in self.periods if period.weight)
        return Gradebook(groups=book.groups, is_weighted=is_weighted, periods=weighed), note


def is_whole(words: str) -> bool:
    return words.strip().casefold() in WHOLE_COURSE_WORDS


def is_current(words: str) -> bool:
    return words.strip().casefold() in ("current", "now", "this one")


def grade_scope(client: CanvasClient, course: Course, words: str | None) -> GradeScope:
    """Find the part of a course that is asked about: its current grading period unless `words` say another.

    One request for a course without grading periods, two for one with them. Raises `BadArguments`.
    """
    rows = client.assignment_groups(course.id)
    if not course.has_periods:
        if words and not is_whole(words) and not is_current(words):
            raise BadArguments(
                f"{course.name} has no grading periods; leave grading_period out.",
                field="grading_period",
                said=gettext("{course} has no grading periods: leave this empty.", course=course.name),
            )
        return GradeScope(course=course, rows=rows)
    try:
        periods = read_periods(client.grading_periods(course.id))
    except (PermissionMissing, ItemNotFound):
        note = "Note: Canvas does not tell this course's grading periods, so this is about all of it."
        return GradeScope(course=course, rows=rows, note=note)
    chosen = None if words and is_whole(words) else _period_named(periods, words, course)
    shown = groups_in_period(rows, chosen, periods) if chosen else rows
    return GradeScope(course=course, rows=shown, all_rows=rows, period=chosen, periods=periods)


def read_periods(rows: Sequence[Json]) -> tuple[GradingPeriod, ...]:
    """Read grading periods, the earliest first.

    https://developerdocs.instructure.com/services/canvas/resources/grading_periods
    """
    found, _ = read_rows(rows, _read_period)
    return tuple(sorted(found, key=lambda period: period.start))


def groups_in_period(rows: Sequence[Json], period: GradingPeriod, periods: Sequence[GradingPeriod]) -> list[Json]:
    """Filter the groups to what counts in a period; what has no due date counts in the last one.

    As lib/effective_due_dates.rb of canvas-lms decides: after its start and until its end, to the minute.
    """

    def is_in(row: Mapping[str, Any]) -> bool:
        due_at, _ = read_time(row.get("due_at"))
        if due_at is None:
            return period == periods[-1]
        return _minute(period.start) < _minute(due_at) <= _minute(period.end)

    return [{**group, "assignments": list(filter(is_in, objects_of(group.get("assignments"))))} for group in rows]


def _read_period(row: Mapping[str, Any]) -> GradingPeriod | None:
    (start, _), (end, _) = read_time(row.get("start_date")), read_time(row.get("end_date"))
    if start is None or end is None:
        return None
    title, weight = safe_line(row.get("title")) or "(no name)", exact_number(row.get("weight"))
    return GradingPeriod(id=id_of(row.get("id")), title=title, start=start, end=end, weight=weight)


def _minute(at: datetime) -> datetime:
    return at - timedelta(seconds=at.second, microseconds=at.microsecond)


def _period_named(periods: Sequence[GradingPeriod], words: str | None, course: Course) -> GradingPeriod | None:
    if not words or is_current(words):
        return next((period for period in periods if course.period and period.id == course.period.id), None)
    by_id = [period for period in periods if str(period.id) == words.strip()]
    found = by_id or best_matches(periods, words, lambda period: (period.title,))
    if len(found) == 1:
        return found[0]
    choices = [NameChoice(name=period.title, id=period.id) for period in found or periods]
    raise several_fit("grading_period", words, choices) if found else none_fits("grading_period", words, choices)
