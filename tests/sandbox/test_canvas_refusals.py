"""What Canvas refuses, and how it fails."""

import pytest
from canvasapi import Canvas
from canvasapi.exceptions import BadRequest, Forbidden, InvalidAccessToken, ResourceDoesNotExist

from tests.campus_server import CampusServer
from tests.sandbox.canvas_clients import Get, client, getter, pages


@pytest.fixture
def maya(campus: CampusServer) -> Canvas:
    """Maya's client."""
    return client(campus, "maya")


@pytest.fixture
def get(campus: CampusServer) -> Get:
    """Plain GET as Maya."""
    return getter(campus, "maya")


def test_a_course_of_others_is_forbidden_and_an_unknown_one_not_found(maya: Canvas) -> None:
    with pytest.raises(Forbidden, match="not authorized"):
        maya.get_course(4708)
    with pytest.raises(ResourceDoesNotExist):
        maya.get_course(999)


def test_a_wrong_token_is_an_invalid_access_token(maya: Canvas) -> None:
    maya._Canvas__requester.access_token = "7~wrong"

    with pytest.raises(InvalidAccessToken, match="Invalid access token"):
        maya.get_current_user()


def test_without_a_token_the_answer_is_401_with_a_challenge(campus: CampusServer) -> None:
    answer = campus.http.get(f"{campus.url}/canvas/api/v1/users/self")

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'Bearer realm="canvas-lms"'


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("courses/4201/assignments", {"bucket": "soon"}),
        ("planner/items", {"start_date": "2026-13-40"}),
        ("courses", {"page": "zero"}),
    ],
)
def test_what_canvas_cannot_read_is_refused(maya: Canvas, path: str, parameter: dict[str, str]) -> None:
    with pytest.raises(BadRequest):
        maya._Canvas__requester.request("GET", path, _kwargs=list(parameter.items()))


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("courses/4201/assignments", {"buckets": "past", "per_page": "100"}),
        ("courses/4201/assignments", {"include[]": ["everything", "nothing"]}),
        ("courses/4201/assignments", {"order_by": "colour"}),
        ("courses", {"surprise[deep]": "x"}),
        ("planner/items", {"page": "1"}),
        ("planner/items", {"page": "bookmark:????"}),
        ("planner/items", {"page": "first"}),
    ],
)
def test_unknown_parameters_and_bookmarks_are_ignored(get: Get, path: str, parameters: dict[str, str]) -> None:
    paging = {"per_page": parameters["per_page"]} if "per_page" in parameters else {}

    given, plain = get(path, params=parameters), get(path, params=paging)

    assert given.status_code == 200
    assert given.json() == plain.json()


def test_known_values_beside_unknown_ones_are_heard(get: Get) -> None:
    rows = get("courses/4201/assignments", params={"include[]": ["everything", "submission"]}).json()

    assert all("submission" in row for row in rows)


def test_every_answer_counts_its_cost(get: Get) -> None:
    for path in ("/courses", "/courses/999"):
        assert {"x-rate-limit-remaining", "x-request-cost"} <= set(get(path).headers)


def test_an_unknown_path_is_canvas_json(get: Get) -> None:
    answer = get("/nothing/here")

    assert (answer.status_code, answer.json()["errors"][0]["message"]) == (
        404,
        "The specified resource does not exist.",
    )


def test_throttling_looks_like_forbidden_to_the_client(campus: CampusServer, maya: Canvas) -> None:
    text = "403 Forbidden (Rate Limit Exceeded)"
    campus.fault(service="canvas", fault="status", status=403, body=text, headers={"X-Rate-Limit-Remaining": "0.0"})

    with pytest.raises(Forbidden, match="Rate Limit Exceeded"):
        maya.get_current_user()


def test_a_failure_can_strike_one_page_of_several(campus: CampusServer, maya: Canvas) -> None:
    campus.fault(service="canvas", path="/api/v1/courses/*/assignments", fault="status", status=404, skip=2)

    with pytest.raises(ResourceDoesNotExist):
        list(pages(maya, "courses/4607/assignments", 10))

    assert [entry["status"] for entry in campus.log(service="canvas")][-3:] == [200, 200, 404]
