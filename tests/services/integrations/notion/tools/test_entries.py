"""Entries of a database: added and changed with every value shown, once only, and taken back."""

from datetime import UTC, datetime
from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound, OutcomeUnknown, RequestRefused
from services.integrations.notion.tools import entry_creation
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, search, writes
from tests.tool_calls import ToolCalls

TRACKER = "Assignment tracker"
ADD, UPDATE = "notion_add_entries", "notion_update_entry"
TWO = {
    "database": TRACKER,
    "entries": [
        {
            "name": "Lab 11",
            "values": {"course": "cs 101", "due": "2026-12-04", "Status": "not started", "Tags": "lab, new"},
        },
        {"name": "Lab 12", "values": {"Hours": "2.5", "Submitted": "no", "link": "https://canvas.example/12"}},
    ],
}
DONE = {"database": TRACKER, "entry": "Lab 9", "changes": {"status": "done", "Submitted": "yes"}}


def named(calls: ToolCalls, title: str) -> list[dict[str, Any]]:
    found = calls.run("notion_query_database", {"database": TRACKER, "text": title}).data["entries"]
    return [entry for entry in found if title in entry["title"]]


def test_the_card_shows_each_entry_in_the_databases_own_words(maya: ToolCalls) -> None:
    shown = {row.label: row.value for row in maya.preview(ADD, TWO)}

    assert shown == {
        "Database": TRACKER,
        "Entry 1": "Lab 11\nCourse: CS 101\nDue: Fri 4 Dec 2026\nStatus: Not started\nTags: lab, new",
        "Entry 2": "Lab 12\nHours: 2.5\nSubmitted: no\nLink: https://canvas.example/12",
    }


def test_entries_are_added_and_undo_takes_them_out(maya: ToolCalls) -> None:
    result = maya.run(ADD, TWO, operation_id="op")

    first, line, *_ = result.output.splitlines()
    assert first == "Added 2 entries to the database “Assignment tracker” (Notion)."
    assert line.startswith("- **Lab 11** — Course: CS 101 — Status: Not started — Due: Fri 4 Dec 2026")
    maya.undo(ADD, result)
    assert named(maya, "Lab 11") == named(maya, "Lab 12") == []
    assert maya.undo(ADD, result).output == "Put no entries into Notion's trash."


def test_undo_finds_its_entries_behind_a_hundred_newer_ones(maya: ToolCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_creation, "MOST_SEARCHED", 2)
    result = maya.run(ADD, TWO, operation_id="op")
    maya.run(ADD, {"database": TRACKER, "entries": [{"name": f"Newer {n}"} for n in range(3)]}, operation_id="newer")

    assert maya.undo(ADD, result).output == "Put 2 entries into Notion's trash."
    assert named(maya, "Lab 11") == named(maya, "Lab 12") == []
    assert len(named(maya, "Newer")) == 3


@pytest.mark.parametrize(
    "values",
    [
        {"Colour": "red"},
        {"Status": "Almost"},
        {"Due": "tomorrow"},
        {"Hours": "many"},
        {"Submitted": "maybe"},
        {"Link": "not an address"},
        {"Course": "CS 101", "course": "CS 102"},
        {"Name": "Another"},
    ],
)
def test_values_that_do_not_fit_are_refused_before_there_is_a_card(maya: ToolCalls, values: dict[str, str]) -> None:
    with pytest.raises(BadArguments) as caught:
        maya.preview(ADD, {"database": TRACKER, "entries": [{"name": "x", "values": values}]})

    assert caught.value.field == "entries"


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
@pytest.mark.parametrize("skip", [0, 1])
def test_a_lost_answer_leads_to_each_entry_once(campus: CampusServer, maya: ToolCalls, fault: str, skip: int) -> None:
    campus.fault(service="notion", method="POST", path="/v1/pages", fault=fault, skip=skip)

    maya.run(ADD, TWO, operation_id="op")

    assert len(named(maya, "Lab 11")) == len(named(maya, "Lab 12")) == 1


def test_two_entries_of_one_name_are_two_even_when_an_answer_is_lost(campus: CampusServer, maya: ToolCalls) -> None:
    campus.fault(service="notion", method="POST", path="/v1/pages", fault="lose_response", skip=1)

    maya.run(ADD, {"database": TRACKER, "entries": [{"name": "Twin"}, {"name": "Twin"}]}, operation_id="op")

    assert len(named(maya, "Twin")) == 2


@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_repeat_adds_only_what_is_not_there(maya: ToolCalls, done: int) -> None:
    began = datetime.now(UTC)
    if done:
        maya.run(ADD, {**TWO, "entries": TWO["entries"][:done]}, operation_id="op", began_at=began)

    result = maya.run(ADD, TWO, operation_id="op", began_at=began, is_repeat=True)

    assert len(named(maya, "Lab 11")) == len(named(maya, "Lab 12")) == 1
    maya.undo(ADD, result)
    assert named(maya, "Lab 11") == named(maya, "Lab 12") == []


def test_when_the_first_entry_stays_unclear_nothing_more_is_tried(campus: CampusServer, hasty: ToolCalls) -> None:
    campus.fault(service="notion", method="POST", path="/v1/pages", fault="status", status=502, times=0)

    with pytest.raises(OutcomeUnknown):
        hasty.run(ADD, TWO, operation_id="op")

    tried = [entry for entry in campus.log(service="notion", method="POST") if entry["path"] == "/v1/pages"]
    assert len(tried) == 1


def test_what_could_be_added_stays_and_the_rest_is_told(campus: CampusServer, maya: ToolCalls) -> None:
    campus.fault(service="notion", method="POST", path="/v1/pages", fault="status", status=400, skip=1)

    result = maya.run(ADD, TWO, operation_id="op")

    assert result.output.startswith("Added only 1 of 2 entries to the database")
    assert "Note: the others were not added. Notion did not accept this" in result.output
    maya.undo(ADD, result)
    assert named(maya, "Lab 11") == []


def test_undo_refuses_when_an_entry_was_changed_since(maya: ToolCalls) -> None:
    result = maya.run(ADD, TWO, operation_id="op")
    maya.run(UPDATE, {"database": TRACKER, "entry": "Lab 11", "changes": {"Status": "Done"}}, operation_id="other")

    with pytest.raises(ChangedElsewhere):
        maya.undo(ADD, result)

    assert len(named(maya, "Lab 12")) == 1


def test_the_card_of_a_change_shows_old_and_new(maya: ToolCalls) -> None:
    rows = maya.preview(UPDATE, {**DONE, "changes": {"status": "done", "due": "2026-12-24", "Notes": "Ask Anne"}})

    (entry, database, status, due, notes) = rows
    assert (entry.value, database.value) == ("Lab 9: Recursion (draw a tree)", TRACKER)
    assert (status.label, status.before, status.value) == ("Status", "In progress", "Done")
    assert (due.label, due.value) == ("Due", "Thu 24 Dec 2026")
    assert (notes.before, notes.value) == ("", "Ask Anne")


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
    with pytest.raises(BadArguments, match="pages fit these words"):
        maya.preview(UPDATE, {**DONE, "entry": "Lab"})
    with pytest.raises(ItemNotFound):
        maya.preview(UPDATE, {**DONE, "entry": "No such lab"})


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
