"""Reading Canvas's data: who is in which course, what is due there, and who handed in what."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sandbox.campus import Campus
from sandbox.canvas.gradebook.grades import Totals, over_periods, totals

Row = dict[str, Any]
NOT_ONLINE = ("on_paper", "none", "external_tool")


@dataclass(frozen=True, kw_only=True)
class School:
    """Canvas's data; `web` is the public address that its links begin with."""

    campus: Campus

    @property
    def web(self) -> str:
        """Where people open Canvas."""
        return f"{self.campus.origin}/canvas"

    def html(self, text: str | None) -> str | None:
        """A text of an instructor with the address of this Canvas in its links."""
        return text.replace("{web}", self.web) if text else text

    def user(self, number: int | str) -> Row | None:
        """A user by Canvas's id."""
        return self.campus.state.get("canvas.users", number)

    def user_of(self, person: str) -> Row:
        """The Canvas user of a person of the campus."""
        user: Row = self.campus.state.all("canvas.users", person=person)[0]
        return user

    def course(self, number: int | str) -> Row | None:
        """A course by its id."""
        return self.campus.state.get("canvas.courses", number)

    def courses(self) -> list[Row]:
        """Every course."""
        return self.campus.state.all("canvas.courses")

    def term(self, course: Row) -> Row:
        """The course's term."""
        return self.campus.state.get("canvas.terms", course["term_id"]) or {}

    def enrollments(self, **fields: Any) -> list[Row]:
        """Enrollments with these fields, such as course_id= and user_id=."""
        return self.campus.state.all("canvas.enrollments", **fields)

    def enrollment(self, course_id: int, user_id: int) -> Row | None:
        """The user's enrollment in the course, or None."""
        return self.campus.state.get("canvas.enrollments", enrollment_id(course_id, user_id))

    def courses_of(self, user_id: int, state: str | None = "active", *, closed: bool = False) -> list[tuple[Row, Row]]:
        """The user's (course, enrollment) pairs; `state` "active", "completed" or None for both.

        closed: instead of the open courses, those that are kept closed until their dates.
        """
        wanted = {"enrollment_state": state} if state else {}
        pairs = [
            (course, enrollment)
            for enrollment in self.enrollments(user_id=user_id, **wanted)
            if (course := self.course(enrollment["course_id"]))
        ]
        return [pair for pair in pairs if pair[0]["is_restricted"] == closed]

    def groups(self, course_id: int) -> list[Row]:
        """A course's assignment groups."""
        return self.campus.state.all("canvas.groups", course_id=course_id)

    def assignments(self, course_id: int) -> list[Row]:
        """A course's assignments in order of position."""
        return self.campus.state.all("canvas.assignments", course_id=course_id)

    def assignment(self, number: int | str) -> Row | None:
        """An assignment by its id."""
        return self.campus.state.get("canvas.assignments", number)

    def submissions(self, course_id: int, user_id: int) -> dict[int, Row]:
        """What a user has handed in for a course, by assignment id."""
        rows = (self.submission(assignment["id"], user_id) for assignment in self.assignments(course_id))
        return {row["assignment_id"]: row for row in rows if row}

    def submission(self, assignment_id: int, user_id: int) -> Row | None:
        """One submission, or None while nothing was handed in."""
        return self.campus.state.get("canvas.submissions", f"{assignment_id}:{user_id}")

    def submissions_for(self, assignment: Row) -> list[Row]:
        """Everyone's submissions for an assignment."""
        students = self.enrollments(course_id=assignment["course_id"], type="StudentEnrollment")
        rows = (self.submission(assignment["id"], student["user_id"]) for student in students)
        return [row for row in rows if row]

    def scores(self, assignment: Row) -> list[float]:
        """Every score of an assignment, lowest first."""
        return sorted(row["score"] for row in self.submissions_for(assignment) if row["score"] is not None)

    def periods(self, course_id: int) -> list[Row]:
        """A course's grading periods, the earliest first."""
        return sorted(self.campus.state.all("canvas.periods", course_id=course_id), key=lambda row: row["start_date"])

    def current_period(self, course_id: int) -> Row | None:
        """The grading period that is running."""
        now, periods = self.campus.now(), self.periods(course_id)
        return next(
            (period for period in periods if moment(period["start_date"]) <= now <= moment(period["end_date"])), None
        )

    def in_period(self, course_id: int, period_id: int | str) -> list[Row]:
        """What counts in a grading period: by its due date, and what has none in the last."""
        periods = self.periods(course_id)
        period = next(period for period in periods if str(period["id"]) == str(period_id))
        return [row for row in self.assignments(course_id) if _is_due_in(row, period, is_last=period is periods[-1])]

    def totals(self, course_id: int, user_id: int, period: Row | None = None) -> Totals:
        """A student's totals in a course or one of its grading periods, whose weights make those of the course."""
        groups, handed_in = self.groups(course_id), self.submissions(course_id, user_id)
        if period:
            return totals(groups, self.in_period(course_id, period["id"]), handed_in)
        if not (periods := self.periods(course_id)):
            return totals(groups, self.assignments(course_id), handed_in)
        return over_periods([(period["weight"], self.totals(course_id, user_id, period)) for period in periods])

    def topics(self, course_id: int, *, is_announcement: bool) -> list[Row]:
        """Announcements or discussions of a course."""
        return self.campus.state.all("canvas.topics", course_id=course_id, is_announcement=is_announcement)

    def entries(self, topic_id: int) -> list[Row]:
        """What was written in a discussion, oldest first."""
        return self.campus.state.all("canvas.entries", topic_id=topic_id)

    def reviews(self, assessor_id: int) -> list[Row]:
        """The classmates' work that a user is to review."""
        return self.campus.state.all("canvas.reviews", assessor_id=assessor_id)

    def modules(self, course_id: int) -> list[Row]:
        """A course's modules."""
        return self.campus.state.all("canvas.modules", course_id=course_id)

    def materials(self, kind: str, module_id: int) -> list[Row]:
        """Pages or files ("pages", "files") of a module that are open to everyone in the course."""
        rows = self.campus.state.all(f"canvas.{kind}", module_id=module_id)
        return [row for row in rows if self.is_open_to_all(row)]

    def is_open_to_all(self, row: Row) -> bool:
        """Whether a file or page is open to everyone in the course now, whatever they have handed in."""
        module = self.campus.state.get("canvas.modules", row["module_id"]) if row["module_id"] else None
        begins = [each for each in (row["unlock_at"], module and module["unlock_at"]) if each]
        is_shut = (
            row["locked"] or row["unpublished"] or row["only"] is not None or bool(module and module.get("is_locked"))
        )
        now = self.campus.now()
        is_over = row["lock_at"] is not None and now > moment(row["lock_at"])
        return not is_shut and not is_over and all(moment(each) <= now for each in begins)

    def events(self, course_id: int) -> list[Row]:
        """A course's calendar events that are not assignments."""
        return self.campus.state.all("canvas.events", course_id=course_id)

    def notes(self, user_id: int) -> list[Row]:
        """A user's planner notes."""
        return self.campus.state.all("canvas.notes", user_id=user_id)

    def is_missing(self, assignment: Row, submission: Row | None) -> bool:
        """Past its due date, to be handed in online, and not handed in."""
        is_past = assignment["due_at"] is not None and moment(assignment["due_at"]) < self.campus.now()
        return is_past and submission is None and expects_submission(assignment)


def _is_due_in(assignment: Row, period: Row, *, is_last: bool) -> bool:
    if assignment["due_at"] is None:
        return is_last
    due = assignment["due_at"][:16]
    return bool(period["start_date"][:16] < due <= period["end_date"][:16])


def enrollment_id(course_id: int, user_id: int) -> int:
    """Canvas's number for a user's place in a course."""
    return course_id * 10000 + user_id


def moment(text: str) -> datetime:
    """A moment as Canvas writes it."""
    return datetime.fromisoformat(text)


def expects_submission(assignment: Row) -> bool:
    """Whether Canvas itself takes the hand-in (not on paper, not in another program)."""
    return not set(assignment["submission_types"]) & set(NOT_ONLINE)


def is_late(assignment: Row, submission: Row) -> bool:
    """Whether it was handed in after the due date."""
    due_at, submitted_at = assignment["due_at"], submission["submitted_at"]
    return bool(due_at and submitted_at) and moment(submitted_at) > moment(due_at)
