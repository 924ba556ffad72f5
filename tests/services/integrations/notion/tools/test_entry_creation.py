"""Entries that are added to a database: every value on the card, each exactly once, and taken back."""

from datetime import UTC, datetime
from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere, OutcomeUnknown
from services.integrations.notion import entry_writes
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import once_settled
from tests.tool_calls import ToolCalls

TRACKER = "Assignment tracker"
ADD = "notion_add_entries"
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


def named(calls: ToolCalls, title: str) -> list[dict[str, Any]]:
    found = calls.run("notion_query_database", {"database": TRACKER, "text": title}).data["entries"]
    return [entry for entry in found if title in entry["title"]]


def test_the_card_shows_each_entry_in_the_databases_own_words(maya: ToolCalls) -> None:
    shown = {row.label: row.value for row in maya.preview(ADD, TWO)}

    assert shown == {
        "Database": TRACKER,
        "Entry 1": "Lab 11\nCourse: CS 101\nDue: Fri 4 Dec 2026\nStatus: Not started\n"
        "Tags: lab, new (“new” would be added as a new choice; so far there are: "
        "paper, lab, long, quiz, exam, reading, essay, code, project, online)",
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


def test_a_choice_that_is_new_is_said_on_the_card_and_in_the_result(maya: ToolCalls) -> None:
    wish = {"database": TRACKER, "entries": [{"name": "Lab 11", "values": {"Tags": "lab, new, newer"}}]}

    shown = {row.label: row.value for row in maya.preview(ADD, wish)}
    result = maya.run(ADD, wish, operation_id="op")

    assert "Tags: lab, new, newer (“new” and “newer” would be added as new choices; so far" in shown["Entry 1"]
    assert "Note: “newer” is a new choice of “Tags” now." in result.output
    again = {row.label: row.value for row in maya.preview(ADD, wish)}
    assert again["Entry 1"] == "Lab 11\nTags: lab, new, newer"


def test_of_many_entries_only_the_number_is_told(maya: ToolCalls) -> None:
    many = [{"name": f"Entry number {n}"} for n in range(34)]

    result = maya.run(ADD, {"database": TRACKER, "entries": many}, operation_id="op")

    headline, link = result.output.splitlines()
    assert headline == "Added 34 entries to the database “Assignment tracker” (Notion)."
    assert link.startswith("[open](http")


def test_undo_finds_its_entries_behind_a_hundred_newer_ones(maya: ToolCalls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_writes, "MOST_SEARCHED", 2)
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


def test_no_entry_is_called_ours_when_nobody_could_look_what_was_there_before(
    campus: CampusServer, maya: ToolCalls
) -> None:
    twin = {"database": TRACKER, "entries": [{"name": "Twin"}]}
    maya.run(ADD, twin, operation_id="before")
    campus.fault(service="notion", method="POST", path="*/query", fault="status", status=403, times=1)
    campus.fault(service="notion", method="POST", path="/v1/pages", fault="lose_response")

    with pytest.raises(OutcomeUnknown):
        maya.run(ADD, twin, operation_id="op")


def test_two_entries_of_one_name_are_two_even_when_an_answer_is_lost(campus: CampusServer, maya: ToolCalls) -> None:
    campus.fault(service="notion", method="POST", path="/v1/pages", fault="lose_response", skip=1)

    maya.run(ADD, {"database": TRACKER, "entries": [{"name": "Twin"}, {"name": "Twin"}]}, operation_id="op")

    assert len(named(maya, "Twin")) == 2


@pytest.mark.parametrize("done", [0, 1, 2])
def test_a_repeat_adds_only_what_is_not_there(maya: ToolCalls, done: int) -> None:
    began = datetime.now(UTC)
    if done:
        maya.run(ADD, {**TWO, "entries": TWO["entries"][:done]}, operation_id="op", began_at=began)

    result = once_settled(maya).run(ADD, TWO, operation_id="op", began_at=began, is_repeat=True)

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
    change = {"database": TRACKER, "entry": "Lab 11", "changes": {"Status": "Done"}}
    maya.run("notion_update_entry", change, operation_id="other")

    with pytest.raises(ChangedElsewhere):
        maya.undo(ADD, result)

    assert len(named(maya, "Lab 12")) == 1


def test_what_is_wrong_with_several_entries_is_told_of_each(maya: ToolCalls) -> None:
    entries = [
        {"name": "Lab 11", "values": {"Status": "Finished"}},
        {"name": "Lab 12", "values": {"Due": "soon", "Name": "Lab 13"}},
        {"name": "Lab 14", "values": {"Status": "Done"}},
    ]

    with pytest.raises(BadArguments) as refused:
        maya.preview("notion_add_entries", {"database": TRACKER, "entries": entries})

    told = str(refused.value)
    assert "entries: “Lab 11”, Status “Finished”: there is no such choice." in told
    assert "entries: “Lab 12”, Due “soon”: That column takes a date like" in told
    assert "entries: “Lab 12”, Name “Lab 13”: A column is named twice." in told
    assert "Lab 14" not in told
