"""An assignment tracker is a real database: made once, filled, taken back whole."""

from datetime import UTC, datetime
from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere, OutcomeUnknown, RequestRefused
from services.i18n import locale_scope
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, once_settled, search, writes
from tests.tool_calls import ToolCalls

TOOL = "notion_create_tracker"
ITEMS = [
    {"name": "HW 6", "course": "CS 101", "due": "2026-12-04", "link": "https://canvas.example/hw6"},
    {"name": "Lab report 6", "course": "BIOL 201", "due": "2026-12-01T23:59", "status": "In progress"},
    {"name": "Essay", "course": "WRIT 110"},
]


@pytest.fixture
def wish(term: dict[str, Any]) -> dict[str, Any]:
    return {"title": "My tracker", "parent": term["id"], "items": ITEMS}


def trackers(calls: ToolCalls) -> list[dict[str, Any]]:
    return [found for found in search(calls, "My tracker") if found["kind"] == "database"]


def entries(calls: ToolCalls) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = calls.run("notion_query_database", {"database": "My tracker"}).data["entries"]
    return found


def test_the_card_shows_title_place_columns_and_every_entry(maya: ToolCalls, wish: dict[str, Any]) -> None:
    shown = {row.label: row.value for row in maya.preview(TOOL, wish)}

    assert shown["Title"] == "My tracker"
    assert shown["Where"].startswith("under the page “")
    assert shown["Columns"] == "Name, Course, Due, Status, Link"
    assert shown["Entry 1"] == (
        "HW 6\nCourse: CS 101\nDue: Fri 4 Dec 2026\nStatus: Not started\nLink: https://canvas.example/hw6"
    )
    assert "Entry 3" in shown


def test_a_tracker_is_a_database_whose_entries_can_be_asked_for(maya: ToolCalls, wish: dict[str, Any]) -> None:
    result = maya.run(TOOL, wish, operation_id="op")

    (made,) = trackers(maya)
    columns = client_of(maya).data_source(made["id"])["properties"]
    assert {name: prop["type"] for name, prop in columns.items()} == {
        "Name": "title",
        "Course": "select",
        "Due": "date",
        "Status": "select",
        "Link": "url",
    }
    assert result.output.splitlines()[0] == (
        "Created the tracker “My tracker” under the page “Fall semester” with 3 of 3 entries (Notion)."
    )
    assert [entry["title"] for entry in entries(maya)] == ["Lab report 6", "HW 6", "Essay"]
    assert entries(maya)[0]["properties"]["Due"] == "Tue 1 Dec 2026, 11:59 PM CST"


def test_a_tracker_has_the_columns_that_the_student_wants_besides(maya: ToolCalls, wish: dict[str, Any]) -> None:
    wish["columns"] = {"Priority": "select", "Hours": "number", "Notes": "text"}
    wish["items"] = [{"name": "HW 6", "more": {"priority": "High", "Hours": "2.5", "Notes": "Bring the book"}}]

    rows = {row.label: row.value for row in maya.preview(TOOL, wish)}
    result = maya.run(TOOL, wish, operation_id="op")

    assert rows["Columns"] == "Name, Course, Due, Status, Link, Priority, Hours, Notes"
    assert rows["Entry 1"] == "HW 6\nStatus: Not started\nPriority: High\nHours: 2.5\nNotes: Bring the book"
    (entry,) = entries(maya)
    assert entry["properties"] == {
        "Status": "Not started",
        "Priority": "High",
        "Hours": "2.5",
        "Notes": "Bring the book",
    }
    maya.undo(TOOL, result)
    assert trackers(maya) == []


INTERNSHIPS = {"Company": "text", "Deadline": "date", "Priority": "select", "status": "select"}


def test_columns_of_the_students_own_can_stand_in_place_of_ours(maya: ToolCalls, wish: dict[str, Any]) -> None:
    own = {"Company": "Lakeside Labs", "Deadline": "2026-12-04", "Priority": "High"}
    applied = {"name": "Data intern", "more": {**own, "Status": "Applied"}}
    wish |= {"columns": INTERNSHIPS, "only_these": True, "items": [applied, {"name": "Lab intern"}]}

    rows = {row.label: row.value for row in maya.preview(TOOL, wish)}
    result = maya.run(TOOL, wish, operation_id="op")

    assert rows["Columns"] == "Name, Company, Deadline, Priority, Status"
    assert rows["Entry 1"].splitlines()[1:] == [
        "Status: Applied",
        "Company: Lakeside Labs",
        "Deadline: Fri 4 Dec 2026",
        "Priority: High",
    ]
    (made,) = trackers(maya)
    properties = client_of(maya).data_source(made["id"])["properties"]
    assert list(properties) == ["Name", "Company", "Deadline", "Priority", "Status"]
    choices = [option["name"] for option in properties["Status"]["select"]["options"]]
    assert choices == ["Not started", "In progress", "Done", "Applied"]
    assert {entry["title"]: entry["properties"]["Status"] for entry in entries(maya)} == {
        "Data intern": "Applied",
        "Lab intern": "Not started",
    }
    maya.undo(TOOL, result)
    assert trackers(maya) == []


