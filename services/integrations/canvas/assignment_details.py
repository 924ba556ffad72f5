"""Details of an assignment as lines: how to hand it in, instructions, rubric, comments, class statistics."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n.english import moment
from services.integrations.canvas.access import quoted_lines
from services.integrations.canvas.assignments import Assignment
from services.integrations.canvas.grade_forecast import share_of_grade
from services.integrations.canvas.gradebook import read_gradebook
from services.integrations.canvas.payloads import Row, number_of, object_of, objects_of, read_time, safe_line, texts_of
from services.integrations.canvas.people import CLASSMATE, STUDENT, CourseMembers, members_of

_SUBMISSION_TYPES = {
    "online_upload": "upload a file",
    "online_text_entry": "write in a text box",
    "online_url": "give a web address",
    "online_quiz": "take a quiz",
    "discussion_topic": "post in a discussion",
    "media_recording": "record audio or video",
    "student_annotation": "annotate a document",
    "external_tool": "use another program that opens from Canvas",
    "on_paper": "on paper",
    "none": "nothing to hand in",
    "not_graded": "not graded",
}
_LONGEST_COMMENT = 1000
_LONGEST_REMARK = 300


@dataclass(frozen=True, kw_only=True)
class ClassStatistics:
    """Score statistics of the whole class, where Canvas shows them to students; never a single classmate's score."""

    mean: float
    lowest: float
    highest: float

    def line(self) -> str:
        return f"- The class: mean {self.mean:g}, lowest {self.lowest:g}, highest {self.highest:g}"

    def data(self) -> dict[str, float]:
        return {"mean": self.mean, "min": self.lowest, "max": self.highest}


def statistics_of(row: Row) -> ClassStatistics | None:
    """Read the class statistics of an assignment; None where Canvas hides them, as it does for very few scores."""
    given = object_of(row.get("score_statistics"))
    mean, lowest, highest = (number_of(given.get(name)) for name in ("mean", "min", "max"))
    if mean is None or lowest is None or highest is None:
        return None
    return ClassStatistics(mean=mean, lowest=lowest, highest=highest)


def group_text(row: Row, groups: Sequence[Row]) -> str:
    """Describe the assignment's group with weight and drop rules; "" when unknown."""
    group = next((group for group in groups if group.get("id") == row.get("assignment_group_id")), None)
    if group is None:
        return ""
    weight, rules = number_of(group.get("group_weight")), object_of(group.get("rules"))
    parts = [
        f"{weight:g} % of the grade" if weight else "",
        f"lowest {rules['drop_lowest']} dropped" if rules.get("drop_lowest") else "",
        f"highest {rules['drop_highest']} dropped" if rules.get("drop_highest") else "",
    ]
    told = ", ".join(part for part in parts if part)
    return safe_line(group.get("name")) + (f" ({told})" if told else "")


def fact_lines(row: Row, submission: Row, group: str, zone: ZoneInfo) -> list[str]:
    """List how to hand it in, when it opens and closes, its group, the attempts, and when it was handed in."""
    types = texts_of(row.get("submission_types"))
    ways = [_SUBMISSION_TYPES.get(type, safe_line(type.replace("_", " "), 40)) for type in types]
    kinds = ", ".join(safe_line(kind, 20) for kind in texts_of(row.get("allowed_extensions")))
    handed_in = submission or object_of(row.get("submission"))
    told = [
        f"- How to hand it in: {', '.join(ways)}{f' ({kinds} only)' if kinds else ''}" if ways else "",
        _time("Opens", row.get("unlock_at"), zone),
        _time("Closes", row.get("lock_at"), zone),
        f"- Now: {safe_line(row['lock_explanation'])}" if row.get("lock_explanation") else "",
        f"- Group: {group}" if group else "",
        "- Does not count towards the grade" if row.get("omit_from_final_grade") else "",
        _attempts(row.get("allowed_attempts"), handed_in.get("attempt")),
        _time("Handed in", handed_in.get("submitted_at"), zone),
        "- Peer reviews: classmates read each other's work" if row.get("peer_reviews") else "",
    ]
    return [fact for fact in told if fact]


