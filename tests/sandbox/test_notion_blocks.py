"""Blocks of the campus's Notion: reading a page block by block, appending, deleting."""

from collections.abc import Iterator
from typing import Any

import pytest
from notion_client import Client
from notion_client.helpers import collect_paginated_api

from sandbox.notion.markdown import normalized
from tests.campus_server import CampusServer
from tests.sandbox.notion_clients import find, notion, refusal, text

CONTENT = """# Title
A **bold** [link](https://x.example)
- one
\t- two
\t\t- three
- four
---
> said
- [ ] open
$$
x^2
$$"""
TABLE = '<table header-row="true">\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</table>'


@pytest.fixture
def client(campus: CampusServer) -> Iterator[Client]:
    """Maya's client."""
    with notion(campus) as service:
        yield service


@pytest.fixture
def page(client: Client) -> str:
    """The id of a page with one block of each kind."""
    properties = {"title": {"title": text("Blocks")}}
    answer: Any = client.pages.create(parent={"workspace": True}, properties=properties, markdown=CONTENT)
    return str(answer["id"])


def children(client: Client, block_id: str) -> list[dict[str, Any]]:
    """Every block directly below."""
    return collect_paginated_api(client.blocks.children.list, block_id=block_id)


def words(block: dict[str, Any]) -> str:
    """A block's plain text."""
    return "".join(run["plain_text"] for run in block[block["type"]]["rich_text"])


def test_a_page_is_a_list_of_typed_blocks(client: Client, page: str) -> None:
    blocks = children(client, page)

    assert [block["type"] for block in blocks] == [
        *("heading_1", "paragraph", "bulleted_list_item", "bulleted_list_item"),
        *("divider", "quote", "to_do", "equation"),
    ]
    assert all(block["parent"] == {"type": "page_id", "page_id": page} for block in blocks)
    assert len({block["id"] for block in blocks}) == 8


def test_rich_text_carries_style_and_links(client: Client, page: str) -> None:
    runs = children(client, page)[1]["paragraph"]["rich_text"]

    assert [run["plain_text"] for run in runs] == ["A ", "bold", " ", "link"]
    assert runs[1]["annotations"]["bold"] is True
    assert runs[3]["href"] == "https://x.example"


def test_nested_blocks_are_read_level_by_level(client: Client, page: str) -> None:
    outer = children(client, page)[2]
    (middle,) = children(client, outer["id"])
    (inner,) = children(client, middle["id"])

    assert [words(block) for block in (outer, middle, inner)] == ["one", "two", "three"]
    assert [block["has_children"] for block in (outer, middle, inner)] == [True, True, False]
    assert middle["parent"] == {"type": "block_id", "block_id": outer["id"]}
    again: Any = client.blocks.retrieve(middle["id"])
    assert words(again) == "two"


def test_a_tables_rows_are_its_children(client: Client) -> None:
    note = find(client, "Which convergence test?")
    (table,) = [block for block in children(client, note["id"]) if block["type"] == "table"]

    rows = children(client, table["id"])

    assert table["table"]["table_width"] == 3
    assert [row["table_row"]["cells"][0][0]["plain_text"] for row in rows] == [
        "Series",
        "Σ 1/(n ln n)",
        "Σ n!/nⁿ",
        "Σ (−1)ⁿ/√n",
    ]


def test_child_pages_and_databases_are_blocks_with_their_own_ids(client: Client) -> None:
    fall = find(client, "Fall semester")
    blocks = children(client, fall["id"])

    titles = {block["type"]: block[block["type"]]["title"] for block in blocks if block["type"].startswith("child")}
    assert titles == {"child_page": "WRIT 110 College Writing", "child_database": "Reading list"}
    course = find(client, "WRIT 110 College Writing")
    assert course["id"] in {block["id"] for block in blocks}


def test_children_are_paged(client: Client, page: str) -> None:
    first: Any = client.blocks.children.list(page, page_size=3)
    second: Any = client.blocks.children.list(page, page_size=100, start_cursor=first["next_cursor"])

    assert (len(first["results"]), first["has_more"]) == (3, True)
    assert (len(second["results"]), second["has_more"], second["next_cursor"]) == (5, False, None)


