"""Making and changing databases in the campus's Notion, as strictly as the real one."""

from collections.abc import Iterator
from typing import Any

import pytest
from notion_client import Client

from tests.campus_server import CampusServer
from tests.sandbox.notion_clients import find, notion, refusal, text, title_of

COLUMNS: dict[str, Any] = {
    "Name": {"title": {}},
    "Kind": {"select": {"options": [{"name": "Lab", "color": "blue"}]}},
    "When": {"date": {}},
    "Pages": {"number": {"format": "number"}},
}


@pytest.fixture
def client(campus: CampusServer) -> Iterator[Client]:
    with notion(campus) as service:
        yield service


def make(client: Client, columns: dict[str, Any] = COLUMNS, **more: Any) -> Any:
    parent = {"type": "page_id", "page_id": find(client, "Fall semester")["id"]}
    body = {"parent": parent, "title": text("Readings"), "initial_data_source": {"properties": columns}, **more}
    return client.databases.create(**body)


def test_a_new_database_has_one_data_source_with_its_columns(client: Client) -> None:
    made = make(client)

    (source,) = made["data_sources"]
    found: Any = client.data_sources.retrieve(source["id"])
    assert made["object"] == "database"
    assert title_of(found) == source["name"] == "Readings"
    assert {name: prop["type"] for name, prop in found["properties"].items()} == {
        "Name": "title",
        "Kind": "select",
        "When": "date",
        "Pages": "number",
    }
    assert found["properties"]["Kind"]["select"]["options"][0]["color"] == "blue"


def test_entries_can_be_put_into_it_and_found(client: Client) -> None:
    source = make(client)["data_sources"][0]["id"]
    properties = {"Name": {"title": text("One")}, "Kind": {"select": {"name": "Essay"}}}
    client.pages.create(parent={"data_source_id": source}, properties=properties)

    found: Any = client.data_sources.query(source)

    assert [title_of(row) for row in found["results"]] == ["One"]
    assert find(client, "Readings", "data_source")["id"] == source


def test_it_is_a_block_of_the_page_it_stands_in(client: Client) -> None:
    made = make(client)

    blocks: Any = client.blocks.children.list(made["parent"]["page_id"])

    (block,) = [block for block in blocks["results"] if block["id"] == made["id"]]
    assert block["child_database"] == {"title": "Readings"}


def test_the_trash_takes_it_with_its_entries_and_gives_it_back(client: Client) -> None:
    made = make(client)
    source = made["data_sources"][0]["id"]
    client.pages.create(parent={"data_source_id": source}, properties={"Name": {"title": text("Entry of mine")}})

    def is_found() -> bool:
        found: Any = client.search(query="Entry of mine")
        return bool(found["results"])

    client.databases.update(made["id"], in_trash=True)
    assert not is_found()
    assert refusal(client.databases.update, made["id"], title=text("x"))[1] == "validation_error"
    client.databases.update(made["id"], in_trash=False, title=text("Books"))
    assert is_found()
    assert title_of(client.data_sources.retrieve(source)) == "Books"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"Kind": {"select": {}}},
        {"A": {"title": {}}, "B": {"title": {}}},
        {"A": {"title": {}}, "Status": {"status": {}}},
        {"A": {"title": {}}, "B": {"select": {}, "date": {}}},
        {"A": {"title": {}}, "B": {"select": {"options": [{"name": "x" * 101}]}}},
        {"A": {"title": {}}, "B": {"select": {"options": [{"name": str(n)} for n in range(101)]}}},
    ],
)
def test_columns_that_notion_does_not_take_are_refused(client: Client, columns: dict[str, Any]) -> None:
    assert refusal(make, client, columns)[:2] == (400, "validation_error")


def test_a_parent_that_is_not_shared_is_not_found(client: Client) -> None:
    parent = {"type": "page_id", "page_id": "11111111-2222-4333-8444-555555555555"}

    assert refusal(make, client, parent=parent)[:2] == (404, "object_not_found")
