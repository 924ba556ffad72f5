"""Assignments, read from every form in which Canvas lists them, and written as lines and JSON."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n.english import moment
from services.integrations.canvas.assignment_kinds import AssignmentKind, estimated_minutes, kind_of, rough_hours
from services.integrations.canvas.errors import LABEL
from services.integrations.canvas.payloads import (
    canvas_link,
    id_of,
    is_id,
    number_of,
    object_of,
    read_time,
    safe_line,
    texts_of,
)

_PLANNED = ("assignment", "quiz", "discussion_topic", "assessment_request")
_UNTITLED = "(untitled)"
_NOTHING_TO_HAND_IN = frozenset({"none", "on_paper", "not_graded"})


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """Assignment, with the student's submission state.

    due_at: None when there is no due date, or when `due_text`, Canvas's own words, cannot be read as one. is_to_do:
    Canvas takes something for it and has nothing from the student yet. is_handed_in: it has, or it needs nothing any
    more because it is graded or excused. is_closed: Canvas no longer takes it. to_grade: in a course that the user
    teaches, how many submissions wait for a grade; None in one that they take. quiz_id, time_limit (in minutes): of a
    quiz of Canvas's own; only the list of quizzes tells the limit.
    """

    id: int
    course_id: int
    course: str
    title: str
    url: str
    due_at: datetime | None
    due_text: str | None = None
    points: float | None = None
    status: str = ""
    kind: AssignmentKind = AssignmentKind.HOMEWORK
    is_to_do: bool = False
    is_handed_in: bool = False
    is_late: bool = False
    is_waiting: bool = False
    is_missing: bool = False
    is_closed: bool = False
    group: str = ""
    remark: str = ""
    to_grade: int | None = None
    graded_at: datetime | None = None
    score: float | None = None
    quiz_id: int | None = None
    time_limit: int | None = None

    @property
    def is_taught(self) -> bool:
        return self.to_grade is not None

    @property
    def minutes(self) -> int:
        """Estimated duration of the work in minutes; 0 once it is handed in."""
        if self.is_handed_in or self.is_taught:
            return 0
        return estimated_minutes(self.kind, self.points, title=self.title, time_limit=self.time_limit)

    @property
    def effort(self) -> str:
        """Rough duration for a line of output, with what it is based on when that is not the rule; "" once done."""
        if not self.minutes:
            return ""
        return rough_hours(self.minutes) + (" (its time limit)" if self.time_limit else "")

    def needs_work(self, now: datetime) -> bool:
        """Whether the student still has something to do for it, an exam on paper too: due ahead, or missing."""
        is_own = not self.is_handed_in and not self.is_taught
        return is_own and self.due_at is not None and (self.due_at > now or self.is_missing)

    def due(self, zone: ZoneInfo) -> str:
        """Format the due date in the student's zone."""
        if self.due_at:
            return f"due {moment(self.due_at, zone)}"
        return "due date unreadable in Canvas" if self.due_text else "no due date"

    def line(self, zone: ZoneInfo, *more: str) -> str:
        """Format as a line of a tool's output; `more` are further details."""
        points = f"{self.points:g} points" if self.points is not None else ""
        facts = (self.kind.label, self.course, self.due(zone), points, self.status, self.remark, *more)
        details = [text for text in facts if text]
        return f"- **{self.title}** — {' — '.join(details)} — [open]({self.url}) (id: {self.id})"

    def data(self) -> dict[str, Any]:
        """Convert to JSON; `due_at` is ISO 8601 in UTC."""
        return {
            "id": self.id,
            "course_id": self.course_id,
            "course": self.course,
            "title": self.title,
            "due_at": self.due_at.astimezone(UTC).isoformat() if self.due_at else None,
            "points": self.points,
            "status": self.status,
            "is_done": self.is_handed_in,
            "service": LABEL,
            "kind": self.kind.value,
            "url": self.url,
            **({"remark": self.remark} if self.remark else {}),
            **({"to_grade": self.to_grade} if self.is_taught else {}),
            **(
                {"graded_at": self.graded_at.astimezone(UTC).isoformat(), "score": self.score} if self.graded_at else {}
            ),
        }


def by_due_date(assignment: Assignment) -> tuple[bool, datetime, str]:
    """Sort key: the earliest first, those without a date last."""
    return assignment.due_at is None, assignment.due_at or datetime.max.replace(tzinfo=UTC), assignment.title


def by_grading(assignment: Assignment) -> tuple[datetime, str]:
    """Sort key: the one that was graded first, first."""
    return assignment.graded_at or datetime.min.replace(tzinfo=UTC), assignment.title


def from_assignment(row: Mapping[str, Any], *, course: str, origin: str, now: datetime, remark: str = "") -> Assignment:
    """Read an assignment: https://developerdocs.instructure.com/services/canvas/resources/assignments"""
    due_at, due_text = read_time(row.get("due_at"))
    points, submission = number_of(row.get("points_possible")), object_of(row.get("submission"))
    title, types = safe_line(row.get("name")) or _UNTITLED, texts_of(row.get("submission_types"))
    is_untouched = _is_untouched(submission)
    takes_work = not types or bool(set(types) - _NOTHING_TO_HAND_IN)
    state = _status(submission, points, due_at, now, takes_work=takes_work)
    return Assignment(
        id=id_of(row.get("id")),
        course_id=id_of(row.get("course_id")),
        course=course,
        title=title,
        url=canvas_link(row.get("html_url"), origin),
        due_at=due_at,
        due_text=due_text,
        points=points,
        status=state + (", closed" if _is_closed(row, now) and takes_work else ""),
        kind=kind_of(title, types, is_quiz=_is_quiz(row)),
        is_handed_in=not is_untouched,
        is_to_do=is_untouched and bool(set(types) - _NOTHING_TO_HAND_IN),
        is_late=bool(submission.get("late")) and not is_untouched,
        is_waiting=bool(submission.get("submitted_at")) and number_of(submission.get("score")) is None,
        is_missing=bool(submission.get("missing")) and is_untouched,
        is_closed=_is_closed(row, now),
        remark=remark,
        graded_at=read_time(submission.get("graded_at"))[0],
        score=number_of(submission.get("score")) if submission.get("workflow_state") == "graded" else None,
        quiz_id=id_of(row.get("quiz_id")) if is_id(row.get("quiz_id")) else None,
    )


