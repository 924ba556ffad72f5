from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere, NameUnknown, OutcomeUnknown, ServiceUnavailable
from services.integrations.kit.writes import LONGEST_CALL_S, StillUnderway
from services.integrations.notion.client import NotionTimeouts
from services.integrations.notion.tools.entry_creation import PATIENCE
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, once_settled, search, text_of, writes
from tests.tool_calls import ToolCalls

CONTENT = "## Week 1\n\n- [ ] Read chapter 3\n- [x] Buy book"


@pytest.fixture
def plan(term: dict[str, Any]) -> dict[str, Any]:
    return {"title": "Study plan", "parent": term["id"], "content": CONTENT}


def plans(calls: ToolCalls) -> list[dict[str, Any]]:
    return [page for page in search(calls, "Study plan") if page["title"] == "Study plan"]


def lose(campus: CampusServer, fault: str = "lose_response", **more: object) -> None:
    campus.fault(service="notion", method="POST", path="/v1/pages", fault=fault, **more)


def test_the_card_shows_title_place_and_the_content_as_it_is(maya: ToolCalls, term: dict[str, Any]) -> None:
    rows = maya.preview("notion_create_page", {"title": "Plan", "parent": term["title"], "content": "**bold**"})

    shown = {row.label: row.value for row in rows}
    assert shown == {"Title": "Plan", "Where": f"under the page “{term['title']}”", "Content": "**bold**"}


def test_a_page_is_created_with_its_content_below_its_parent(maya: ToolCalls, plan: dict[str, Any]) -> None:
    result = maya.run("notion_create_page", plan, operation_id="op")

    (made,) = plans(maya)
    assert result.output.startswith("Created “Study plan” under the page “")
    assert f"(id: {made['id']})" in result.output
    assert client_of(maya).page(made["id"])["parent"]["page_id"] == plan["parent"]
    assert "- [ ] Read chapter 3" in text_of(maya, made["id"])


def test_an_entry_of_a_database_gets_its_title_whatever_that_property_is_called(
    maya: ToolCalls, database: dict[str, Any]
) -> None:
    maya.run("notion_create_page", {"title": "Study plan", "parent": database["title"]}, operation_id="op")

    (made,) = plans(maya)
    assert client_of(maya).page(made["id"])["parent"]["data_source_id"] == database["id"]


def test_a_place_that_is_not_there_is_refused_before_there_is_a_card(campus: CampusServer, maya: ToolCalls) -> None:
    with pytest.raises(NameUnknown):
        maya.preview("notion_create_page", {"title": "Plan", "parent": "no such place anywhere"})
    with pytest.raises(BadArguments):
        maya.preview("notion_create_page", {"title": "", "parent": "x"})

    assert writes(campus, "POST") == []


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
def test_a_lost_answer_leads_to_exactly_one_page(
    campus: CampusServer, maya: ToolCalls, plan: dict[str, Any], fault: str
) -> None:
    lose(campus, fault)

    result = maya.run("notion_create_page", plan, operation_id="op")

    assert len(plans(maya)) == len(writes(campus, "POST")) == 1
    assert result.undo is not None
    maya.undo("notion_create_page", result)
    assert plans(maya) == []


def test_a_lost_answer_for_a_databases_entry_leads_to_exactly_one(
    campus: CampusServer, maya: ToolCalls, database: dict[str, Any]
) -> None:
    lose(campus)

    maya.run("notion_create_page", {"title": "Study plan", "parent": database["id"]}, operation_id="op")

    assert len(plans(maya)) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_server_error_without_a_trace_of_the_page_is_called_unknown_and_not_repeated(
    campus: CampusServer, hasty: ToolCalls, plan: dict[str, Any], status: int
) -> None:
    lose(campus, "status", status=status)

    with pytest.raises(OutcomeUnknown, match="did not confirm that the page was created") as caught:
        hasty.run("notion_create_page", plan, operation_id="op")

    assert "look in Notion" in caught.value.next_step
    assert plans(hasty) == []


def test_when_looking_fails_too_the_outcome_is_called_unknown(
    campus: CampusServer, hasty: ToolCalls, plan: dict[str, Any]
) -> None:
    lose(campus)
    campus.fault(service="notion", method="GET", path="*/children", fault="status", status=503, times=0)

    with pytest.raises(OutcomeUnknown):
        hasty.run("notion_create_page", plan, operation_id="op")

    campus.clear_faults()
    assert len(plans(hasty)) == 1


def test_a_page_is_not_called_ours_when_nobody_could_look_what_was_there_before(
    campus: CampusServer, maya: ToolCalls, plan: dict[str, Any]
) -> None:
    maya.run("notion_create_page", plan, operation_id="before")
    lose(campus)
    campus.fault(service="notion", method="GET", path="*/children", fault="status", status=403, times=1)

    with pytest.raises(OutcomeUnknown):
        maya.run("notion_create_page", plan, operation_id="op")


def test_a_conflict_did_nothing_and_is_tried_once_more_after_looking(
    campus: CampusServer, maya: ToolCalls, plan: dict[str, Any]
) -> None:
    lose(campus, "status", status=409)

    maya.run("notion_create_page", plan, operation_id="op")

    assert len(plans(maya)) == 1


def test_a_conflict_that_stays_is_no_success_and_nothing_is_written(
    campus: CampusServer, maya: ToolCalls, plan: dict[str, Any]
) -> None:
    lose(campus, "status", status=409, times=0)

    with pytest.raises(ServiceUnavailable, match="nothing was written"):
        maya.run("notion_create_page", plan, operation_id="op")

    assert plans(maya) == []


