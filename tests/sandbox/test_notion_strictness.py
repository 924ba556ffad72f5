"""What the campus's Notion refuses, in Notion's words."""

from typing import Any

import pytest

from tests.campus_server import CampusServer
from tests.sandbox.notion_clients import Raw, notion, reason, refusal

PARENT = {"workspace": True}
LONG = {"rich_text": [{"text": {"content": "x" * 2001}}]}


@pytest.fixture(scope="module")
def raw(running_campus: CampusServer) -> Raw:
    """Maya's token and nothing between us and the wire; one campus for the module, because refusals change nothing."""
    running_campus.reset()
    return Raw(running_campus, running_campus.token("notion"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "body failed validation: body.parent should be defined, instead was `undefined`."),
        (
            {"parent": PARENT, "colour": "red"},
            'body failed validation: body.colour should be not present, instead was `"red"`.',
        ),
        (
            {"parent": PARENT, "markdown": 7},
            "body failed validation: body.markdown should be a string, instead was `7`.",
        ),
        ({"parent": {"type": "page_id", "workspace": True}}, "body.parent should have exactly one of"),
        ({"parent": {"page_id": "abc"}}, "body.parent.page_id should be a valid uuid"),
        (
            {"parent": PARENT, "children": [{"paragraph": LONG}]},
            "content.length should be ≤ `2000`, instead was `2001`.",
        ),
        (
            {"parent": PARENT, "children": [{"divider": {}}] * 101},
            "body.children.length should be ≤ `100`, instead was `101`.",
        ),
        ({"parent": PARENT, "children": [{"dinosaur": {}}]}, "body.children[0].dinosaur should be not present"),
        ({"parent": PARENT, "children": ["text"]}, "body.children[0] should be an object"),
        ({"parent": PARENT, "children": [], "markdown": "x"}, "body.markdown should be not present"),
        ({"parent": PARENT, "properties": {"Due": {"date": None}}}, "Due is not a property that exists."),
        ({"parent": PARENT, "properties": {"title": {"rich_text": []}}}, "title is expected to be title."),
    ],
)
def test_a_page_that_notion_refuses_is_refused(raw: Raw, body: dict[str, Any], message: str) -> None:
    status, code, said = reason(raw.send("POST", "/pages", json=body))

    assert (status, code) == (400, "validation_error")
    assert message in said


def test_several_faults_are_listed_together(raw: Raw) -> None:
    _, _, said = reason(raw.send("POST", "/search", json={"page_size": 500, "limit": 3}))

    assert said.startswith("body failed validation. Fix one:\n")
    assert "body.page_size should be ≤ `100`, instead was `500`." in said
    assert "body.limit should be not present, instead was `3`." in said


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"type": "append", "append": {"content": "x"}},
        {"type": "insert_content"},
        {"type": "insert_content", "insert_content": {"markdown": "x"}},
        {"type": "insert_content", "insert_content": {"content": "x"}, "replace_content": {"new_str": "y"}},
        {"type": "update_content", "update_content": {"old_str": "a", "new_str": "b"}},
        {"markdown": "x"},
    ],
)
def test_a_markdown_change_must_say_exactly_what_it_does(raw: Raw, body: dict[str, Any]) -> None:
    page = raw.send("POST", "/search", json={"query": "How I study"}).json()["results"][0]["id"]

    assert reason(raw.send("PATCH", f"/pages/{page}/markdown", json=body))[:2] == (400, "validation_error")


def test_a_path_needs_a_uuid_with_or_without_dashes(raw: Raw) -> None:
    page = raw.send("POST", "/search", json={"query": "How I study"}).json()["results"][0]["id"]

    assert reason(raw.send("GET", "/pages/nonsense"))[:2] == (400, "validation_error")
    assert raw.send("GET", f"/pages/{page.replace('-', '')}").json()["id"] == page


def test_an_unknown_query_parameter_is_refused(raw: Raw) -> None:
    assert reason(raw.send("GET", "/users", params={"limit": "3"}))[:2] == (400, "validation_error")
    assert reason(raw.send("GET", "/users", params={"page_size": "0"}))[:2] == (400, "validation_error")


def test_a_body_that_is_no_json_is_invalid_json(raw: Raw) -> None:
    assert reason(raw.send("POST", "/search", content=b"{"))[:2] == (400, "invalid_json")


def test_an_unknown_path_is_an_invalid_request_url(raw: Raw) -> None:
    assert reason(raw.send("GET", "/everything"))[:2] == (400, "invalid_request_url")


def test_an_unknown_token_is_unauthorized_before_anything_else(running_campus: CampusServer) -> None:
    raw = Raw(running_campus, "ntn_wrong")

    answer = raw.send("POST", "/pages", leave_out="notion-version", json={})
    assert reason(answer) == (401, "unauthorized", "API token is invalid.")


def test_a_rate_limit_says_how_long_to_wait(campus: CampusServer) -> None:
    raw = Raw(campus, campus.token("notion"))
    campus.fault(service="notion", fault="status", status=429, headers={"Retry-After": "30"})

    answer = raw.send("GET", "/users/me")

    assert reason(answer)[:2] == (429, "rate_limited")
    assert answer.headers["retry-after"] == "30"


def test_a_conflict_is_told_by_its_code_and_passes(campus: CampusServer) -> None:
    with notion(campus) as client:
        campus.fault(service="notion", fault="status", status=409)

        assert refusal(client.users.me)[:2] == (409, "conflict_error")
        assert client.users.me()
