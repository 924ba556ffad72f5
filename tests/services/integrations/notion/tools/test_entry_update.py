"""Entries of a database that are changed: old and new values on the card, written once, and restored."""

from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere, NameUnknown, OutcomeUnknown, RequestRefused
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, search, writes
from tests.services.integrations.notion.tools.test_entry_creation import TRACKER, named
from tests.tool_calls import ToolCalls

UPDATE = "notion_update_entry"
DONE = {"database": TRACKER, "entry": "Lab 9", "changes": {"status": "done", "Submitted": "yes"}}


def test_the_card_of_a_change_shows_old_and_new(maya: ToolCalls) -> None:
    rows = maya.preview(UPDATE, {**DONE, "changes": {"status": "done", "due": "2026-12-24", "Notes": "Ask Anne"}})

    (entry, database, status, due, notes) = rows
    assert (entry.value, database.value) == ("Lab 9: Recursion (draw a tree)", TRACKER)
    assert (status.label, status.before, status.value) == ("Status", "In progress", "Done")
    assert (due.label, due.value) == ("Due", "Thu 24 Dec 2026")
    assert (notes.before, notes.value) == ("", "Ask Anne")


def test_all_that_is_wrong_is_told_at_once_with_its_column(maya: ToolCalls) -> None:
    wish = {**DONE, "changes": {"Status": "Finished", "Prio": "high", "Hours": "many", "Notes": "Ask Anne"}}

    with pytest.raises(BadArguments) as refused:
        maya.preview(UPDATE, wish)

    told = str(refused.value)
    assert "changes: Status “Finished”: there is no such choice. The choices: Not started, In progress, Done." in told
    assert "changes: Prio “high”: there is no such column. The columns: Name," in told
    assert "changes: Hours “many”: That column takes a number." in told
    assert "Notes" not in told.replace("Link, Notes", "")
    assert refused.value.field == "changes"


def test_a_choice_that_is_new_is_said_on_the_card_and_in_the_result(maya: ToolCalls) -> None:
    items = [{"name": "HW 6"}]
    maya.run("notion_create_tracker", {"title": "Mine", "items": items}, operation_id="made")
    wish = {"database": "Mine", "entry": "HW 6", "changes": {"Status": "Finished"}}

    shown = {row.label: row.value for row in maya.preview(UPDATE, wish)}
    result = maya.run(UPDATE, wish, operation_id="op")

    assert shown["Status"] == (
        "Finished (“Finished” would be added as a new choice; so far there are: Not started, In progress, Done)"
    )
    assert "Note: “Finished” is a new choice of “Status” now." in result.output


def test_a_status_takes_no_new_choice_and_says_which_there_are(maya: ToolCalls) -> None:
    with pytest.raises(BadArguments, match="The choices: Not started, In progress, Done"):
        maya.preview(UPDATE, {**DONE, "changes": {"Status": "Finished"}})


def test_an_entry_is_changed_and_undo_writes_the_former_values(maya: ToolCalls) -> None:
    result = maya.run(UPDATE, DONE, operation_id="op")

    (changed,) = named(maya, "Lab 9")
    assert (changed["properties"]["Status"], changed["properties"]["Submitted"]) == ("Done", "yes")
    maya.undo(UPDATE, result)
    (back,) = named(maya, "Lab 9")
    assert (back["properties"]["Status"], back["properties"]["Submitted"]) == ("In progress", "no")
    assert maya.undo(UPDATE, result).success


@pytest.mark.parametrize(
    "changes",
    [
        {
            "Name": "Lab nine",
            "Due": "",
            "Course": "",
            "Tags": "",
            "Link": "https://a.example/1",
            "Notes": "n",
            "Hours": "3",
        },
        {"Due": "2026-12-24T18:00/2026-12-24T20:00", "Weight": "50%", "Link": ""},
    ],
)
def test_every_kind_of_value_can_be_written_emptied_and_restored(maya: ToolCalls, changes: dict[str, str]) -> None:
    (before,) = named(maya, "Lab 9")
    page = client_of(maya).page(before["id"])["properties"]

    result = maya.run(UPDATE, {"entry": before["id"], "changes": changes}, operation_id="op")
    maya.undo(UPDATE, result)

    assert client_of(maya).page(before["id"])["properties"] == page


