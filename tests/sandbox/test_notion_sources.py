"""Databases, data sources and search of the campus's Notion: schemas, filters, sorts, pages."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from notion_client import Client
from notion_client.helpers import collect_paginated_api

from sandbox.campus import TIMEZONE
from tests.campus_server import CampusServer
from tests.sandbox.notion_clients import find, notion, refusal, text, title_of


@pytest.fixture
def client(campus: CampusServer) -> Iterator[Client]:
    """Maya's client."""
    with notion(campus) as service:
        yield service


@pytest.fixture
def tracker(client: Client) -> str:
    """The id of the assignment tracker's data source."""
    return str(find(client, "Assignment tracker", "data_source")["id"])


def rows(client: Client, source: str, **wish: Any) -> list[dict[str, Any]]:
    """Every row that a query finds."""
    return collect_paginated_api(client.data_sources.query, data_source_id=source, **wish)


def names(client: Client, source: str, **wish: Any) -> list[str]:
    """The titles of the rows that a query finds."""
    return [title_of(row) for row in rows(client, source, **wish)]


def where(name: str, kind: str, **condition: Any) -> dict[str, Any]:
    """A filter on one property."""
    return {"property": name, kind: condition}


def test_a_database_leads_to_its_data_source_and_back(client: Client, tracker: str) -> None:
    source: Any = client.data_sources.retrieve(tracker)
    database: Any = client.databases.retrieve(source["parent"]["database_id"])

    assert database["data_sources"] == [{"id": tracker, "name": "Assignment tracker"}]
    assert source["database_parent"] == database["parent"]
    assert source["properties"]["Due"]["type"] == "date"
    statuses = [option["name"] for option in source["properties"]["Status"]["status"]["options"]]
    assert statuses == ["Not started", "In progress", "Done"]


def test_a_data_source_is_no_database(client: Client, tracker: str) -> None:
    assert refusal(client.databases.retrieve, tracker)[:2] == (404, "object_not_found")


def test_rows_are_pages_with_every_property(client: Client, tracker: str) -> None:
    (row,) = rows(client, tracker, filter=where("Name", "title", equals="Problem Set 8: Cell cycle and mitosis"))
    properties = row["properties"]

    assert row["parent"]["data_source_id"] == tracker
    assert properties["Course"]["select"]["name"] == "BIOL 201"
    assert properties["Weight"]["number"] == 0.03
    assert properties["Tags"]["multi_select"][0]["name"] == "paper"
    assert properties["Submitted"]["checkbox"] is False
    assert properties["Link"]["url"] is None
    assert properties["Notes"]["rich_text"] == []


@pytest.mark.parametrize(
    ("wish", "count"),
    [
        (where("Course", "select", equals="BIOL 201"), 7),
        (where("Course", "select", does_not_equal="BIOL 201"), 25),
        (where("Status", "status", equals="Done"), 7),
        (where("Name", "title", contains="quiz"), 4),
        (where("Name", "title", starts_with="lab "), 6),
        (where("Hours", "number", greater_than=10), 5),
        (where("Submitted", "checkbox", equals=True), 7),
        (where("Tags", "multi_select", contains="exam"), 2),
        (where("Due", "date", is_not_empty=True), 32),
        (where("Notes", "rich_text", is_empty=True), 32),
        (where("Due", "date", before="today"), 11),
        (where("Due", "date", next_week={}), 12),
        ({"and": [where("Course", "select", equals="CS 101"), where("Status", "status", equals="Done")]}, 3),
        ({"or": [where("Course", "select", equals="CS 101"), where("Course", "select", equals="WRIT 110")]}, 13),
        ({"timestamp": "created_time", "created_time": {"before": "tomorrow"}}, 32),
    ],
)
def test_filters_keep_the_rows_that_fit(client: Client, tracker: str, wish: dict[str, Any], count: int) -> None:
    assert len(rows(client, tracker, filter=wish)) == count


def test_sorts_order_by_several_properties(client: Client, tracker: str) -> None:
    wish = [{"property": "Course", "direction": "ascending"}, {"property": "Due", "direction": "descending"}]
    found = rows(client, tracker, sorts=wish)

    courses = [row["properties"]["Course"]["select"]["name"] for row in found]
    biology = [row["properties"]["Due"]["date"]["start"] for row in found[:7]]
    assert courses[:7] == ["BIOL 201"] * 7
    assert biology == sorted(biology, reverse=True)


def test_a_query_is_paged_by_cursor(client: Client, tracker: str) -> None:
    first: Any = client.data_sources.query(tracker, page_size=20)
    second: Any = client.data_sources.query(tracker, page_size=20, start_cursor=first["next_cursor"])

    assert (len(first["results"]), first["has_more"]) == (20, True)
    assert (len(second["results"]), second["has_more"]) == (12, False)
    assert not {row["id"] for row in first["results"]} & {row["id"] for row in second["results"]}


@pytest.mark.parametrize(
    "wish",
    [
        {"filter": where("Nothing", "select", equals="x")},
        {"filter": where("Course", "status", equals="x")},
        {"filter": where("Course", "select", contains="x")},
        {"filter": where("Due", "date", equals="yesterdayish")},
        {"filter": {"and": "x"}},
        {"sorts": [{"property": "Nothing", "direction": "ascending"}]},
        {"sorts": [{"property": "Due", "direction": "up"}]},
        {"page_size": 101},
        {"start_cursor": "00000000-0000-4000-8000-000000000000"},
        {"filter": where("Due", "date", this_week={}) | {"also": 1}},
    ],
)
def test_a_bad_query_is_refused(client: Client, tracker: str, wish: dict[str, Any]) -> None:
    assert refusal(client.data_sources.query, tracker, **wish)[:2] == (400, "validation_error")


