from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.errors import ChangedElsewhere, OutcomeUnknown, RequestRefused, ServiceUnavailable
from services.integrations.notion.client import NotionClient
from services.integrations.notion.errors import busy_error
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, text_of, writes
from tests.tool_calls import ToolCalls

ADDED = "## More\n\n* one\n* two"


@pytest.fixture
def more(notes: dict[str, Any]) -> dict[str, Any]:
    return {"page": notes["id"], "content": ADDED}


def lose(campus: CampusServer, fault: str = "lose_response", **more: object) -> None:
    campus.fault(service="notion", method="PATCH", path="*/markdown", fault=fault, **more)


def times_there(calls: ToolCalls, page_id: str) -> int:
    return text_of(calls, page_id).count("## More")


def test_the_card_shows_the_page_and_what_is_added(maya: ToolCalls, more: dict[str, Any]) -> None:
    shown = {row.label: row.value for row in maya.preview("notion_append_to_page", more)}

    assert shown == {"Page": "My notes", "Added at the end": ADDED}


def test_what_was_there_stays_and_the_addition_comes_after_it(maya: ToolCalls, more: dict[str, Any]) -> None:
    before = text_of(maya, more["page"])

    result = maya.run("notion_append_to_page", more, operation_id="op")

    assert result.output.startswith("Added to the end of “My notes” (Notion).")
    after = text_of(maya, more["page"])
    assert after.startswith(before)
    assert "- two" in after.removeprefix(before)


def test_pages_inside_a_page_stay_where_they_are(maya: ToolCalls, term: dict[str, Any]) -> None:
    before = text_of(maya, term["id"])

    result = maya.run("notion_append_to_page", {"page": term["id"], "content": ADDED}, operation_id="op")
    assert text_of(maya, term["id"]).count("<page url=") == before.count("<page url=")
    maya.undo("notion_append_to_page", result)

    assert text_of(maya, term["id"]) == before


def test_a_database_is_no_page_to_add_to(maya: ToolCalls, database: dict[str, Any]) -> None:
    with pytest.raises(RequestRefused, match="database") as caught:
        maya.preview("notion_append_to_page", {"page": database["id"], "content": "x"})

    assert "Create an entry" in caught.value.next_step


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
def test_a_lost_answer_leads_to_exactly_one_addition(
    campus: CampusServer, maya: ToolCalls, more: dict[str, Any], fault: str
) -> None:
    before = text_of(maya, more["page"])
    lose(campus, fault)

    result = maya.run("notion_append_to_page", more, operation_id="op")

    assert times_there(maya, more["page"]) == len(writes(campus, "PATCH")) == 1
    maya.undo("notion_append_to_page", result)
    assert text_of(maya, more["page"]) == before


@pytest.mark.parametrize("status", [500, 502, 504])
def test_a_server_error_without_a_trace_of_the_text_is_called_unknown_and_not_repeated(
    campus: CampusServer, hasty: ToolCalls, maya: ToolCalls, more: dict[str, Any], status: int
) -> None:
    lose(campus, "status", status=status)

    with pytest.raises(OutcomeUnknown, match="did not confirm that the text was added"):
        hasty.run("notion_append_to_page", more, operation_id="op")

    assert times_there(maya, more["page"]) == 0


def test_a_conflict_did_nothing_and_is_tried_once_more(
    campus: CampusServer, maya: ToolCalls, more: dict[str, Any]
) -> None:
    lose(campus, "status", status=409)

    maya.run("notion_append_to_page", more, operation_id="op")

    assert times_there(maya, more["page"]) == 1