def test_an_entry_is_named_by_words_or_id_and_ambiguity_is_asked_back(maya: ToolCalls) -> None:
    (lab,) = named(maya, "Lab 9")

    by_id = maya.preview(UPDATE, {"entry": lab["id"], "changes": {"Status": "Done"}})
    by_title = maya.preview(UPDATE, {"entry": "Recursion (draw a tree)", "changes": {"Status": "Done"}})

    assert by_id == by_title
    with pytest.raises(BadArguments, match=r"^entry: \d fit “[^”]*”: “Lab 10"):
        maya.preview(UPDATE, {**DONE, "entry": "Lab"})
    with pytest.raises(NameUnknown, match=r"none is called “Recursion homework”\. The closest: .*“Lab 9: Recursion"):
        maya.preview(UPDATE, {**DONE, "entry": "Recursion homework"})


def test_an_ordinary_page_is_no_entry(maya: ToolCalls, notes: dict[str, Any]) -> None:
    with pytest.raises(RequestRefused, match="no entry of a database"):
        maya.preview(UPDATE, {"entry": notes["id"], "changes": {"Status": "Done"}})


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
def test_a_lost_answer_to_a_change_is_looked_up(campus: CampusServer, maya: ToolCalls, fault: str) -> None:
    campus.fault(service="notion", method="PATCH", path="/v1/pages/*", fault=fault)

    result = maya.run(UPDATE, DONE, operation_id="op")

    assert len(writes(campus, "PATCH")) == 1
    maya.undo(UPDATE, result)
    assert named(maya, "Lab 9")[0]["properties"]["Status"] == "In progress"


def test_a_change_that_stays_unclear_is_called_so(campus: CampusServer, hasty: ToolCalls) -> None:
    campus.fault(service="notion", method="PATCH", path="/v1/pages/*", fault="status", status=504)

    with pytest.raises(OutcomeUnknown, match="did not confirm that the entry was changed"):
        hasty.run(UPDATE, DONE, operation_id="op")


def test_a_conflict_is_tried_once_more(campus: CampusServer, maya: ToolCalls) -> None:
    campus.fault(service="notion", method="PATCH", path="/v1/pages/*", fault="status", status=409)

    maya.run(UPDATE, DONE, operation_id="op")

    assert named(maya, "Lab 9")[0]["properties"]["Status"] == "Done"


def test_a_repeat_of_a_change_that_was_made_writes_nothing_and_can_still_be_undone(
    campus: CampusServer, maya: ToolCalls
) -> None:
    rows, before = maya.preview(UPDATE, DONE), named(maya, "Lab 9")[0]["properties"]
    maya.run(UPDATE, DONE, operation_id="op", approved_rows=rows)

    repeat = maya.run(UPDATE, DONE, operation_id="op", approved_rows=rows, is_repeat=True)

    assert len(writes(campus, "PATCH")) == 1
    maya.undo(UPDATE, repeat)
    assert named(maya, "Lab 9")[0]["properties"] == before


def test_an_entry_that_changed_since_the_card_is_asked_for_again(maya: ToolCalls) -> None:
    rows = maya.preview(UPDATE, DONE)
    other = {**DONE, "changes": {"Status": "Not started"}}
    maya.run(UPDATE, other, operation_id="other")

    with pytest.raises(ChangedElsewhere):
        maya.run(UPDATE, DONE, operation_id="op", approved_rows=rows)


def test_undo_of_a_change_refuses_when_it_was_changed_since(maya: ToolCalls) -> None:
    result = maya.run(UPDATE, DONE, operation_id="op")
    maya.run(UPDATE, {**DONE, "changes": {"Status": "Not started"}}, operation_id="other")

    with pytest.raises(ChangedElsewhere):
        maya.undo(UPDATE, result)


def test_an_entry_stands_in_no_search_for_pages_to_write_under(maya: ToolCalls) -> None:
    rows = {row.label: row.value for row in maya.preview("notion_create_page", {"title": "Lab 9: Recursion"})}

    assert "“Lab 9" not in rows["Where"]
    assert search(maya, "Lab 9")
