"""Databases: asked by due date, status, words and columns, to the end or with a note."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.errors import BadArguments, NameUnknown, RequestRefused
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of
from tests.tool_calls import ToolCalls

TRACKER = "Assignment tracker"
CHICAGO = ZoneInfo("America/Chicago")


def titles(calls: ToolCalls, **wish: Any) -> list[str]:
    found = calls.run("notion_query_database", {"database": TRACKER, "limit": 200, **wish}).data["entries"]
    return [entry["title"] for entry in found]


def days(calls: ToolCalls) -> dict[str, str]:
    """Every entry of the tracker with its due date, as Notion itself says it."""
    source = calls.run("notion_query_database", {"database": TRACKER}).data["database"]["id"]
    rows = client_of(calls).rows(source, most=200)
    return {
        row["properties"]["Name"]["title"][0]["plain_text"]: row["properties"]["Due"]["date"]["start"] for row in rows
    }


def test_a_database_says_how_many_entries_it_has_and_what_its_columns_are(maya: ToolCalls) -> None:
    result = maya.run("notion_query_database", {"database": TRACKER})

    lines = result.output.splitlines()
    assert lines[0].startswith("32 entries in the database “Assignment tracker” (Notion, as of ")
    assert lines[-1].startswith("Columns: Name (title); Course (select: ")
    assert "Status (status: Not started, In progress, Done)" in lines[-1]
    assert len(lines) == 34
    assert len(result.sources) == 33


def test_what_is_due_first_comes_first(maya: ToolCalls) -> None:
    due = days(maya)

    found = titles(maya)

    assert [due[title] for title in found] == sorted(due.values())


def test_only_what_is_due_on_these_days_comes_both_ends_included(maya: ToolCalls) -> None:
    due = days(maya)
    first, last = sorted(due.values())[8], sorted(due.values())[14]

    found = titles(maya, due_from=first, due_until=last)

    assert set(found) == {title for title, on in due.items() if first <= on <= last}
    assert {due[title] for title in found} >= {first, last}


def test_the_first_and_the_last_of_all_days_leave_nothing_out(maya: ToolCalls) -> None:
    assert set(titles(maya, due_from="0001-01-01", due_until="9999-12-31")) == set(days(maya))


@pytest.mark.parametrize("hour", [0, 23])
def test_a_day_is_the_students_own_day(maya: ToolCalls, hour: int) -> None:
    """11 PM in Chicago is the next day where Notion counts."""
    on = date(2027, 1, 15)
    at = datetime(2027, 1, 15, hour, 30, tzinfo=CHICAGO).isoformat()
    maya.run(
        "notion_add_entries",
        {"database": TRACKER, "entries": [{"name": "Late", "values": {"Due": at}}]},
        operation_id="op",
    )

    def on_day(day: date) -> list[str]:
        return titles(maya, due_from=day.isoformat(), due_until=day.isoformat())

    assert on_day(on) == ["Late"]
    assert on_day(on - timedelta(days=1)) == on_day(on + timedelta(days=1)) == []


@pytest.mark.parametrize(
    ("status", "kept"),
    [
        ("open", {"Not started", "In progress"}),
        ("done", {"Done"}),
        ("in progress", {"In progress"}),
        ("Not started", {"Not started"}),
    ],
)
def test_a_status_is_the_databases_own_word_or_open_or_done(maya: ToolCalls, status: str, kept: set[str]) -> None:
    found = maya.run("notion_query_database", {"database": TRACKER, "status": status}).data["entries"]

    assert {entry["properties"]["Status"] for entry in found} == kept


def test_conditions_are_joined(maya: ToolCalls) -> None:
    found = maya.run(
        "notion_query_database",
        {"database": TRACKER, "status": "open", "text": "lab", "where": {"course": "cs 101", "Submitted": "no"}},
    ).data["entries"]

    assert {entry["title"] for entry in found} == {
        "Lab 9: Recursion (draw a tree)",
        "Lab 10: Talking to an API",
    }


def test_other_columns_are_asked_by_their_values(maya: ToolCalls) -> None:
    def books(**where: str) -> list[str]:
        found = maya.run("notion_query_database", {"database": "Reading list", "where": where}).data["entries"]
        return [entry["title"] for entry in found]

    assert books(Author="le guin") == ["The Carrier Bag Theory of Fiction", "The Dispossessed"]
    assert books(Pages="8") == ["The Carrier Bag Theory of Fiction"]
    assert "Antigone" in books(Favourite="yes")


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"status": "purple"}, "status"),
        ({"where": {"Colour": "red"}}, "where"),
        ({"where": {"Course": "no such course"}}, "where"),
        ({"where": {"Hours": "many"}}, "where"),
        ({"due_from": "2026-12-02", "due_until": "2026-12-01"}, "due_until"),
    ],
)
def test_what_the_database_does_not_have_is_refused_with_a_next_step(
    maya: ToolCalls, wish: dict[str, Any], field: str
) -> None:
    with pytest.raises(BadArguments) as caught:
        titles(maya, **wish)

    assert caught.value.field == field
    assert caught.value.next_step


def test_a_wrong_word_is_answered_with_the_right_ones(maya: ToolCalls) -> None:
    with pytest.raises(BadArguments, match="The columns: Name, Course, Status"):
        titles(maya, where={"Colour": "red"})
    with pytest.raises(BadArguments, match="The choices: Not started, In progress, Done"):
        titles(maya, status="purple")


def test_a_database_without_a_due_date_says_so(maya: ToolCalls) -> None:
    with pytest.raises(BadArguments, match="no due date"):
        maya.run("notion_query_database", {"database": "Reading list", "due_from": "2026-12-01"})


def test_a_page_is_no_database(maya: ToolCalls, notes: dict[str, Any]) -> None:
    with pytest.raises(RequestRefused, match="a page and not a database"):
        maya.run("notion_query_database", {"database": notes["id"]})
    with pytest.raises(NameUnknown, match=r"none is called “My notes”\. There are: “Assignment tracker”"):
        maya.run("notion_query_database", {"database": notes["title"]})


def test_more_entries_than_asked_for_are_counted_and_said(maya: ToolCalls) -> None:
    result = maya.run("notion_query_database", {"database": TRACKER, "limit": 5})

    assert result.data["total"] == 32
    assert len(result.data["entries"]) == 5
    assert "Note: only the first 5 of 32 are shown; ask for fewer." in result.output


def test_a_list_of_several_pages_is_followed_to_its_end(
    campus: CampusServer, maya: ToolCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.integrations.notion.client.PAGE", 10)

    assert len(titles(maya)) == 32
    assert len([entry for entry in campus.log(service="notion") if entry["path"].endswith("/query")]) == 4


def test_a_very_large_database_says_that_it_was_not_looked_through(
    maya: ToolCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.integrations.notion.tools.database_query.MOST_ROWS", 20)

    output = maya.run("notion_query_database", {"database": TRACKER}).output

    assert "Note: this database is very large; only the first 20 entries were looked through." in output
