"""Replacing a page's text: what would be lost is shown, pages inside stay, once only, and back again."""

from datetime import UTC, datetime
from typing import Any

import pytest

from services.errors import ChangedElsewhere, OutcomeUnknown, RequestRefused
from services.integrations.kit.writes import OPERATIONS, StillUnderway
from services.integrations.notion.client import NotionClient
from services.integrations.notion.errors import busy_error
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, once_settled, text_of, writes
from tests.tool_calls import ToolCalls

TOOL = "notion_replace_content"
NEW = "## Anew\n- one"


@pytest.fixture
def anew(notes: dict[str, Any]) -> dict[str, Any]:
    return {"page": notes["id"], "content": NEW}


def lose(campus: CampusServer, fault: str = "lose_response", **more: object) -> None:
    campus.fault(service="notion", method="PATCH", path="*/markdown", fault=fault, **more)


def test_the_card_shows_all_that_would_be_lost(maya: ToolCalls, anew: dict[str, Any]) -> None:
    shown = {row.label: row.value for row in maya.preview(TOOL, anew)}

    assert shown == {"Page": "My notes", "Would be lost": "First line\n- a point", "New text": NEW}


def test_the_text_is_replaced_and_undo_brings_the_former_one_back(maya: ToolCalls, anew: dict[str, Any]) -> None:
    before = text_of(maya, anew["page"])

    result = maya.run(TOOL, anew, operation_id="op")

    assert text_of(maya, anew["page"]) == NEW
    maya.undo(TOOL, result)
    assert text_of(maya, anew["page"]) == before
    assert maya.undo(TOOL, result).success, "once more changes nothing"


def test_pages_inside_are_named_on_the_card_and_never_go_to_the_trash(maya: ToolCalls, term: dict[str, Any]) -> None:
    before = text_of(maya, term["id"])
    inside = before.count("<page url=") + before.count("<database url=")
    wish = {"page": term["id"], "content": NEW}

    rows = {row.label: row.value for row in maya.preview(TOOL, wish)}
    result = maya.run(TOOL, wish, operation_id="op")

    after = text_of(maya, term["id"])
    assert rows["Stays"].startswith(f"{inside} pages inside: “")
    assert "<page" not in rows["Would be lost"]
    assert after.startswith(NEW)
    assert after.count("<page url=") + after.count("<database url=") == inside
    maya.undo(TOOL, result)
    assert text_of(maya, term["id"]) == before


def test_a_page_with_parts_that_cannot_be_seen_is_left_alone(
    campus: CampusServer, maya: ToolCalls, anew: dict[str, Any]
) -> None:
    body = {"object": "page_markdown", "id": anew["page"], "markdown": "x", "truncated": True, "unknown_block_ids": []}
    campus.fault(service="notion", method="GET", path="*/markdown", fault="status", status=200, body=body)

    with pytest.raises(RequestRefused, match="would be lost"):
        maya.preview(TOOL, anew)


def test_a_page_that_changed_since_the_card_is_asked_for_again(maya: ToolCalls, anew: dict[str, Any]) -> None:
    rows = maya.preview(TOOL, anew)
    client_of(maya).append(anew["page"], "The student's own words")

    with pytest.raises(ChangedElsewhere):
        maya.run(TOOL, anew, operation_id="op", approved_rows=rows)

    assert "own words" in text_of(maya, anew["page"])


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
def test_a_lost_answer_leads_to_one_replacement_that_can_be_undone(
    campus: CampusServer, maya: ToolCalls, anew: dict[str, Any], fault: str
) -> None:
    before = text_of(maya, anew["page"])
    lose(campus, fault)

    result = maya.run(TOOL, anew, operation_id="op")

    assert len(writes(campus, "PATCH")) == 1
    maya.undo(TOOL, result)
    assert text_of(maya, anew["page"]) == before


@pytest.mark.parametrize("status", [500, 502, 504])
def test_a_server_error_without_a_trace_is_called_unknown_and_not_repeated(
    campus: CampusServer, hasty: ToolCalls, anew: dict[str, Any], status: int
) -> None:
    lose(campus, "status", status=status)

    with pytest.raises(OutcomeUnknown, match="did not confirm that the page was changed"):
        hasty.run(TOOL, anew, operation_id="op")