def test_a_conflict_after_the_text_was_added_is_a_success(
    maya: ToolCalls, more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    append = NotionClient.append

    def refused_afterwards(notion: NotionClient, page_id: str, markdown: str) -> None:
        append(notion, page_id, markdown)
        raise busy_error()

    monkeypatch.setattr(NotionClient, "append", refused_afterwards)

    maya.run("notion_append_to_page", more, operation_id="op")

    assert times_there(maya, more["page"]) == 1


def test_a_conflict_that_stays_is_no_success(campus: CampusServer, maya: ToolCalls, more: dict[str, Any]) -> None:
    lose(campus, "status", status=409, times=0)

    with pytest.raises(ServiceUnavailable, match="nothing was written"):
        maya.run("notion_append_to_page", more, operation_id="op")


def test_a_repeat_after_the_text_was_added_adds_no_second_one(maya: ToolCalls, more: dict[str, Any]) -> None:
    began = datetime.now(UTC)
    maya.run("notion_append_to_page", more, operation_id="op", began_at=began)

    repeat = maya.run("notion_append_to_page", more, operation_id="op", began_at=began, is_repeat=True)

    assert times_there(maya, more["page"]) == 1
    maya.undo("notion_append_to_page", repeat)
    assert times_there(maya, more["page"]) == 0


def test_a_repeat_before_anything_was_added_adds_it(maya: ToolCalls, more: dict[str, Any]) -> None:
    maya.run("notion_append_to_page", more, operation_id="op", began_at=datetime.now(UTC), is_repeat=True)

    assert times_there(maya, more["page"]) == 1


def test_the_same_text_added_long_before_is_not_taken_for_ours(maya: ToolCalls, more: dict[str, Any]) -> None:
    maya.run("notion_append_to_page", more, operation_id="last week's")
    later = ToolCalls(
        integration=maya.integration, grant=maya.grant, clock=lambda: datetime.now(UTC) + timedelta(hours=1)
    )

    later.run("notion_append_to_page", more, operation_id="op", began_at=later.clock(), is_repeat=True)

    assert times_there(maya, more["page"]) == 2


def test_a_repeat_that_finds_the_text_somewhere_in_a_changed_page_is_called_unknown(
    maya: ToolCalls, more: dict[str, Any]
) -> None:
    began = datetime.now(UTC)
    maya.run("notion_append_to_page", more, operation_id="op", began_at=began)
    client_of(maya).append(more["page"], "The student went on writing")

    with pytest.raises(OutcomeUnknown):
        maya.run("notion_append_to_page", more, operation_id="op", began_at=began, is_repeat=True)

    assert times_there(maya, more["page"]) == 1


def test_undo_takes_out_what_was_added_and_nothing_else_and_may_be_repeated(
    campus: CampusServer, maya: ToolCalls, more: dict[str, Any]
) -> None:
    before = text_of(maya, more["page"])
    result = maya.run("notion_append_to_page", more, operation_id="op")

    maya.undo("notion_append_to_page", result)
    maya.undo("notion_append_to_page", result)

    assert text_of(maya, more["page"]) == before
    assert len(writes(campus, "PATCH")) == 2


def test_undo_takes_out_the_last_of_two_equal_additions(maya: ToolCalls, more: dict[str, Any]) -> None:
    first = maya.run("notion_append_to_page", more, operation_id="one")
    middle = text_of(maya, more["page"])
    second = maya.run("notion_append_to_page", more, operation_id="two")

    maya.undo("notion_append_to_page", second)

    assert text_of(maya, more["page"]) == middle
    maya.undo("notion_append_to_page", first)
    assert times_there(maya, more["page"]) == 0


def test_undo_refuses_when_the_page_was_changed_since(maya: ToolCalls, more: dict[str, Any]) -> None:
    result = maya.run("notion_append_to_page", more, operation_id="op")
    client_of(maya).append(more["page"], "The student's own words")

    with pytest.raises(ChangedElsewhere, match="changed in Notion since, so it stays as it is"):
        maya.undo("notion_append_to_page", result)

    assert "own words" in text_of(maya, more["page"])


def test_a_lost_answer_to_an_undo_still_takes_the_text_out_once(
    campus: CampusServer, maya: ToolCalls, more: dict[str, Any]
) -> None:
    before = text_of(maya, more["page"])
    result = maya.run("notion_append_to_page", more, operation_id="op")
    lose(campus)

    maya.undo("notion_append_to_page", result)

    assert text_of(maya, more["page"]) == before


def test_text_is_added_to_an_empty_page_and_taken_out_again(maya: ToolCalls, notes: dict[str, Any]) -> None:
    blank = maya.run("notion_create_page", {"title": "Blank", "parent": notes["id"]}, operation_id="blank")
    id = blank.data["page"]["id"]
    result = maya.run("notion_append_to_page", {"page": id, "content": "Only line"}, operation_id="op")
    assert text_of(maya, id) == "Only line"

    maya.undo("notion_append_to_page", result)

    assert text_of(maya, id) == ""