def late_line(row: Row, assignment: Assignment, now: datetime, zone: ZoneInfo) -> str:
    """Say of work that is past due and not handed in whether Canvas takes it still; "" for any other."""
    if not assignment.is_to_do or assignment.due_at is None or assignment.due_at >= now:
        return ""
    if assignment.is_closed or row.get("locked_for_user"):
        return "- Canvas does not take it any more"
    closes_at, _ = read_time(row.get("lock_at"))
    until = f"until {moment(closes_at, zone)}" if closes_at else "and has no closing day for it"
    return f"- Canvas still takes it, {until}; whether late work counts is up to the course"


def share_line(groups: Sequence[Row], assignment_id: int, *, is_weighted: bool, now: datetime) -> str:
    """Say what it counts for in the course grade; "" where nothing or nobody knows. groups: with their assignments."""
    book, _ = read_gradebook([dict(group) for group in groups], is_weighted=is_weighted, origin="", now=now)
    share = float(share_of_grade(book, assignment_id))
    return f"- Counts for about {share:.2g} % of the course grade" if share else ""


def instruction_lines(row: Row) -> list[str]:
    """Quote the instructions line by line, so that nothing in them can pass for our own words."""
    opening = "Instructions, as the instructor wrote them:"
    return quoted_lines(row.get("description"), opening, "There are no instructions.")


def _time(label: str, written: Any, zone: ZoneInfo) -> str:
    at, _ = read_time(written)
    return f"- {label}: {moment(at, zone)}" if at else ""


def _attempts(allowed: Any, used: Any) -> str:
    """Format the attempts; Canvas says -1 for an unlimited number."""
    taken = f", {used} used" if isinstance(used, int) and used > 0 else ""
    if isinstance(allowed, int) and allowed > 0:
        return f"- Attempts allowed: {allowed}{taken}"
    return f"- Attempts used: {used}" if taken and used > 1 else ""


@dataclass(frozen=True, kw_only=True)
class SubmissionComment:
    """Comment on a submission. by: "the student", a teacher's name, "the grader" or "a classmate"."""

    by: str
    text: str
    at: datetime | None

    def line(self, zone: ZoneInfo) -> str:
        when = f" on {moment(self.at, zone)}" if self.at else ""
        return f"- Comment by {self.by}{when}: “{self.text}”"


def comments_of(submission: Row, people: CourseMembers) -> list[SubmissionComment]:
    """Read the comments on a submission, oldest first."""
    rows = objects_of(submission.get("submission_comments"))
    authors = [{"id": row.get("author_id"), "display_name": row.get("author_name")} for row in rows]
    known = members_of(people.teachers.items(), authors, people.own_id)
    grader_id = submission.get("grader_id")
    return [
        SubmissionComment(
            by=known.author_name(row.get("author_id"), also_teacher=grader_id),
            text=known.without_names(safe_line(row.get("comment"), _LONGEST_COMMENT)),
            at=read_time(row.get("created_at"))[0],
        )
        for row in rows
    ]


def remark_of(submission: Row, people: CourseMembers) -> str:
    """Shorten the last comment of a teacher; "" when there is none."""
    comments = comments_of(submission, people)
    said = [comment for comment in comments if comment.text and comment.by not in (CLASSMATE, STUDENT)]
    return f"{said[-1].by}: “{safe_line(said[-1].text, _LONGEST_REMARK)}”" if said else ""


def rubric_lines(rubric: Any, assessment: Any) -> list[str]:
    """List the rubric's criteria with their points and, once graded, the points given."""
    given = object_of(assessment)
    lines = [_criterion(row, object_of(given.get(str(row.get("id"))))) for row in objects_of(rubric)]
    return ["- Rubric:", *lines] if lines else []


def _criterion(row: Row, given: Row) -> str:
    of, got = number_of(row.get("points")), number_of(given.get("points"))
    points = f"{of:g} points" if of is not None else ""
    if got is not None:
        points = f"{got:g} of {points}" if points else f"{got:g} points"
    more = [safe_line(row.get("long_description"), _LONGEST_REMARK), safe_line(given.get("comments"), _LONGEST_REMARK)]
    facts = [points, more[0], f"remark: “{more[1]}”" if more[1] else "", "" if given else _ratings(row)]
    return f"  - {safe_line(row.get('description'))} — {' — '.join(fact for fact in facts if fact)}"


def _ratings(row: Row) -> str:
    """Format the levels of a criterion, best first."""
    levels = objects_of(row.get("ratings"))
    named = [(number_of(level.get("points")), safe_line(level.get("description"), 80)) for level in levels]
    return ", ".join(f"{points:g}: {name}" for points, name in named if points is not None and name)
