"""Courses of a student, and the search for the course that their words mean: "bio", "CS 101", "my writing class"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.integrations.canvas.grading_scheme import DEFAULT, GradingScheme, read_scheme
from services.integrations.canvas.payloads import is_id, number_of, object_of, objects_of, read_time, safe_line
from services.integrations.canvas.people import is_taught, roles_of
from services.integrations.kit.course_names import matching_courses, the_course
from services.integrations.kit.name_choices import NameChoice


@dataclass(frozen=True, kw_only=True)
class PeriodGrade:
    """Grades in the grading period that is running; the fields are as those of `Course`."""

    id: int
    title: str
    score: float | None = None
    grade: str | None = None
    final_score: float | None = None
    final_grade: str | None = None


@dataclass(frozen=True, kw_only=True)
class Course:
    """Course as its student sees it.

    score (percent), grade: as Canvas counts them now, from what is graded; None where it does not say. final_score,
    final_grade: with nothing for all that is not graded. In a course with grading periods these are about all of them,
    and `tells_whole` says whether it shows such a total at all; `period` is the one that is running. ends_at: when its
    term, else the course itself, is over. roles: of the user there, such as "student" or "ta".
    """

    id: int
    name: str
    code: str
    term: str
    url: str
    teachers: tuple[str, ...] = ()
    teacher_ids: tuple[int, ...] = ()
    own_id: int | None = None
    is_over: bool = False
    score: float | None = None
    grade: str | None = None
    final_score: float | None = None
    final_grade: str | None = None
    hides_grades: bool = False
    is_weighted: bool = False
    has_periods: bool = False
    weighs_periods: bool = False
    tells_whole: bool = True
    period: PeriodGrade | None = None
    ends_at: datetime | None = None
    scheme: GradingScheme = DEFAULT
    roles: tuple[str, ...] = ()

    @property
    def is_taught(self) -> bool:
        """Whether the user teaches or assists there: nothing in it is theirs to hand in."""
        return is_taught(self.roles)


def read_courses(rows: Sequence[dict[str, Any]], origin: str) -> tuple[list[Course], int]:
    """Read the courses, and the number of those that Canvas keeps closed (outside their dates) and does not name."""
    open_rows = [row for row in rows if row.get("name") and is_id(row.get("id"))]
    return [_read_course(row, origin) for row in open_rows], len(rows) - len(open_rows)


def find_course(courses: Sequence[Course], wanted: str, past: Callable[[], Sequence[Course]] = tuple) -> Course:
    """Find the course that the words mean; raises `BadArguments` with the choices when none or several fit.

    past: courses that are over, looked at only when no active one fits.
    """
    found = _matching(courses, wanted) or _matching(past(), wanted)
    return the_course(found or courses, wanted, _choice, fits=bool(found))


def _matching(courses: Sequence[Course], wanted: str) -> list[Course]:
    by_id = [course for course in courses if str(course.id) == wanted.strip()]
    return by_id or matching_courses(courses, wanted, _names, about=lambda course: (*course.teachers, course.term))


def _names(course: Course) -> tuple[str, str]:
    return course.name, course.code


def _choice(course: Course) -> NameChoice:
    return NameChoice(name=course.name, place="" if course.code in course.name else course.code, id=course.id)


def _has_letters(row: dict[str, Any], mine: dict[str, Any]) -> bool:
    """Check whether the course gives letter grades; Canvas sends its default scheme for those that do not."""
    return bool(row.get("grading_standard_id") or mine.get("computed_current_grade"))


def _running_period(mine: dict[str, Any]) -> PeriodGrade | None:
    if not mine.get("has_grading_periods") or not is_id(mine.get("current_grading_period_id")):
        return None
    return PeriodGrade(
        id=int(mine["current_grading_period_id"]),
        title=safe_line(mine.get("current_grading_period_title")) or "the current grading period",
        score=number_of(mine.get("current_period_computed_current_score")),
        grade=safe_line(mine.get("current_period_computed_current_grade"), 20) or None,
        final_score=number_of(mine.get("current_period_computed_final_score")),
        final_grade=safe_line(mine.get("current_period_computed_final_grade"), 20) or None,
    )


def _end_of(row: dict[str, Any]) -> datetime | None:
    return read_time(object_of(row.get("term")).get("end_at"))[0] or read_time(row.get("end_at"))[0]


def _read_course(row: dict[str, Any], origin: str) -> Course:
    enrollments, teachers = objects_of(row.get("enrollments")), objects_of(row.get("teachers"))
    mine: dict[str, Any] = next(
        (enrollment for enrollment in enrollments if "computed_current_score" in enrollment), {}
    )
    own_id = next((enrollment["user_id"] for enrollment in enrollments if is_id(enrollment.get("user_id"))), None)
    return Course(
        id=int(row["id"]),
        name=safe_line(row["name"]),
        code=safe_line(row.get("course_code") or row["name"]),
        term=safe_line(object_of(row.get("term")).get("name")),
        url=f"{origin}/courses/{row['id']}",
        teachers=tuple(safe_line(teacher.get("display_name")) for teacher in teachers),
        teacher_ids=tuple(int(teacher["id"]) if is_id(teacher.get("id")) else 0 for teacher in teachers),
        score=number_of(mine.get("computed_current_score")),
        grade=safe_line(mine.get("computed_current_grade"), 20) or None,
        final_score=number_of(mine.get("computed_final_score")),
        final_grade=safe_line(mine.get("computed_final_grade"), 20) or None,
        own_id=None if own_id is None else int(own_id),
        is_over=bool(row.get("concluded")),
        hides_grades=bool(row.get("hide_final_grades")),
        is_weighted=bool(row.get("apply_assignment_group_weights")),
        has_periods=bool(row.get("has_grading_periods") or mine.get("has_grading_periods")),
        weighs_periods=bool(row.get("has_weighted_grading_periods")),
        tells_whole=mine.get("totals_for_all_grading_periods_option") is not False,
        period=_running_period(mine),
        ends_at=_end_of(row),
        roles=roles_of(row),
        scheme=read_scheme(row.get("grading_scheme"), is_own=_has_letters(row, mine)),
    )