def from_taught_assignment(row: Mapping[str, Any], *, course: str, origin: str, now: datetime) -> Assignment:
    """Read an assignment of a course that the user teaches: how much waits for a grade, no submission of theirs."""
    counted = int(number_of(row.get("needs_grading_count")) or 0)
    plain = from_assignment({**row, "submission": {}}, course=course, origin=origin, now=now)
    waiting = f"{counted} to grade" if counted else "nothing to grade"
    status = f"taught by the student, {waiting}" + (", not published" if row.get("published") is False else "")
    return replace(plain, status=status, is_to_do=False, is_missing=False, is_closed=False, to_grade=counted)


def from_planner(row: Mapping[str, Any], *, origin: str, now: datetime) -> Assignment | None:
    """Read a planner item; None for what is no assignment.

    https://developerdocs.instructure.com/services/canvas/resources/planner: `submissions` is false, or holds the state;
    a topic without one has nothing to hand in.
    """
    type, thing = row.get("plannable_type"), object_of(row.get("plannable"))
    states = object_of(row.get("submissions"))
    if type not in _PLANNED or (type == "discussion_topic" and not states):
        return None
    due_at, due_text = read_time(thing.get("due_at") or row.get("plannable_date"))
    is_review, title = type == "assessment_request", safe_line(thing.get("title")) or _UNTITLED
    kind = kind_of(title, plannable=str(type))
    is_done = any(states.get(state) for state in ("submitted", "graded", "excused"))
    if is_review:
        is_done = thing.get("workflow_state") == "completed"
    return Assignment(
        id=id_of(thing.get("assignment_id") or row.get("plannable_id")),
        course_id=id_of(row["course_id"]) if is_id(row.get("course_id")) else 0,
        course=safe_line(row.get("context_name")),
        title=f"Review a classmate's work: {title}" if is_review else title,
        url=canvas_link(_without_person(row.get("html_url")) if is_review else row.get("html_url"), origin),
        due_at=due_at,
        due_text=due_text,
        points=number_of(thing.get("points_possible")),
        status=("done" if is_done else "not done yet")
        if is_review
        else _planned_status(states, due_at, now, takes_work=kind is not AssignmentKind.EXAM or type == "quiz"),
        is_handed_in=is_done,
        is_to_do=not is_done,
        is_late=bool(states.get("late")) and is_done,
        is_waiting=bool(states.get("needs_grading")),
        is_missing=not is_done and bool(states.get("missing") or (is_review and due_at and due_at < now)),
        kind=kind,
        quiz_id=id_of(row.get("plannable_id")) if type == "quiz" and is_id(row.get("plannable_id")) else None,
    )


def _is_quiz(row: Mapping[str, Any]) -> bool:
    return any(row.get(field) is True for field in ("is_quiz_assignment", "is_quiz_lti_assignment"))


def _without_person(address: Any) -> str:
    """Link to the assignment's own page: that of a submission carries a person's id, a classmate's in a peer review."""
    return re.sub(r"/(anonymous_)?submissions/[^/?]*.*", "", str(address or ""))


def _is_untouched(submission: Mapping[str, Any]) -> bool:
    has_score = number_of(submission.get("score")) is not None
    return not (has_score or submission.get("submitted_at") or submission.get("excused"))


def _is_closed(row: Mapping[str, Any], now: datetime) -> bool:
    """Check whether it can no longer be handed in."""
    closes_at, _ = read_time(row.get("lock_at"))
    return closes_at is not None and closes_at < now and _is_untouched(object_of(row.get("submission")))


def _status(
    submission: Mapping[str, Any], points: float | None, due_at: datetime | None, now: datetime, *, takes_work: bool
) -> str:
    score = number_of(submission.get("score"))
    if submission.get("excused"):
        return "excused"
    if submission.get("workflow_state") == "graded" and score is not None:
        of = f" of {points:g}" if points is not None else ""
        return f"graded: {score:g}{of}" + (", handed in late" if submission.get("late") else "")
    if submission.get("submitted_at"):
        return "handed in late" if submission.get("late") else "handed in"
    return _open_status(bool(submission.get("missing")), due_at, now, takes_work)


def _planned_status(states: Mapping[str, Any], due_at: datetime | None, now: datetime, *, takes_work: bool) -> str:
    if states.get("excused"):
        return "excused"
    if states.get("graded"):
        return "graded"
    if states.get("submitted"):
        return "handed in late" if states.get("late") else "handed in"
    return _open_status(bool(states.get("missing")), due_at, now, takes_work)


def _open_status(is_missing: bool, due_at: datetime | None, now: datetime, takes_work: bool) -> str:
    """How open work stands. takes_work: Canvas takes something for it, as it does not for an exam on paper."""
    is_past = due_at is not None and due_at < now
    if is_missing:
        return "missing"
    if not takes_work:
        return "no grade yet" if is_past else "nothing to hand in online"
    return "not handed in, past due" if is_past else "not handed in yet"