def test_a_repeat_after_the_page_was_made_makes_no_second_one(
    campus: CampusServer, maya: ToolCalls, plan: dict[str, Any]
) -> None:
    began = datetime.now(UTC)
    maya.run("notion_create_page", plan, operation_id="op", began_at=began)

    repeat = maya.run("notion_create_page", plan, operation_id="op", began_at=began, is_repeat=True)

    assert len(plans(maya)) == len(writes(campus, "POST")) == 1
    assert repeat.undo is not None


def test_a_repeat_that_finds_nothing_waits_for_the_last_try_and_never_for_the_wait_itself(
    campus: CampusServer, hasty: ToolCalls, plan: dict[str, Any]
) -> None:
    campus.fault(service="notion", method="POST", path="/v1/pages", fault="hang", times=2)
    facts: dict[str, Any] = {"operation_id": "op", "began_at": datetime.now(UTC)}
    once = once_settled(hasty)
    twice = once_settled(once)
    with pytest.raises(OutcomeUnknown):
        hasty.run("notion_create_page", plan, **facts)

    for _ in range(2):
        with pytest.raises(StillUnderway):
            hasty.run("notion_create_page", plan, **facts, is_repeat=True)
    with pytest.raises(OutcomeUnknown):
        once.run("notion_create_page", plan, **facts, is_repeat=True)
    with pytest.raises(StillUnderway):
        once.run("notion_create_page", plan, **facts, is_repeat=True)
    twice.run("notion_create_page", plan, **facts, is_repeat=True)

    assert len(plans(hasty)) == 1


def test_a_call_sends_nothing_later_than_a_repeat_waits_for() -> None:
    limits = NotionTimeouts()

    assert PATIENCE * limits.call_s + limits.request_s <= LONGEST_CALL_S


def test_a_repeat_before_anything_was_made_makes_the_page(maya: ToolCalls, plan: dict[str, Any]) -> None:
    maya.run("notion_create_page", plan, operation_id="op", began_at=datetime.now(UTC), is_repeat=True)

    assert len(plans(maya)) == 1


def test_a_page_of_the_same_title_made_long_before_is_not_taken_for_ours(maya: ToolCalls, plan: dict[str, Any]) -> None:
    maya.run("notion_create_page", plan, operation_id="last week's")
    later = ToolCalls(
        integration=maya.integration, grant=maya.grant, clock=lambda: datetime.now(UTC) + timedelta(hours=1)
    )

    later.run("notion_create_page", plan, operation_id="op", began_at=later.clock(), is_repeat=True)

    assert len(plans(maya)) == 2


def test_a_repeat_that_finds_two_pages_that_could_be_ours_is_called_unknown(
    maya: ToolCalls, plan: dict[str, Any]
) -> None:
    began = datetime.now(UTC)
    maya.run("notion_create_page", plan, operation_id="one", began_at=began)
    maya.run("notion_create_page", plan, operation_id="two", began_at=began)

    with pytest.raises(OutcomeUnknown):
        maya.run("notion_create_page", plan, operation_id="op", began_at=began, is_repeat=True)

    assert len(plans(maya)) == 2


def test_an_undo_whose_answer_is_lost_is_found_to_be_done(
    campus: CampusServer, maya: ToolCalls, plan: dict[str, Any]
) -> None:
    result = maya.run("notion_create_page", plan, operation_id="op")
    campus.fault(service="notion", method="PATCH", path="*/v1/pages/*", fault="lose_response")

    assert maya.undo("notion_create_page", result, operation_id="op", is_undo=True).success


def test_undo_puts_the_page_into_the_trash_and_may_be_repeated(maya: ToolCalls, plan: dict[str, Any]) -> None:
    result = maya.run("notion_create_page", plan, operation_id="op")

    first, again = (maya.undo("notion_create_page", result).output for _ in range(2))

    assert plans(maya) == []
    assert first == "Put “Study plan” into Notion's trash."
    assert "trash" in again


def test_undo_refuses_when_the_page_was_changed_since(maya: ToolCalls, plan: dict[str, Any]) -> None:
    result = maya.run("notion_create_page", plan, operation_id="op")
    client_of(maya).append(result.data["page"]["id"], "The student's own words")

    with pytest.raises(ChangedElsewhere, match="changed in Notion since, so it stays as it is"):
        maya.undo("notion_create_page", result)

    assert len(plans(maya)) == 1


def test_a_change_within_the_same_minute_is_noticed_too(maya: ToolCalls, plan: dict[str, Any]) -> None:
    result = maya.run("notion_create_page", plan, operation_id="op")
    id = result.data["page"]["id"]
    client_of(maya).append(id, "Own words")
    assert result.undo is not None
    edited_at = datetime.fromisoformat(client_of(maya).page(id)["last_edited_time"]).isoformat()
    same_minute = result.__class__(undo={**result.undo, "edited_at": edited_at})

    with pytest.raises(ChangedElsewhere):
        maya.undo("notion_create_page", same_minute)


def test_a_place_that_was_renamed_between_card_and_approval_is_asked_for_again(
    maya: ToolCalls, notes: dict[str, Any]
) -> None:
    plan = {"title": "Study plan", "parent": notes["id"]}
    rows = maya.preview("notion_create_page", plan)
    title = {"title": {"title": [{"text": {"content": "Something else"}}]}}
    client = client_of(maya)
    client._library.pages.update(notes["id"], properties=title, auth=maya.grant.access_token)

    with pytest.raises(ChangedElsewhere):
        maya.run("notion_create_page", plan, operation_id="op", approved_rows=rows)

    assert plans(maya) == []