def test_appended_blocks_come_back_and_change_the_markdown(client: Client, page: str) -> None:
    below = {"paragraph": {"rich_text": text("below")}}
    item = {"rich_text": text("new"), "children": [below]}
    wish = [{"type": "bulleted_list_item", "bulleted_list_item": item}]

    answer: Any = client.blocks.children.append(page, children=wish)
    content: Any = client.pages.retrieve_markdown(page)

    assert [words(block) for block in answer["results"]] == ["new"]
    assert content["markdown"] == f"{CONTENT}\n- new\n\tbelow"


def test_blocks_can_be_appended_after_another_or_below_one(client: Client, page: str) -> None:
    blocks = children(client, page)
    client.blocks.children.append(page, children=[{"paragraph": {"rich_text": text("x")}}], after=blocks[0]["id"])
    assert [block["type"] for block in children(client, page)][:3] == ["heading_1", "paragraph", "paragraph"]

    four = children(client, page)[4]
    client.blocks.children.append(four["id"], children=[{"quote": {"rich_text": text("y")}}])
    assert [words(block) for block in children(client, four["id"])] == ["y"]


def test_what_cannot_have_children_takes_none(client: Client, page: str) -> None:
    divider = children(client, page)[4]
    wish = [{"paragraph": {"rich_text": text("x")}}]

    assert refusal(client.blocks.children.append, divider["id"], children=wish)[:2] == (400, "validation_error")


def test_a_deleted_block_is_gone_and_a_deleted_page_is_in_the_trash(client: Client, page: str) -> None:
    client.blocks.delete(children(client, page)[0]["id"])
    assert children(client, page)[0]["type"] == "paragraph"

    gone: Any = client.blocks.delete(page)
    assert (gone["type"], gone["in_trash"]) == ("child_page", True)


def test_a_block_keeps_its_id_whatever_happens_around_it(client: Client, page: str) -> None:
    before = children(client, page)
    inner = children(client, before[2]["id"])[0]["id"]
    client.blocks.delete(before[0]["id"])
    client.blocks.children.append(page, children=[{"paragraph": {"rich_text": text("new")}}], after=before[4]["id"])
    edit: Any = {"content_updates": [{"old_str": "- four", "new_str": "- five"}]}
    client.pages.update_markdown(page, type="update_content", update_content=edit)

    now = {block["id"]: block["type"] for block in children(client, page)}
    kept = [block for block in before if block["id"] in now]
    assert [block["type"] for block in before if block not in kept] == ["heading_1", "bulleted_list_item"]
    assert all(now[block["id"]] == block["type"] for block in kept)
    assert children(client, before[2]["id"])[0]["id"] == inner
    assert refusal(client.blocks.retrieve, before[0]["id"])[:2] == (404, "object_not_found")


def test_of_two_equal_blocks_the_one_that_was_not_deleted_stays(client: Client) -> None:
    properties = {"title": {"title": text("Twins")}}
    made: Any = client.pages.create(parent={"workspace": True}, properties=properties, markdown="same\nsame")
    first, second = (block["id"] for block in children(client, made["id"]))

    client.blocks.delete(first)

    assert [block["id"] for block in children(client, made["id"])] == [second]


def test_an_unknown_block_is_not_found(client: Client, page: str) -> None:
    for block_id in (page[:-4] + "0000", "00000000-0000-4000-8000-000000000000"):
        assert refusal(client.blocks.children.list, block_id)[:2] == (404, "object_not_found")


def test_normalized_content_stays_as_it_is() -> None:
    assert normalized(CONTENT) == CONTENT


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("a\n\n\nb", "a\nb"),
        ("+ a\n    + b", "- a\n\t- b"),
        ("###### deep", "#### deep"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", TABLE),
        ("```\nx\n\n  y\n```", "```plain text\nx\n\n  y\n```"),
        ("```python\nnever closed", "```python\nnever closed\n```"),
        ("3. x\n7. y\n\nz\n1. w", "1. x\n2. y\nz\n1. w"),
        ("***", "---"),
        ("", ""),
    ],
)
def test_markdown_is_stored_in_notions_form(written: str, stored: str) -> None:
    assert normalized(written) == stored
    assert normalized(stored) == stored
