"""What teachers wrote about a student's work: comments and the filled-in rubric, classmates' names left out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n.english import moment
from services.integrations.canvas.payloads import Row, flat, number, part, parts, read_time
from services.integrations.canvas.people import CLASSMATE, People, people_of

_LONGEST = 1000
_LONGEST_REMARK = 300


@dataclass(frozen=True, kw_only=True)
class Comment:
    """by: "you", a teacher's name, "the grader" or "a classmate"."""

    by: str
    text: str
    at: datetime | None

    def line(self, zone: ZoneInfo) -> str:
        when = f" on {moment(self.at, zone)}" if self.at else ""
        return f"- Comment by {self.by}{when}: “{self.text}”"


def comments_of(submission: Row, people: People) -> list[Comment]:
    """The comments on a submission, oldest first."""
    rows = parts(submission.get("submission_comments"))
    authors = [{"id": row.get("author_id"), "display_name": row.get("author_name")} for row in rows]
    known = people_of(people.teachers.items(), authors, people.own_id)
    grader_id = submission.get("grader_id")
    return [
        Comment(
            by=known.who(row.get("author_id"), also_teacher=grader_id),
            text=known.without_names(flat(row.get("comment"), _LONGEST)),
            at=read_time(row.get("created_at"))[0],
        )
        for row in rows
    ]


def remark_of(submission: Row, people: People) -> str:
    """The last comment of a teacher in a few words, "" when there is none."""
    said = [
        comment for comment in comments_of(submission, people) if comment.by not in (CLASSMATE, "you") and comment.text
    ]
    return f"{said[-1].by}: “{flat(said[-1].text, _LONGEST_REMARK)}”" if said else ""


def rubric_lines(rubric: Any, assessment: Any) -> list[str]:
    """Each criterion with its points and, once graded, what it got."""
    given = part(assessment)
    lines = [_criterion(row, part(given.get(str(row.get("id"))))) for row in parts(rubric)]
    return ["- Rubric:", *lines] if lines else []


def _criterion(row: Row, given: Row) -> str:
    of, got = number(row.get("points")), number(given.get("points"))
    points = f"{of:g} points" if of is not None else ""
    if got is not None:
        points = f"{got:g} of {points}" if points else f"{got:g} points"
    more = [flat(row.get("long_description"), _LONGEST_REMARK), flat(given.get("comments"), _LONGEST_REMARK)]
    facts = [points, more[0], f"remark: “{more[1]}”" if more[1] else "", "" if given else _ratings(row)]
    return f"  - {flat(row.get('description'))} — {' — '.join(fact for fact in facts if fact)}"


def _ratings(row: Row) -> str:
    """The levels of a criterion, from the best."""
    levels = parts(row.get("ratings"))
    named = [(number(level.get("points")), flat(level.get("description"), 80)) for level in levels]
    return ", ".join(f"{points:g}: {name}" for points, name in named if points is not None and name)
