"""What a card was made for is resolved once: the approved call goes there by its id, or nowhere. R67."""

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from notion_client import Client

from services.approvals.approval import Approval, ApprovalStatus
from services.errors import ApprovalError
from services.runtime.clock import utc_now
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.fakes import FakeClock
from tests.sandbox.notion_clients import find, notion
from tests.services.approvals.asking import settled

PLANS: dict[str, dict[str, Any]] = {
    "notion_create_page": {"title": "Groceries", "content": "Milk"},
    "notion_create_tracker": {"title": "Groceries", "items": [{"name": "Milk"}]},
    "documents_create": {"title": "Groceries"},
}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(utc_now())


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path, clock: FakeClock) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path, clock=clock)
    room.connect("notion", "google_calendar")
    yield room
    campus.clear_faults()
    room.close()


@pytest.fixture
def workspace(campus: CampusServer) -> Iterator[Client]:
    with notion(campus) as client:
        yield client


def proposed(maya: CampusRoom, tool: str, arguments: dict[str, Any]) -> Approval:
    conversation, _ = maya.ask(f"/call {tool} {json.dumps(arguments)}")
    (waiting,) = maya.services.approvals.for_conversation(maya.maya.id, conversation).values()
    return waiting


def approved(maya: CampusRoom, card: Approval, arguments: dict[str, Any] | None = None) -> Approval:
    maya.services.turns.decide(maya.maya, card.id, "approve", arguments)
    maya.watch(card.conversation_id)
    return settled(maya, card.id)


def shown(card: Approval) -> dict[str, str]:
    return {row.label: row.value for row in card.rows}


def new_page(client: Client, title: str, parent: dict[str, Any]) -> str:
    words = [{"type": "text", "text": {"content": title}}]
    made: Any = client.pages.create(parent=parent, properties={"title": {"title": words}})
    return str(made["id"])


def make_another_place_better(client: Client, _: CampusServer) -> None:
    """Another page at the top holds most pages now, and one has the title of what is to be made."""
    top = new_page(client, "All things", {"workspace": True})
    for number in range(12):
        new_page(client, f"Thing {number}", {"page_id": top})
    new_page(client, "My groceries", {"workspace": True})


@pytest.mark.parametrize("waited", [pytest.param(timedelta(0), marks=pytest.mark.soak), timedelta(minutes=5)])
@pytest.mark.parametrize("tool", PLANS)
def test_a_place_that_was_chosen_is_not_chosen_again(
    campus: CampusServer, maya: CampusRoom, workspace: Client, clock: FakeClock, tool: str, waited: timedelta
) -> None:
    card = proposed(maya, tool, PLANS[tool])
    make_another_place_better(workspace, campus)
    clock.advance(minutes=waited.total_seconds() / 60)

    done = approved(maya, card)

    assert shown(card)["Where"] == "under the page “Fall semester” (chosen by Homeroom, because no place was named)"
    assert done.status is ApprovalStatus.DONE, done.outcome
    assert "under the page “Fall semester”" in done.output
    place = find(workspace, "Fall semester")["id"]
    kind = "data_source" if tool == "notion_create_tracker" else "page"
    made = find(workspace, "Groceries", kind)
    assert (made.get("database_parent") or made["parent"])["page_id"] == place


def test_words_of_a_title_mean_the_page_that_the_card_shows(maya: CampusRoom, workspace: Client) -> None:
    """By the approval the same words fit two pages, or only another one."""
    id = new_page(workspace, "Osmosis", {"workspace": True})
    card = proposed(maya, "notion_append_to_page", {"page": "Osmosis", "content": "More"})
    new_page(workspace, "Osmosis", {"workspace": True})

    assert approved(maya, card).status is ApprovalStatus.DONE
    content: Any = workspace.pages.retrieve_markdown(id)
    assert content["markdown"] == "More"


