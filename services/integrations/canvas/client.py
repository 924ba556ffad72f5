"""Client of one student's Canvas through canvasapi, for the length of one call."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
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
from services.integrations.canvas.fields import COURSES, POSTS, read_planner
from services.integrations.canvas.payloads import Json, objects_of
from services.integrations.canvas.people import TeachingCache
from services.integrations.canvas.transport import CanvasSession, CanvasTimeouts
from services.runtime.thread_pools import map_in_parallel
from services.safety.field_log import read_fields
from services.safety.provenance import ELSEWHERE

Result = TypeVar("Result")
Item = TypeVar("Item")
Client = TypeVar("Client", bound="CanvasClient")
Reader = Callable[[Json, str], Json]
"""Takes of a row, and of its course, the texts that are declared."""

SIDE_BY_SIDE = 4
_PAGE = 100
_OF_COURSE = re.compile(r"courses/(\d+)(?:/|$)")
_LISTS = ("view", "grading_periods")
_MOST_PAGES = 50
_MOST_CALENDARS = 10
"""Canvas ignores further calendars: https://developerdocs.instructure.com/services/canvas/resources/calendar_events"""


@dataclass(frozen=True, kw_only=True)
class MissingPart:
    """Part that could not be read, with the reason in words and the error."""

    of: Any
    reason: str
    problem: ServiceError


