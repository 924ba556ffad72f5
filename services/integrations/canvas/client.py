"""`CanvasClient`: one student's Canvas through canvasapi, for the length of one call."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import requests
from canvasapi.requester import Requester
from canvasapi.util import combine_kwargs
from requests.adapters import HTTPAdapter

from services.connections.connector import Grant
from services.errors import ItemNotFound, PermissionMissing, ServiceError, ServiceUnavailable
from services.i18n import gettext
from services.integrations.canvas import errors
from services.integrations.canvas.errors import LABEL
from services.integrations.canvas.payloads import Json, objects_of
from services.integrations.canvas.people import TeachingCache
from services.integrations.canvas.transport import CanvasSession, CanvasTimeouts
from services.runtime.thread_pools import map_in_parallel

Result = TypeVar("Result")
Item = TypeVar("Item")

SIDE_BY_SIDE = 4
_PAGE = 100
_MOST_PAGES = 50
_MOST_CALENDARS = 10
"""Canvas ignores further ones: https://developerdocs.instructure.com/services/canvas/resources/calendar_events"""


@dataclass(frozen=True, kw_only=True)
class MissingPart:
    """A part that could not be read, and why, in words and as the error that it met."""

    of: Any
    reason: str
    problem: ServiceError


class CanvasClient:
    """Reads Canvas. Every method raises the typed errors of `services.errors`.

    canvasapi makes the requests. Its objects are left aside: they try to read every field of every row as a date, which
    took 7 ms an assignment (November 2026), almost a second for the 120 of one student.
    """

    def __init__(
        self, grant: Grant, *, timeouts: CanvasTimeouts, adapter: HTTPAdapter, teaching: TeachingCache | None = None
    ) -> None:
        """teaching: which accounts teach, cached across calls."""
        self.origin = grant.origin
        self._account, self._teaching = grant.pace, teaching or TeachingCache()
        self._requester = Requester(grant.origin, grant.access_token)
        # canvasapi makes its own session, without time-outs, and takes no other one.
        self._requester._session = CanvasSession(grant.origin, timeouts=timeouts, adapter=adapter, pace=grant.pace)

    def profile(self) -> Json:
        """https://developerdocs.instructure.com/services/canvas/resources/users#method.profile.settings"""
        return self._one("users/self/profile")

    def token(self, hint: str) -> Json:
        """What Canvas says about an access token, found by its first letters."""
        return self._one(f"users/self/tokens/{hint}")

    def courses(self, state: str = "active") -> list[Json]:
        """The student's courses with term, teachers and totals; closed ones have an id only. state: or "completed"."""
        include = ["term", "total_scores", "current_grading_period_scores", "teachers", "grading_scheme", "concluded"]
        rows = self._rows("courses", enrollment_state=state, include=include)
        if state == "active":
            self._teaching.store(self._account, rows)
        return rows

    def taught_courses(self) -> list[Json]:
        """The active courses, when the account teaches any; no request while it is known that it teaches none."""
        if self._teaching.teaches(self._account) is False:
            return []
        rows = self.courses()
        return rows if self._teaching.teaches(self._account) else []

    def course(self, course_id: int) -> Json:
        """One course with its syllabus as HTML."""
        return self._one(f"courses/{course_id}", include=["syllabus_body"])

    def planner_items(self, start: datetime, end: datetime, course_ids: Iterable[int] = ()) -> list[Json]:
        """What is dated in [start, end) over all courses, or these: one list for all of them."""
        codes = _codes(course_ids)
        return self._rows(
            "planner/items",
            start_date=_stamp(start),
            end_date=_stamp(end),
            **({"context_codes": codes} if codes else {}),
        )

    def missing_submissions(self) -> list[Json]:
        """Assignments past their due date that the student has not handed in, over all courses."""
        return self._rows("users/self/missing_submissions", include=["course"])

    def assignments(self, course_id: int, *, statistics: bool = False) -> list[Json]:
        """A course's assignments with the student's own submissions. The bucket "unsubmitted" is for graders only."""
        include = ["submission", "score_statistics"] if statistics else ["submission"]
        return self._rows(f"courses/{course_id}/assignments", include=include, order_by="due_at")

    def assignments_of(self, course_ids: Sequence[int]) -> list[Json]:
        """Assignments of several courses, dated or not, with the student's own submissions: one list for ten of them.

        The calendar is the only list of all of them. Canvas leaves out a course that it does not show there without a
        word. `include[]` is not documented: app/controllers/calendar_events_api_controller.rb of canvas-lms has it.
        """
        rows: list[Json] = []
        for first in range(0, len(course_ids), _MOST_CALENDARS):
            codes = _codes(course_ids[first : first + _MOST_CALENDARS])
            rows += self._rows(
                "calendar_events",
                type="assignment",
                all_events=True,
                context_codes=codes,
                include=["submission"],
                excludes=["description"],
            )
        return [row["assignment"] for row in rows if isinstance(row.get("assignment"), dict)]

    def assignment(self, course_id: int, assignment_id: int) -> Json:
        """One assignment with the student's own submission and, where Canvas shows them, the class's statistics."""
        include = ["submission", "score_statistics"]
        return self._one(f"courses/{course_id}/assignments/{assignment_id}", include=include)

    def assignment_groups(self, course_id: int) -> list[Json]:
        """A course's assignment groups with weights and rules, their assignments and the student's own submissions."""
        return self._rows(
            f"courses/{course_id}/assignment_groups", include=["assignments", "submission", "score_statistics"]
        )

    def grading_periods(self, course_id: int) -> list[Json]:
        """The periods by which a course grades, where it has any."""
        return objects_of(self._one(f"courses/{course_id}/grading_periods", per_page=_PAGE).get("grading_periods"))

    def groups(self, course_id: int) -> list[Json]:
        """A course's assignment groups with weights and rules, without what is in them."""
        return self._rows(f"courses/{course_id}/assignment_groups")

    def submission(self, course_id: int, assignment_id: int) -> Json:
        """The student's own submission with comments and the rubric as it was filled in."""
        path = f"courses/{course_id}/assignments/{assignment_id}/submissions/self"
        return self._one(path, include=["submission_comments", "rubric_assessment"])

    def graded_submissions(self, course_id: int, since: datetime) -> list[Json]:
        """The student's own submissions graded since then, with their assignments and comments."""
        return self._rows(
            f"courses/{course_id}/students/submissions",
            graded_since=_stamp(since),
            order="graded_at",
            include=["assignment", "submission_comments"],
        )

    def modules(self, course_id: int) -> list[Json]:
        """A course's modules; Canvas leaves the items out of those that have many."""
        return self._rows(f"courses/{course_id}/modules", include=["items", "content_details"])

    def module_items(self, course_id: int, module_id: int) -> list[Json]:
        """The items of one module."""
        return self._rows(f"courses/{course_id}/modules/{module_id}/items", include=["content_details"])

    def discussions(self, course_id: int) -> list[Json]:
        """A course's discussion topics, the latest activity first."""
        return self._rows(f"courses/{course_id}/discussion_topics", order_by="recent_activity")

    def discussion_posts(self, course_id: int, topic_id: int) -> Json:
        """Everything written in a discussion, as a tree, and by whom."""
        return self._one(f"courses/{course_id}/discussion_topics/{topic_id}/view")

    def announcements(self, course_ids: Iterable[int], start: datetime, end: datetime) -> list[Json]:
        """Announcements of these courses, posted from start to end."""
        return self._rows(
            "announcements",
            context_codes=_codes(course_ids),
            start_date=_stamp(start),
            end_date=_stamp(end),
            active_only=True,
        )

    def read_each(
        self, items: Sequence[Item], read: Callable[[Item], Result]
    ) -> tuple[list[Result], list[MissingPart]]:
        """`read` for every item, a few side by side; what could not be read is named, in the order of the items.

        Raises when the sign-in is refused, and when nothing at all could be read because Canvas is unavailable.
        """
        results, gaps = self.try_each(items, read)
        failures = [gap.problem for gap in gaps if isinstance(gap.problem, ServiceUnavailable)]
        if failures and len(gaps) == len(items):
            raise failures[0]
        return results, gaps

    def try_each(self, items: Sequence[Item], read: Callable[[Item], Result]) -> tuple[list[Result], list[MissingPart]]:
        """The same, for parts that an answer can do without: raises only when the sign-in is refused."""
        if len(items) < 2:
            outcomes = [_attempted(read, item) for item in items]
        else:
            outcomes = map_in_parallel(SIDE_BY_SIDE, lambda item: _attempted(read, item), items)
        pairs = zip(items, outcomes, strict=True)
        gaps = [MissingPart(of=item, reason=str(o), problem=o) for item, o in pairs if isinstance(o, ServiceError)]
        return [outcome for outcome in outcomes if not isinstance(outcome, ServiceError)], gaps

    def _one(self, endpoint: str, **parameters: Any) -> Json:
        body = self._body(self._requester.request("GET", endpoint, _kwargs=combine_kwargs(**parameters)))
        if not isinstance(body, dict):
            raise errors.unreadable_answer()
        return body

    def _rows(self, endpoint: str, **parameters: Any) -> list[Json]:
        """Every page of a list, or an error: some of the pages would pass for all of them (R24)."""
        parameters = combine_kwargs(per_page=_PAGE, **parameters)
        response = self._requester.request("GET", endpoint, _kwargs=parameters)
        rows, seen = self._page(response), {response.url}
        while following := response.links.get("next", {}).get("url"):
            if following in seen or len(seen) == _MOST_PAGES:
                raise ServiceUnavailable(LABEL, gettext("Canvas's list goes round in a circle."))
            seen.add(following)
            response = self._requester.request("GET", _url=following)
            rows += self._page(response)
        return rows

    def _page(self, response: requests.Response) -> list[Json]:
        body = self._body(response)
        if not isinstance(body, list) or not all(isinstance(row, dict) for row in body):
            raise errors.unreadable_answer()
        return body

    def _body(self, response: requests.Response) -> Any:
        try:
            return response.json()
        except (ValueError, RecursionError):
            raise errors.unreadable_answer() from None


def _attempted(read: Callable[[Item], Result], item: Item) -> Result | ServiceError:
    try:
        return read(item)
    except (PermissionMissing, ItemNotFound, ServiceUnavailable) as problem:
        return problem


def _codes(course_ids: Iterable[int]) -> list[str]:
    return [f"course_{id}" for id in course_ids]


def _stamp(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
