"""An answer of Canvas's that is none is "unavailable" and never "there is nothing", for each request and each tool."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from services.connections.connector import Grant
from services.errors import ServiceUnavailable
from services.integrations.base import Integration
from services.integrations.canvas.materials.client import MaterialsClient
from services.integrations.canvas.oauth import canvas_account
from services.integrations.canvas.transport import CanvasTimeouts
from services.runtime.total_timeout import TotalTimeoutAdapter
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.every_tool import CALLS
from tests.spoiled_bodies import called_unavailable, fault_of, spoiled_bodies

START, END = datetime(2026, 9, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)
ONCE = CanvasTimeouts(tries=1)
LISTS: tuple[Callable[[MaterialsClient], Any], ...] = (
    lambda client: client.courses(),
    lambda client: client.planner_items(START, END),
    lambda client: client.missing_submissions(),
    lambda client: client.assignments(4201),
    lambda client: client.assignments_of([4201]),
    lambda client: client.assignment_groups(4201),
    lambda client: client.quizzes(4201),
    lambda client: client.graded_submissions(4201, START),
    lambda client: client.modules(4201),
    lambda client: client.discussions(4201),
    lambda client: client.announcements([4201], START, END),
    lambda client: client.course_modules(4201),
    lambda client: client.files(4201),
    lambda client: client.folders(4201),
    lambda client: client.pages(4201),
    lambda client: client.assignment_texts(4201),
    lambda client: client.topics(4201),
)
OBJECTS: tuple[Callable[[MaterialsClient], Any], ...] = (
    lambda client: canvas_account(client, client._grant),
    lambda client: client.course(4201),
    lambda client: client.assignment(4201, 4201015),
    lambda client: client.grading_periods(4201),
    lambda client: client.submission(4201, 4201015),
    lambda client: client.discussion_posts(4201, 1),
    lambda client: client.course_text(4201),
    lambda client: client.file(4201, 1),
    lambda client: client.page(4201, "page_id:1"),
    lambda client: client.topic(4201, 1),
)


@pytest.fixture
def once(campus: CampusServer) -> MaterialsClient:
    """A client that tries each request once."""
    grant = Grant(origin=f"{campus.url}/canvas", access_token=campus.token("canvas", "maya"))
    return MaterialsClient(grant, timeouts=ONCE, adapter=TotalTimeoutAdapter())


@spoiled_bodies("empty list", "list of empty objects")
def test_no_list_of_canvas_is_empty_by_a_spoiled_answer(campus: CampusServer, once: MaterialsClient, body: str) -> None:
    campus.fault(service="canvas", path="/api/v1/*", **fault_of(body))

    for number, read in enumerate(LISTS):
        with called_unavailable(f"list {number}, {body!r}"):
            read(once)


@spoiled_bodies()
def test_no_object_of_canvas_is_read_from_a_spoiled_answer(
    campus: CampusServer, once: MaterialsClient, body: str
) -> None:
    campus.fault(service="canvas", path="/api/v1/*", **fault_of(body))

    for number, read in enumerate(OBJECTS):
        with called_unavailable(f"object {number}, {body!r}"):
            read(once)


@spoiled_bodies("empty list", "list of empty objects")
def test_no_tool_says_that_there_is_nothing_in_canvas(campus: CampusServer, call: Any, body: str) -> None:
    campus.fault(service="canvas", path="/api/v1/*", **fault_of(body))

    for name, arguments in CALLS:
        with called_unavailable(f"{name}, {body!r}"):
            call(name, **arguments)


@spoiled_bodies()
def test_a_sign_in_is_not_made_from_a_spoiled_answer(campus: CampusServer, canvas: Integration, body: str) -> None:
    campus.fault(service="canvas", path="/login/oauth2/token", **fault_of(body))
    assert canvas.oauth is not None

    with pytest.raises(ServiceUnavailable):
        canvas.oauth.exchange(origin=canvas.origins[0], redirect_uri="x", code="y", verifier="z")
    with pytest.raises(ServiceUnavailable):
        canvas.oauth.refresh(Grant(origin=canvas.origins[0], access_token="a", refresh_token="b"))