@pytest.mark.parametrize("edit", [{"title": "Shopping"}, {"title": "Shopping", "parent": ""}, {"parent": "Books"}])
def test_a_change_of_the_card_keeps_the_place_unless_it_names_another(
    campus: CampusServer, maya: CampusRoom, workspace: Client, edit: dict[str, str]
) -> None:
    card = proposed(maya, "notion_create_page", PLANS["notion_create_page"])
    make_another_place_better(workspace, campus)
    new_page(workspace, "Books", {"workspace": True})

    done = approved(maya, card, {**card.arguments, **edit})

    assert f"under the page “{edit.get('parent') or 'Fall semester'}”" in done.output


def trash(client: Client, id: str) -> None:
    client.pages.update(id, in_trash=True)


def stop_sharing(client: Client, id: str) -> None:
    page: Any = client.pages.retrieve(id)
    httpx.post(page["url"], data={"action": "unshare"})


@pytest.mark.parametrize("lose", [trash, stop_sharing])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("notion_create_page", {"title": "Groceries", "parent": "A place"}),
        ("notion_create_tracker", {"parent": "A place"}),
        ("notion_append_to_page", {"page": "A place", "content": "x"}),
        ("notion_replace_content", {"page": "A place", "content": "x"}),
        ("documents_edit", {"document": "A place", "text": "x"}),
    ],
)
def test_a_place_that_is_gone_is_said_plainly_and_nothing_is_written(
    campus: CampusServer,
    maya: CampusRoom,
    workspace: Client,
    tool: str,
    arguments: dict[str, Any],
    lose: Callable[[Client, str], None],
) -> None:
    id = new_page(workspace, "A place", {"workspace": True})
    card = proposed(maya, tool, arguments)
    lose(workspace, id)
    # Another one that would fit by its words is no place for it.
    new_page(workspace, "A place", {"workspace": True})
    before = len(campus.log(service="notion", writes=1))

    done = approved(maya, card)

    assert done.status is ApprovalStatus.FAILED
    assert done.outcome.startswith("This is in Notion's trash by now, or not shared with Homeroom any more")
    assert "Ask for it again and name another place" in done.outcome
    assert len(campus.log(service="notion", writes=1)) == before


def test_a_task_is_the_one_that_the_card_shows(maya: CampusRoom) -> None:
    first = proposed(maya, "planner_create_task", {"title": "Read"})
    approved(maya, first)
    card = proposed(maya, "planner_complete_task", {"task": "Read"})
    other = approved(maya, proposed(maya, "planner_create_task", {"title": "Read"}))

    done = approved(maya, card)

    assert done.status is ApprovalStatus.DONE
    assert first.id in done.output
    assert other.id not in done.output


def test_a_task_that_is_gone_is_said_plainly(maya: CampusRoom) -> None:
    task = approved(maya, proposed(maya, "planner_create_task", {"title": "Read"}))
    card = proposed(maya, "planner_complete_task", {"task": "Read"})
    maya.services.turns.undo(maya.maya, task.id)
    approved(maya, proposed(maya, "planner_create_task", {"title": "Read"}))

    done = approved(maya, card)

    assert done.status is ApprovalStatus.FAILED
    assert "any more, so nothing was changed." in done.outcome


def test_an_event_goes_into_the_calendar_of_the_card(maya: CampusRoom) -> None:
    event = {"title": "Study", "start": "2030-05-06T15:00"}
    card = proposed(maya, "calendar_create_event", event)

    done = approved(maya, card)

    assert "main calendar" in shown(card)["Calendar"]
    assert card.executed_arguments["calendar"] == "google_calendar/"
    assert done.status is ApprovalStatus.DONE, done.outcome


def test_a_place_that_was_changed_in_the_store_is_not_written_to(maya: CampusRoom, workspace: Client) -> None:
    card = proposed(maya, "notion_create_page", PLANS["notion_create_page"])
    documents = maya.services.store.for_student(maya.maya.id)
    stored = documents.get("approvals", card.id)
    assert stored is not None
    for row in stored["rows"]:
        row["resolved"] = {"parent": new_page(workspace, "Elsewhere", {"workspace": True})} if row["resolved"] else {}
    documents.put("approvals", stored)

    with pytest.raises(ApprovalError, match="changed after it was made"):
        maya.services.turns.decide(maya.maya, card.id, "approve")
