"""Keys in a real browser: made once, used by a program, answered for in Homeroom, revoked at once."""

import json
import urllib.error
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import expect

from bench.load.app_server import AppServer
from tests.flows.person import Person

pytestmark = pytest.mark.browser


def make_key(maya: Person, label: str, *scopes: str) -> str:
    """A key with the scope Read and these."""
    maya.open("/settings")
    maya.page.get_by_label("What is it for?").fill(label)
    for scope in scopes:
        maya.page.get_by_text(scope, exact=True).click()
    maya.press("Make a key")
    return maya.page.get_by_test_id("stCode").inner_text().strip()


def ask(app: AppServer, path: str, key: str | None = None, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    """What a program gets: the status and the JSON."""
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {key}"} if key else {})}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(app.url + path, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def test_a_key_is_shown_once_works_and_ends_when_it_is_revoked(maya: Person) -> None:
    secret = make_key(maya, "My laptop")
    status, tools = ask(maya.app, "/api/tools", secret)
    maya.page.reload()
    maya.sees("My laptop")

    assert status == 200
    assert any(tool["name"] == "canvas_list_courses" and not tool["available"] for tool in tools["tools"])
    assert secret not in maya.page.content()
    assert secret[:9] in maya.page.content()
    maya.press("Revoke")
    maya.press("Revoke My laptop")
    maya.sees("The key “My laptop” is revoked.")
    assert ask(maya.app, "/api/tools", secret)[0] == 401


@pytest.mark.soak
def test_a_key_needs_a_name_and_something_it_may_do(maya: Person) -> None:
    maya.open("/settings")
    maya.press("Make a key")
    maya.sees("Give the key a name")
    maya.page.get_by_label("What is it for?").fill("Nothing")
    maya.page.get_by_text("Read", exact=True).click()
    maya.press("Make a key")

    maya.sees("Choose among")
    expect(maya.page.get_by_test_id("stCode")).to_have_count(0)


def test_what_a_program_asks_for_is_approved_and_undone_on_the_chat_page(maya: Person) -> None:
    secret = make_key(maya, "Planner script", "Ask for changes")
    task = {"arguments": {"title": "Bring the periwinkle"}}

    status, asked = ask(maya.app, "/api/tools/execute/planner_create_task", secret, task)
    refused, _ = ask(maya.app, f"/api/approvals/{asked['approval_request_id']}", secret, {"decision": "approve"})
    maya.open("/")
    maya.sees("Asked by your program “Planner script”")
    maya.sees("Bring the periwinkle")
    maya.press("Approve")
    maya.sees("Done")
    _, tasks = ask(maya.app, "/api/tools/execute/planner_list_tasks", secret, {})
    maya.press("Undo")
    maya.sees("Undone")

    assert (status, refused) == (202, 403)
    assert "periwinkle" in tasks["output"]
    assert "periwinkle" not in ask(maya.app, "/api/tools/execute/planner_list_tasks", secret, {})[1]["output"]


def test_an_address_below_api_is_never_a_page(app: AppServer) -> None:
    answers = [ask(app, path) for path in ("/api", "/api/", "/api/nothing", "/api/tools/x/y", "/api/tools%0A/x")]

    assert {status for status, _ in answers} == {404}
    assert {body["error"]["code"] for _, body in answers} == {"not_found"}