def test_a_conflict_is_tried_once_more_after_looking(
    campus: CampusServer, maya: ToolCalls, anew: dict[str, Any]
) -> None:
    lose(campus, "status", status=409)

    maya.run(TOOL, anew, operation_id="op")

    assert text_of(maya, anew["page"]) == NEW


def test_a_repeat_after_it_was_done_writes_nothing_and_can_still_be_undone(
    campus: CampusServer, maya: ToolCalls, anew: dict[str, Any]
) -> None:
    before, rows = text_of(maya, anew["page"]), maya.preview(TOOL, anew)
    maya.run(TOOL, anew, operation_id="op", approved_rows=rows)

    again = maya.run(TOOL, anew, operation_id="op", approved_rows=rows, is_repeat=True, began_at=datetime.now(UTC))

    assert len(writes(campus, "PATCH")) == 1
    maya.undo(TOOL, again)
    assert text_of(maya, anew["page"]) == before


def test_undo_refuses_when_the_page_was_changed_since(maya: ToolCalls, anew: dict[str, Any]) -> None:
    result = maya.run(TOOL, anew, operation_id="op")
    client_of(maya).append(anew["page"], "The student's own words")

    with pytest.raises(ChangedElsewhere):
        maya.undo(TOOL, result)

    assert "own words" in text_of(maya, anew["page"])


def test_an_undo_without_an_answer_is_not_sent_again_while_it_may_lie_at_notion(
    campus: CampusServer, hasty: ToolCalls, anew: dict[str, Any]
) -> None:
    before = text_of(hasty, anew["page"])
    result = hasty.run(TOOL, anew, operation_id="op")
    lose(campus, "status", status=504)
    with pytest.raises(OutcomeUnknown):
        hasty.undo(TOOL, result, operation_id="op", is_undo=True)

    with pytest.raises(StillUnderway, match="may still be busy"):
        hasty.undo(TOOL, result, operation_id="op", is_undo=True)
    once_settled(hasty).undo(TOOL, result, operation_id="op", is_undo=True)

    assert text_of(hasty, anew["page"]) == before


def test_a_page_is_not_called_changed_while_its_undo_may_still_lie_at_notion(
    campus: CampusServer, hasty: ToolCalls, anew: dict[str, Any]
) -> None:
    result = hasty.run(TOOL, anew, operation_id="op")
    lose(campus, "status", status=504)
    with pytest.raises(OutcomeUnknown):
        hasty.undo(TOOL, result, operation_id="op", is_undo=True)
    client_of(hasty).append(anew["page"], "The student's own words")

    with pytest.raises(StillUnderway):
        hasty.undo(TOOL, result, operation_id="op", is_undo=True)
    with pytest.raises(ChangedElsewhere):
        once_settled(hasty).undo(TOOL, result, operation_id="op", is_undo=True)

    assert "own words" in text_of(hasty, anew["page"])


def test_a_conflict_after_the_text_was_replaced_is_a_success(
    maya: ToolCalls, anew: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_all = NotionClient.replace_all

    def refused_afterwards(notion: NotionClient, page_id: str, markdown: str) -> None:
        replace_all(notion, page_id, markdown)
        raise busy_error()

    monkeypatch.setattr(NotionClient, "replace_all", refused_afterwards)

    maya.run(TOOL, anew, operation_id="op")

    assert text_of(maya, anew["page"]) == NEW


def test_a_process_that_was_halted_until_another_took_over_neither_plans_nor_writes(
    campus: CampusServer, maya: ToolCalls, anew: dict[str, Any]
) -> None:
    """Fault R70."""
    with pytest.raises(StillUnderway):
        maya.run(TOOL, anew, operation_id="op", holds_lease=lambda: False)

    assert writes(campus, "PATCH") == []
    assert maya.store.for_student(maya.student.id).get(OPERATIONS, "op") is None