class CanvasClient:
    """Read-only client of Canvas. Every method raises the typed errors of `services.errors`.

    canvasapi makes the requests. Its objects are not used: they try to parse every field of every row as a date, which
    took 7 ms an assignment (November 2026), almost a second for the 120 of one student.
    """

    def __init__(
        self, grant: Grant, *, timeouts: CanvasTimeouts, adapter: HTTPAdapter, teaching: TeachingCache | None = None
    ) -> None:
        """teaching: which accounts teach, cached across calls, by the `account` that all clients of it share."""
        self.origin = grant.origin
        self._grant, self._timeouts, self._adapter = grant, timeouts, adapter
        self.account, self._teaching = grant.backoff, teaching or TeachingCache()
        self._requester = Requester(grant.origin, grant.access_token)
        # canvasapi makes its own session, without time-outs, and takes no other one.
        self._requester._session = CanvasSession(
            grant.origin, timeouts=timeouts, adapter=adapter, backoff=grant.backoff
        )

    def successor(self, kind: type[Client], *, total_s: float) -> Client:
        """Client of the same account for one more operation: its deadline begins now."""
        timeouts = replace(self._timeouts, total_s=total_s)
        return kind(self._grant, timeouts=timeouts, adapter=self._adapter, teaching=self._teaching)

    def profile(self) -> Json:
        """Read the user's profile.

        https://developerdocs.instructure.com/services/canvas/resources/users#method.profile.settings
        """
        return self._object("users/self/profile")

    def token(self, hint: str) -> Json:
        """Read what Canvas tells about an access token, found by its first letters."""
        return self._object(f"users/self/tokens/{hint}", has="workflow_state")

    def courses(self, state: str = "active") -> list[Json]:
        """List the courses with term, teachers and totals; closed ones have an id only. state: or "completed"."""
        include = ["term", "total_scores", "current_grading_period_scores", "teachers", "grading_scheme", "concluded"]
        rows = self._rows("courses", enrollment_state=state, include=include)
        if state == "active":
            self._teaching.store(self.account, rows)
        return rows

    def taught_courses(self) -> list[Json]:
        """List the active courses if the account teaches any; no request while it is known that it teaches none."""
        if self._teaching.teaches(self.account) is False:
            return []
        rows = self.courses()
        return rows if self._teaching.teaches(self.account) else []

    def course(self, course_id: int) -> Json:
        """Read a course with its syllabus as HTML."""
        return self._object(f"courses/{course_id}", include=["syllabus_body"])

    def planner_items(self, start: datetime, end: datetime, course_ids: Iterable[int] = ()) -> list[Json]:
        """List what is dated in [start, end) in all courses, or in these, with one list for all of them."""
        codes = _codes(course_ids)
        return self._rows(
            "planner/items",
            read=read_planner,
            start_date=_timestamp(start),
            end_date=_timestamp(end),
            **({"context_codes": codes} if codes else {}),
        )

    def missing_submissions(self) -> list[Json]:
        """List assignments past their due date that the student has not handed in, of all courses."""
        return self._rows("users/self/missing_submissions", include=["course"])

    def assignments(self, course_id: int, *, statistics: bool = False) -> list[Json]:
        """List a course's assignments with the student's submissions. The bucket "unsubmitted" is for graders only."""
        include = ["submission", "score_statistics"] if statistics else ["submission"]
        return self._rows(f"courses/{course_id}/assignments", include=include, order_by="due_at")

    def assignments_of(self, course_ids: Sequence[int]) -> list[Json]:
        """List assignments of several courses, dated or not, with the student's submissions: one list for ten courses.

        The calendar is the only list of all of them. Canvas silently leaves out a course that it does not show there.
        `include[]` is not documented: app/controllers/calendar_events_api_controller.rb of canvas-lms has it.
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
        """Read an assignment with the student's submission and, where Canvas shows them, the class's statistics."""
        include = ["submission", "score_statistics"]
        return self._object(f"courses/{course_id}/assignments/{assignment_id}", include=include)

    def quizzes(self, course_id: int) -> list[Json]:
        """List a course's own quizzes with their time limits in minutes; quizzes of other makers are not in it.

        https://developerdocs.instructure.com/services/canvas/resources/quizzes
        """
        return self._rows(f"courses/{course_id}/quizzes")

    def assignment_groups(self, course_id: int) -> list[Json]:
        """List assignment groups with weights and rules, their assignments and the student's submissions."""
        return self._rows(
            f"courses/{course_id}/assignment_groups", include=["assignments", "submission", "score_statistics"]
        )

    def grading_periods(self, course_id: int) -> list[Json]:
        """List the grading periods of a course, where it has any."""
        path = f"courses/{course_id}/grading_periods"
        return objects_of(self._object(path, has="grading_periods", per_page=_PAGE)["grading_periods"])

    def groups(self, course_id: int) -> list[Json]:
        """List a course's assignment groups with weights and rules, without their assignments."""
        return self._rows(f"courses/{course_id}/assignment_groups")

    def submission(self, course_id: int, assignment_id: int) -> Json:
        """Read the student's submission with comments and the filled-in rubric."""
        path = f"courses/{course_id}/assignments/{assignment_id}/submissions/self"
        return self._object(path, include=["submission_comments", "rubric_assessment"])

    def graded_submissions(self, course_id: int, since: datetime) -> list[Json]:
        """List the student's submissions graded since then, with their assignments and comments."""
        return self._rows(
            f"courses/{course_id}/students/submissions",
            graded_since=_timestamp(since),
            order="graded_at",
            include=["assignment", "submission_comments"],
        )

    def modules(self, course_id: int) -> list[Json]:
        """List a course's modules; Canvas leaves the items out of those that have many."""
        return self._rows(f"courses/{course_id}/modules", include=["items", "content_details"])

    def module_items(self, course_id: int, module_id: int) -> list[Json]:
        """List the items of a module."""
        return self._rows(f"courses/{course_id}/modules/{module_id}/items", include=["content_details"])

    def discussions(self, course_id: int) -> list[Json]:
        """List a course's discussion topics, the latest activity first."""
        return self._rows(f"courses/{course_id}/discussion_topics", read=_read_posts, order_by="recent_activity")

    def discussion_posts(self, course_id: int, topic_id: int) -> Json:
        """Read all posts of a discussion, as a tree, with their authors."""
        return self._object(f"courses/{course_id}/discussion_topics/{topic_id}/view", read=_read_posts, has="view")

    def announcements(self, course_ids: Iterable[int], start: datetime, end: datetime) -> list[Json]:
        """List the announcements of these courses, posted from start to end."""
        return self._rows(
            "announcements",
            read=_read_posts,
            context_codes=_codes(course_ids),
            start_date=_timestamp(start),
            end_date=_timestamp(end),
            active_only=True,
        )

    def read_each(
        self, items: Sequence[Item], read: Callable[[Item], Result]
    ) -> tuple[list[Result], list[MissingPart]]:
        """Run `read` for every item, a few in parallel; lists what could not be read, in the order of the items.

        Raises when the sign-in is refused, and when nothing at all could be read because Canvas is unavailable.
        """
        results, gaps = self.try_each(items, read)
        failures = [gap.problem for gap in gaps if isinstance(gap.problem, ServiceUnavailable)]
        if failures and len(gaps) == len(items):
            raise failures[0]
        return results, gaps

    def try_each(self, items: Sequence[Item], read: Callable[[Item], Result]) -> tuple[list[Result], list[MissingPart]]:
        """Run `read` like `read_each`, for optional parts: raises only when the sign-in is refused."""
        if len(items) < 2:
            outcomes = [_read_or_error(read, item) for item in items]
        else:
            outcomes = map_in_parallel(SIDE_BY_SIDE, lambda item: _read_or_error(read, item), items)
        pairs = zip(items, outcomes, strict=True)
        gaps = [MissingPart(of=item, reason=str(o), problem=o) for item, o in pairs if isinstance(o, ServiceError)]
        return [outcome for outcome in outcomes if not isinstance(outcome, ServiceError)], gaps

    def map_each(self, items: Sequence[Item], read: Callable[[Item], Result]) -> list[Result]:
        """Run `read` for every item, a few in parallel; raises what the first one raises."""
        if len(items) < 2:
            return [read(item) for item in items]
        return map_in_parallel(SIDE_BY_SIDE, read, items)

    def _object(self, endpoint: str, *, read: Reader | None = None, has: str = "id", **parameters: Any) -> Json:
        """Read an object. has: the field without which it is not the one that was asked for."""
        body = self._body(self._requester.request("GET", endpoint, _kwargs=combine_kwargs(**parameters)))
        value = body.get(has) if isinstance(body, dict) else None
        if value is None or (has in _LISTS and not isinstance(value, list)):
            raise errors.unreadable_answer()
        return (read or _read_courses)(body, _course_of(endpoint))

    def _rows(self, endpoint: str, *, read: Reader | None = None, **parameters: Any) -> list[Json]:
        """Read every page of a list, or raise: a part of the pages would pass for all of them.

        read: takes of a row the texts that are declared.
        """
        parameters = combine_kwargs(per_page=_PAGE, **parameters)
        response = self._requester.request("GET", endpoint, _kwargs=parameters)
        rows, seen = self._page(response), {response.url}
        while following := response.links.get("next", {}).get("url"):
            if following in seen or len(seen) == _MOST_PAGES:
                raise ServiceUnavailable(LABEL, gettext("Canvas's list goes round in a circle."))
            seen.add(following)
            response = self._requester.request("GET", _url=following)
            rows += self._page(response)
        return [(read or _read_courses)(row, _course_of(endpoint)) for row in rows]

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


def _read_or_error(read: Callable[[Item], Result], item: Item) -> Result | ServiceError:
    try:
        return read(item)
    except (PermissionMissing, ItemNotFound, ServiceUnavailable) as problem:
        return problem


def _read_courses(json: Json, origin: str) -> Json:
    own: Json = read_fields(json, COURSES, origin)
    return own


def _read_posts(json: Json, origin: str) -> Json:
    posts: Json = read_fields(json, POSTS, origin)
    return posts


def _course_of(endpoint: str) -> str:
    """The course that an answer of Canvas is of; `ELSEWHERE` for one about several, or about the student."""
    match = _OF_COURSE.match(endpoint)
    return f"canvas-{match[1]}" if match else ELSEWHERE


def _codes(course_ids: Iterable[int]) -> list[str]:
    return [f"course_{id}" for id in course_ids]


def _timestamp(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