def test_a_row_is_created_with_typed_properties_and_new_options(
    campus: CampusServer, client: Client, tracker: str
) -> None:
    properties = {
        "Name": {"title": text("Poster")},
        "Course": {"select": {"name": "ART 100"}},
        "Status": {"status": {"name": "In progress"}},
        "Due": {"date": {"start": "2031-03-04T09:00:00-06:00"}},
        "Weight": {"number": 0.1},
        "Tags": {"multi_select": [{"name": "long"}, {"name": "colour"}]},
        "Submitted": {"checkbox": True},
        "Link": {"url": "https://x.example/poster"},
    }
    row: Any = client.pages.create(parent={"data_source_id": tracker}, properties=properties)

    assert names(client, tracker, filter=where("Course", "select", equals="ART 100")) == ["Poster"]
    assert row["properties"]["Due"]["date"]["start"] == "2031-03-04T09:00:00-06:00"
    assert [option["name"] for option in row["properties"]["Tags"]["multi_select"]] == ["long", "colour"]
    assert title_of(row) == "Poster"


def test_a_row_can_be_changed_property_by_property(client: Client, tracker: str) -> None:
    (row,) = rows(client, tracker, filter=where("Name", "title", equals="Quiz 5: recursion"))

    changed: Any = client.pages.update(
        row["id"], properties={"Status": {"status": {"name": "Done"}}, "Due": {"date": None}}
    )

    assert changed["properties"]["Status"]["status"]["name"] == "Done"
    assert changed["properties"]["Due"]["date"] is None
    assert changed["properties"]["Course"]["select"]["name"] == "CS 101"


@pytest.mark.parametrize(
    "properties",
    [
        {"Nothing": {"number": 1}},
        {"Weight": {"rich_text": []}},
        {"Weight": {"number": "ten"}},
        {"Status": {"status": {"name": "Nearly"}}},
        {"Due": {"date": {"start": "soon"}}},
        {"Course": {"select": {"name": "A, B"}}},
        {"Weight": {"number": 1, "checkbox": True}},
    ],
)
def test_a_row_with_a_bad_property_is_refused(client: Client, tracker: str, properties: dict[str, Any]) -> None:
    assert refusal(client.pages.create, parent={"data_source_id": tracker}, properties=properties)[:2] == (
        400,
        "validation_error",
    )


def test_due_dates_lie_around_today(client: Client, tracker: str) -> None:
    (row,) = rows(client, tracker, filter=where("Name", "title", equals="WeBWorK 12: Ratio and root tests"))
    due = row["properties"]["Due"]["date"]["start"]

    upcoming = where("Due", "date", on_or_after="tomorrow")
    assert "WeBWorK 12: Ratio and root tests" in names(client, tracker, filter=upcoming)
    assert due == str(datetime.now(TIMEZONE).date() + timedelta(days=1))


def test_search_finds_by_title_newest_first(client: Client) -> None:
    found: Any = client.search(query="cell")
    titles = [title_of(item) for item in found["results"]]

    assert {"BIOL 201 Cell Biology", "Lecture 19: Cell cycle and mitosis"} <= set(titles)
    edited = [item["last_edited_time"] for item in found["results"]]
    assert edited == sorted(edited, reverse=True)


def test_search_is_paged_past_a_hundred(client: Client) -> None:
    first: Any = client.search()
    everything = collect_paginated_api(client.search)

    assert (len(first["results"]), first["has_more"]) == (100, True)
    assert len({item["id"] for item in everything}) == len(everything) == 105


def test_search_can_be_held_to_data_sources_and_turned_around(client: Client) -> None:
    sort = {"timestamp": "last_edited_time", "direction": "ascending"}
    found: Any = client.search(filter={"property": "object", "value": "data_source"}, sort=sort)

    assert {title_of(item) for item in found["results"]} == {"Assignment tracker", "Reading list"}


def test_search_does_not_show_the_trash(client: Client) -> None:
    page = find(client, "BIOL 201 Cell Biology")
    client.pages.update(page["id"], in_trash=True)

    found: Any = client.search(query="cell")
    assert {title_of(item) for item in found["results"]} == {
        "Problem Set 8: Cell cycle and mitosis",
        "Lab Report 5: Counting cells",
        "Molecular Biology of the Cell, ch. 17",
    }


@pytest.mark.parametrize(
    "wish",
    [
        {"filter": {"property": "object", "value": "database"}},
        {"filter": {"value": "page"}},
        {"sort": {"timestamp": "created_time", "direction": "ascending"}},
        {"sort": {"timestamp": "last_edited_time", "direction": "newest"}},
        {"page_size": 0},
        {"start_cursor": "nonsense"},
    ],
)
def test_a_bad_search_is_refused(client: Client, wish: dict[str, Any]) -> None:
    assert refusal(client.search, **wish)[:2] == (400, "validation_error")


def test_users_are_the_owner_and_the_bot(client: Client) -> None:
    everyone: Any = client.users.list()
    owner = everyone["results"][0]

    assert [user["type"] for user in everyone["results"]] == ["person", "bot"]
    again: Any = client.users.retrieve(owner["id"])
    assert again["person"] == {"email": "maya.chen@campus.example", "email_verified": True}
