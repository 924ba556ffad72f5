"""Undo never takes what the student has changed, however soon: Notion's times tell nothing within a minute. R66."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from services.errors import ChangedElsewhere, OutcomeUnknown
from services.integrations.notion.fingerprint import page_fingerprint
from services.integrations.notion.payloads import read_page
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, search, text_of
from tests.telling import telling
from tests.tool_calls import ToolCalls

Edit = Callable[[ToolCalls, str], object]
TEXT = {"content": "mine"}
ENTRIES = [{"name": "HW 6", "values": {"Course": "CS 101"}}, {"name": "HW 7"}]
WRITES: dict[str, dict[str, Any]] = {
    "notion_create_page": {"title": "Made", "content": "One\n- two"},
    "notion_create_study_notes": {"title": "Made", "summary": "All of it."},
    "notion_create_study_plan": {"title": "Made", "sessions": [{"day": "2099-01-02", "what": "Read"}]},
    "notion_add_entries": {"database": "Assignment tracker", "entries": ENTRIES},
    "notion_create_tracker": {"title": "Made", "items": [{"name": "HW 6", "course": "CS 101"}, {"name": "HW 7"}]},
}
PAGES = ("notion_create_page", "notion_create_study_notes", "notion_create_study_plan")


def add_text(calls: ToolCalls, id: str) -> None:
    client_of(calls).append(id, "The student's own words")


def write_in_notion(calls: ToolCalls, id: str) -> None:
    httpx.post(client_of(calls).page(id)["url"], data={"action": "save", "markdown": "Something else"})


def rename(calls: ToolCalls, id: str) -> None:
    page = client_of(calls).page(id)
    name = next(name for name, prop in page["properties"].items() if prop["type"] == "title")
    client_of(calls).set_properties(id, {name: {"title": [{"text": TEXT}]}})


def give_an_icon(calls: ToolCalls, id: str) -> None:
    client_of(calls)._library.pages.update(id, icon={"emoji": "🦉"}, auth=calls.grant.access_token)


def add_a_page_inside(calls: ToolCalls, id: str) -> None:
    title = {"title": {"title": [{"text": TEXT}]}}
    client_of(calls).create(parent={"page_id": id}, properties=title, markdown="")


def set_a_column(calls: ToolCalls, id: str) -> None:
    client_of(calls).set_properties(id, {"Course": {"select": {"name": "BIOL 201"}}})


EDITS: tuple[Edit, ...] = (add_text, write_in_notion, rename, give_an_icon, add_a_page_inside)


@pytest.mark.parametrize(
    ("tool", "edit"),
    telling([(tool, edit) for tool in PAGES for edit in EDITS], lambda row: row[0] == PAGES[0] or row[1] is rename),
)
def test_a_page_that_the_student_changed_at_once_stays(maya: ToolCalls, tool: str, edit: Edit) -> None:
    result = maya.run(tool, WRITES[tool], operation_id="op")
    id = result.data["page"]["id"]
    edit(maya, id)
    kept = text_of(maya, id)

    with pytest.raises(ChangedElsewhere, match="changed in Notion since, so it stays as it is"):
        maya.undo(tool, result)

    assert client_of(maya).page(id)["in_trash"] is False
    assert text_of(maya, id) == kept


@pytest.mark.parametrize(
    ("tool", "edit"),
    telling(
        [(tool, edit) for tool in ("notion_add_entries", "notion_create_tracker") for edit in (*EDITS, set_a_column)],
        lambda row: row[0] == "notion_add_entries" or row[1] is set_a_column,
    ),
)
def test_entries_of_which_the_student_changed_one_at_once_stay(maya: ToolCalls, tool: str, edit: Edit) -> None:
    result = maya.run(tool, WRITES[tool], operation_id="op")
    rows = maya.run("notion_query_database", {"database": result.data["database"]["id"]}).data["entries"]
    ids = [row["id"] for row in rows if row["title"] in ("HW 6", "HW 7")]
    edit(maya, ids[-1])

    with pytest.raises(ChangedElsewhere, match="so it stays as it is"):
        maya.undo(tool, result)

    assert [client_of(maya).page(id)["in_trash"] for id in ids] == [False, False]


def test_a_tracker_that_the_student_renamed_at_once_stays(maya: ToolCalls) -> None:
    result = maya.run("notion_create_tracker", WRITES["notion_create_tracker"], operation_id="op")
    assert result.undo is not None
    id = str(result.undo["database_id"])
    client_of(maya)._library.databases.update(id, title=[{"text": TEXT}], auth=maya.grant.access_token)

    with pytest.raises(ChangedElsewhere):
        maya.undo("notion_create_tracker", result)

    assert client_of(maya).database(id)["in_trash"] is False


@pytest.mark.parametrize("tool", WRITES)
def test_what_nobody_has_changed_is_taken_back_whole(maya: ToolCalls, tool: str) -> None:
    before = {page["id"] for page in search(maya)}
    result = maya.run(tool, WRITES[tool], operation_id="op")

    maya.undo(tool, result)

    assert {page["id"] for page in search(maya)} == before


@pytest.mark.parametrize("tool", WRITES)
def test_what_a_repeat_finds_changed_by_the_student_is_not_taken_back(maya: ToolCalls, tool: str) -> None:
    """The first try wrote it and was killed; until the repeat the student has gone on in it."""
    began = datetime.now(UTC)
    maya.run(tool, WRITES[tool], operation_id="op", began_at=began)
    (id,) = [found["id"] for found in search(maya) if found["title"] in ("Made", "HW 7") and found["kind"] == "page"]
    write_in_notion(maya, id)

    result = maya.run(tool, WRITES[tool], operation_id="op", began_at=began, is_repeat=True)

    if result.undo is not None:
        with pytest.raises(ChangedElsewhere):
            maya.undo(tool, result)
    assert text_of(maya, id) == "Something else"
    assert client_of(maya).page(id)["in_trash"] is False


@pytest.mark.parametrize("tool", WRITES)
def test_what_was_written_just_before_is_not_taken_for_what_failed(
    campus: CampusServer, hasty: ToolCalls, tool: str
) -> None:
    """The same once more, within the minute; this time Notion does not do it and does not say so."""
    hasty.run(tool, WRITES[tool], operation_id="first")
    path = "/v1/databases" if tool == "notion_create_tracker" else "/v1/pages"
    campus.fault(service="notion", method="POST", path=path, fault="status", status=502, times=0)

    with pytest.raises(OutcomeUnknown):
        hasty.run(tool, WRITES[tool], operation_id="second", began_at=datetime.now(UTC))


def test_what_changes_by_itself_counts_for_nothing() -> None:
    def page(**changes: Any) -> str:
        now = {"expiry_time": "10:00", "url": "https://files.example/a.png?signature=1", "edited": 1} | changes
        file = {"expiry_time": now["expiry_time"], "url": now["url"]}
        json = {
            "object": "page",
            "id": "p",
            "last_edited_time": "2026-11-22T10:00:00.000Z",
            "icon": {"type": "file", "file": file},
            "properties": {
                "Name": {"type": "title", "title": []},
                "Due in": {"type": "formula", "formula": {"type": "number", "number": now["edited"]}},
                "Who": {"type": "people", "people": [{"object": "user", "id": "u", "name": str(now["edited"])}]},
            },
        }
        return page_fingerprint(read_page(json), {"markdown": "", "request_id": now["edited"]})

    assert page() == page(expiry_time="11:00", url="https://files.example/a.png?signature=2", edited=2)
    assert page() != page(url="https://files.example/b.png?signature=1")