def test_without_a_status_column_no_entry_has_a_status(maya: ToolCalls, wish: dict[str, Any]) -> None:
    wish |= {"columns": {"Author": "text"}, "only_these": True, "items": [{"name": "Middlemarch"}]}

    rows = {row.label: row.value for row in maya.preview(TOOL, wish)}

    assert (rows["Columns"], rows["Entry 1"]) == ("Name, Author", "Middlemarch")


@pytest.mark.parametrize("given", [{"due": "2026-12-04"}, {"status": "Done"}, {"course": "CS 101"}])
def test_a_value_for_a_column_that_was_left_out_is_not_lost_in_silence(
    maya: ToolCalls, wish: dict[str, Any], given: dict[str, str]
) -> None:
    wish |= {"columns": {"Deadline": "date"}, "only_these": True, "items": [{"name": "Data intern", **given}]}

    with pytest.raises(BadArguments, match="to fill; there are: Deadline"):
        maya.preview(TOOL, wish)


@pytest.mark.parametrize(
    ("columns", "more", "field"),
    [
        ({}, {"Priority": "High"}, "items"),
        ({"Priority": "select"}, {"Importance": "High"}, "items"),
        ({"Priority": "select"}, {"Course": "CS 102"}, "items"),
        ({"due": "date"}, {}, "columns"),
        ({"Priority": "select", "priority": "text"}, {}, "columns"),
        ({"Hours": "number"}, {"Hours": "many"}, "items"),
    ],
)
def test_a_column_that_is_not_there_or_there_twice_is_refused_before_there_is_a_card(
    maya: ToolCalls, wish: dict[str, Any], columns: dict[str, str], more: dict[str, str], field: str
) -> None:
    wish |= {"columns": columns, "items": [{"name": "HW 6", "course": "CS 101", "more": more}]}

    with pytest.raises(BadArguments) as caught:
        maya.preview(TOOL, wish)

    assert caught.value.field == field


def test_the_result_of_a_long_tracker_is_three_lines_at_most(maya: ToolCalls, wish: dict[str, Any]) -> None:
    wish["items"] = [{"name": f"Assignment number {n}"} for n in range(34)]

    result = maya.run(TOOL, wish, operation_id="op")

    assert "with 34 of 34 entries" in result.output
    assert "Assignment number" not in result.output
    assert len(result.output.splitlines()) == 2
    assert len(entries(maya)) == 34


def test_every_link_of_a_new_tracker_opens(campus: CampusServer, maya: ToolCalls, wish: dict[str, Any]) -> None:
    result = maya.run(TOOL, wish, operation_id="op")

    assert len(result.sources) == 4
    assert {campus.http.get(source.url).status_code for source in result.sources} == {200}


def test_without_a_place_it_goes_under_the_page_that_holds_most(maya: ToolCalls, term: dict[str, Any]) -> None:
    rows = {row.label: row.value for row in maya.preview(TOOL, {})}

    assert rows["Where"] == "under the page “Fall semester” (chosen by Homeroom, because no place was named)"


def test_a_tracker_cannot_stand_in_a_database(maya: ToolCalls, database: dict[str, Any]) -> None:
    with pytest.raises(RequestRefused, match="only stand under a page"):
        maya.preview(TOOL, {"parent": database["id"]})


@pytest.mark.parametrize("bad", [{"due": "soon"}, {"link": "javascript:alert(1)"}, {"course": "a,b"}])
def test_what_notion_would_not_take_is_refused_before_there_is_a_card(maya: ToolCalls, bad: dict[str, str]) -> None:
    with pytest.raises(BadArguments):
        maya.preview(TOOL, {"items": [{"name": "x", **bad}]})


@pytest.mark.parametrize("path", ["/v1/databases", "/v1/pages"])
@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
def test_a_lost_answer_leads_to_one_tracker_with_each_entry_once(
    campus: CampusServer, maya: ToolCalls, wish: dict[str, Any], path: str, fault: str
) -> None:
    campus.fault(service="notion", method="POST", path=path, fault=fault)

    result = maya.run(TOOL, wish, operation_id="op")

    assert len(trackers(maya)) == 1
    assert len(entries(maya)) == 3
    maya.undo(TOOL, result)
    assert trackers(maya) == []


