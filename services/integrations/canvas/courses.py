"""A student's courses, and which one they mean: "bio", "CS 101", "my writing class"."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from services.errors import BadArguments
from services.integrations.canvas.assignments import flat
from services.integrations.canvas.matching import best


@dataclass(frozen=True, kw_only=True)
class Course:
    """One active course. `score` (percent) and `grade` are as Canvas counts them now, None where it does not say."""

    id: int
    name: str
    code: str
    term: str
    url: str
    teachers: tuple[str, ...] = ()
    score: float | None = None
    grade: str | None = None
    hides_grades: bool = False


def read_courses(rows: Sequence[dict[str, Any]], origin: str) -> tuple[list[Course], int]:
    """The courses, and how many more there are that Canvas keeps closed (outside their dates) and does not name."""
    open_rows = [row for row in rows if row.get("name")]
    return [_read_course(row, origin) for row in open_rows], len(rows) - len(open_rows)


def find_course(courses: Sequence[Course], wanted: str) -> Course:
    """The one course that the words mean; raises `BadArguments` that lists the choices when none or several fit."""
    by_id = [course for course in courses if str(course.id) == wanted.strip()]
    found = by_id or best(courses, wanted, lambda course: (course.name, course.code))
    if len(found) == 1:
        return found[0]
    opening = "More than one course fits" if found else "No course of this student is called that. The courses"
    choices = "; ".join(f"{course.name} ({course.code}, id {course.id})" for course in found or courses)
    raise BadArguments(f"{opening}: {choices or 'none'}.", field="course")


def _read_course(row: dict[str, Any], origin: str) -> Course:
    mine: dict[str, Any] = next((e for e in row.get("enrollments") or () if "computed_current_score" in e), {})
    return Course(
        id=row["id"],
        name=flat(row["name"]),
        code=flat(row.get("course_code") or row["name"]),
        term=flat((row.get("term") or {}).get("name") or ""),
        url=f"{origin}/courses/{row['id']}",
        teachers=tuple(flat(teacher.get("display_name", "")) for teacher in row.get("teachers") or ()),
        score=mine.get("computed_current_score"),
        grade=mine.get("computed_current_grade"),
        hides_grades=bool(row.get("hide_final_grades")),
    )
