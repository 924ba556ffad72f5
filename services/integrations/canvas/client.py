"""`CanvasClient`: one student's Canvas through canvasapi, for the length of one call."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import requests
from canvasapi.requester import Requester
from canvasapi.util import combine_kwargs
from requests.adapters import HTTPAdapter

from services.connections.connection import Grant
from services.errors import ItemNotFound, PermissionMissing, ServiceError, ServiceUnavailable
from services.integrations.canvas import problems
from services.integrations.canvas.problems import LABEL
from services.integrations.canvas.session import CanvasSession, Patience

Json = dict[str, Any]
Result = TypeVar("Result")
Item = TypeVar("Item")

SIDE_BY_SIDE = 4
_PAGE = 100
_MOST_PAGES = 50


@dataclass(frozen=True, kw_only=True)
class Gap:
    """A part that could not be read, and why, in words."""

    of: Any
    reason: str


class CanvasClient:
    """Reads Canvas. Every method raises the typed errors of `services.errors`.

    canvasapi makes the requests. Its objects are left aside: they try to read every field of every row as a date, which
    took 7 ms an assignment (November 2026), almost a second for the 120 of one student.
    """

    def __init__(self, grant: Grant, *, patience: Patience, adapter: HTTPAdapter) -> None:
        self.origin = grant.origin
        self._requester = Requester(grant.origin, grant.access_token)
        # canvasapi makes its own session, without time-outs, and takes no other one.
        self._requester._session = CanvasSession(grant.origin, patience=patience, adapter=adapter)

    def profile(self) -> Json:
        """https://developerdocs.instructure.com/services/canvas/resources/users#method.profile.settings"""
        return self._one("users/self/profile")

    def token(self, hint: str) -> Json:
        """What Canvas says about an access token, found by its first letters."""
        return self._one(f"users/self/tokens/{hint}")

    def courses(self) -> list[Json]:
        """The student's active courses with term and current scores; closed ones have an id only."""
        return self._rows("courses", enrollment_state="active", include=["term", "total_scores", "teachers"])

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

    def assignments(self, course_id: int) -> list[Json]:
        """A course's assignments with the student's own submissions. The bucket "unsubmitted" is for graders only."""
        return self._rows(f"courses/{course_id}/assignments", include=["submission"], order_by="due_at")

    def assignment(self, course_id: int, assignment_id: int) -> Json:
        """One assignment with the student's own submission."""
        return self._one(f"courses/{course_id}/assignments/{assignment_id}", include=["submission"])

    def announcements(self, course_ids: Iterable[int], start: datetime, end: datetime) -> list[Json]:
        """Announcements of these courses, posted from start to end."""
        return self._rows(
            "announcements",
            context_codes=_codes(course_ids),
            start_date=_stamp(start),
            end_date=_stamp(end),
            active_only=True,
        )

    def each(self, items: Sequence[Item], read: Callable[[Item], Result]) -> tuple[list[Result], list[Gap]]:
        """`read` for every item, a few side by side; what could not be read is named, in the order of the items.

        Raises when the sign-in is refused, and when nothing at all could be read because Canvas is unavailable.
        """
        with ThreadPoolExecutor(max_workers=SIDE_BY_SIDE) as pool:
            outcomes = list(pool.map(lambda item: _attempted(read, item), items))
        gaps = [
            Gap(of=item, reason=str(o)) for item, o in zip(items, outcomes, strict=True) if isinstance(o, ServiceError)
        ]
        failures = [outcome for outcome in outcomes if isinstance(outcome, ServiceUnavailable)]
        if failures and len(gaps) == len(items):
            raise failures[0]
        return [outcome for outcome in outcomes if not isinstance(outcome, ServiceError)], gaps

    def _one(self, endpoint: str, **parameters: Any) -> Json:
        body = self._body(self._requester.request("GET", endpoint, _kwargs=combine_kwargs(**parameters)))
        if not isinstance(body, dict):
            raise problems.unreadable()
        return body

    def _rows(self, endpoint: str, **parameters: Any) -> list[Json]:
        """Every page of a list, or an error: some of the pages would pass for all of them (R24)."""
        parameters = combine_kwargs(per_page=_PAGE, **parameters)
        response = self._requester.request("GET", endpoint, _kwargs=parameters)
        rows, seen = self._page(response), {response.url}
        while following := response.links.get("next", {}).get("url"):
            if following in seen or len(seen) == _MOST_PAGES:
                raise ServiceUnavailable(LABEL, "Canvas's list goes round in a circle.")
            seen.add(following)
            response = self._requester.request("GET", _url=following)
            rows += self._page(response)
        return rows

    def _page(self, response: requests.Response) -> list[Json]:
        body = self._body(response)
        if not isinstance(body, list) or not all(isinstance(row, dict) for row in body):
            raise problems.unreadable()
        return body

    def _body(self, response: requests.Response) -> Any:
        try:
            return response.json()
        except (requests.exceptions.JSONDecodeError, RecursionError):
            raise problems.unreadable() from None


def _attempted(read: Callable[[Item], Result], item: Item) -> Result | ServiceError:
    try:
        return read(item)
    except (PermissionMissing, ItemNotFound, ServiceUnavailable) as problem:
        return problem


def _codes(course_ids: Iterable[int]) -> list[str]:
    return [f"course_{id}" for id in course_ids]


def _stamp(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