@pytest.mark.parametrize("status", [500, 502, 504])
def test_a_server_error_without_a_trace_is_called_unknown_and_not_repeated(
    campus: CampusServer, hasty: ToolCalls, wish: dict[str, Any], status: int
) -> None:
    campus.fault(service="notion", method="POST", path="/v1/databases", fault="status", status=status)

    with pytest.raises(OutcomeUnknown, match="did not confirm that the tracker was created"):
        hasty.run(TOOL, wish, operation_id="op")

    assert trackers(hasty) == []


def test_entries_that_cannot_be_added_are_told_and_the_tracker_stays(
    campus: CampusServer, maya: ToolCalls, wish: dict[str, Any]
) -> None:
    slow = {"status": 429, "headers": {"Retry-After": "90"}}
    campus.fault(service="notion", method="POST", path="/v1/pages", fault="status", skip=1, times=0, **slow)

    result = maya.run(TOOL, wish, operation_id="op")

    campus.clear_faults()
    first, note, *_ = result.output.splitlines()
    assert first == "Created the tracker “My tracker” under the page “Fall semester” with 1 of 3 entries (Notion)."
    assert note.startswith("Note: the others were not added. Notion asks us to slow down; try again in 90 seconds.")
    assert len([e for e in writes(campus, "POST") if e["status"] == 200]) == 2


@pytest.mark.parametrize("done", [0, 1, 3])
def test_a_repeat_makes_no_second_tracker_and_no_entry_twice(
    campus: CampusServer, maya: ToolCalls, wish: dict[str, Any], done: int
) -> None:
    """As after a kill: some entries were made, and nobody knows how many."""
    began = datetime.now(UTC)
    maya.run(TOOL, {**wish, "items": ITEMS[:done]}, operation_id="op", began_at=began)

    result = once_settled(maya).run(TOOL, wish, operation_id="op", began_at=began, is_repeat=True)

    assert len(trackers(maya)) == 1
    assert sorted(entry["title"] for entry in entries(maya)) == ["Essay", "HW 6", "Lab report 6"]
    maya.undo(TOOL, result)
    assert trackers(maya) == []


def test_an_undo_whose_answer_is_lost_is_found_to_be_done(
    campus: CampusServer, maya: ToolCalls, wish: dict[str, Any]
) -> None:
    result = maya.run(TOOL, wish, operation_id="op")
    campus.fault(service="notion", method="PATCH", path="*/databases/*", fault="lose_response")

    undone = maya.undo(TOOL, result, operation_id="op", is_undo=True)

    assert (undone.success, trackers(maya)) == (True, [])


def test_undo_may_be_repeated_and_refuses_when_something_was_entered_since(
    maya: ToolCalls, wish: dict[str, Any]
) -> None:
    result = maya.run(TOOL, wish, operation_id="op")
    own = {"database": "My tracker", "entries": [{"name": "My own"}]}
    added = maya.run("notion_add_entries", own, operation_id="other")

    with pytest.raises(ChangedElsewhere):
        maya.undo(TOOL, result)
    maya.undo("notion_add_entries", added)
    maya.undo(TOOL, result)

    assert maya.undo(TOOL, result).output == "The tracker is in Notion's trash."


def test_a_tracker_in_spanish_is_made_once_understood_again_and_taken_back(
    maya: ToolCalls, wish: dict[str, Any]
) -> None:
    wish["items"] = [*ITEMS, {"name": "Quiz 5", "status": "Done"}]
    with locale_scope("es-MX"):
        rows = maya.preview(TOOL, wish)
        facts: dict[str, Any] = {"operation_id": "op", "approved_rows": rows, "began_at": datetime.now(UTC)}
        result = maya.run(TOOL, wish, **facts)
        again = maya.run(TOOL, wish, **facts, is_repeat=True)
    shown = {row.label: row.value for row in rows}
    still_open = maya.run("notion_query_database", {"database": "My tracker", "status": "open"}).data["entries"]
    by_due = maya.run("notion_query_database", {"database": "My tracker", "due_until": "2026-12-02"}).data["entries"]

    assert shown["Columns"] == "Nombre, Curso, Vence, Estado, Enlace"
    assert shown["Entrada 2"].splitlines()[-1] == "Estado: En curso"
    assert (
        [found["id"] for found in trackers(maya)] == [result.data["database"]["id"]] == [again.data["database"]["id"]]
    )
    assert len(entries(maya)) == len(wish["items"])
    assert sorted(entry["title"] for entry in still_open) == ["Essay", "HW 6", "Lab report 6"]
    assert [entry["title"] for entry in by_due] == ["Lab report 6"]
    with locale_scope("es-MX"):
        maya.undo(TOOL, again)
    assert trackers(maya) == []
