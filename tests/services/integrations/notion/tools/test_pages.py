import re
from typing import Any

import pytest

from services.errors import BadArguments, ItemNotFound, NameUnknown, ServiceUnavailable
from services.integrations.base import Integration
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, grant_of, search
from tests.tool_calls import ToolCalls


def make(calls: ToolCalls, term: dict[str, Any], title: str, markdown: str = "") -> str:
    properties = {"title": {"title": [{"text": {"content": title}}]}}
    return str(client_of(calls).create(parent={"page_id": term["id"]}, properties=properties, markdown=markdown)["id"])


def test_search_gives_title_kind_time_link_and_id_and_says_when_it_looked(
    maya: ToolCalls, notes: dict[str, Any]
) -> None:
    result = maya.run("notion_search", {"query": "my notes"})

    first, item = result.output.splitlines()
    assert re.fullmatch(r"1 page or database with “my notes” in the title \(Notion, as of \d\d?:\d\d [AP]M\)\.", first)
    assert re.fullmatch(
        rf"- \*\*My notes\*\* — page in “Fall semester” — last edited \w+ \d+ \w+ 20\d\d, \d+:\d\d [AP]M C[SD]T — "
        rf"\[open\]\(http.+\) \(id: {notes['id']}\)",
        item,
    )
    assert [source.title for source in result.sources] == ["My notes"]


def test_search_says_what_each_hit_stands_in_and_opens_no_page_for_it_twice(
    campus: CampusServer, maya: ToolCalls
) -> None:
    result = maya.run("notion_search", {"query": "lab", "limit": 50})
    asked = [entry["path"] for entry in campus.log(service="notion", method="GET")]

    parents = {hit["title"]: hit["parent"] for hit in result.data["results"]}
    assert parents["Lab 9: Recursion (draw a tree)"] == "Assignment tracker"
    assert parents["Lab 6: Onion root tips"] == "BIOL 201 Cell Biology"
    assert len(asked) == len(set(asked)) <= 5


def test_search_names_nothing_that_is_not_shared(campus: CampusServer, maya: ToolCalls) -> None:
    """The course page is not shared any more, the lecture below it is shared by itself."""
    lecture = next(page for page in search(maya) if page["title"].startswith("Lecture 19"))
    campus.fault(service="notion", method="GET", path="/v1/pages/*", fault="status", status=404, times=0)

    (found,) = maya.run("notion_search", {"query": lecture["title"]}).data["results"]

    assert (found["title"], found["parent"]) == (lecture["title"], None)


def test_search_without_words_gives_what_was_edited_last_databases_too(maya: ToolCalls) -> None:
    found = search(maya)

    assert [page["last_edited"] for page in found] == sorted((page["last_edited"] for page in found), reverse=True)
    assert {page["kind"] for page in found} == {"page", "database"}


def test_search_that_finds_nothing_says_what_may_be_the_reason(maya: ToolCalls) -> None:
    output = maya.run("notion_search", {"query": "no such words anywhere"}).output

    assert output.startswith("No results with “no such words anywhere” in the title")
    assert output.splitlines()[-1].startswith("Note: only pages that the student shared")


@pytest.mark.parametrize("reference", ["{id}", "{url}", "my notes", "  My Notes  "])
def test_a_page_is_read_by_id_address_or_title(maya: ToolCalls, notes: dict[str, Any], reference: str) -> None:
    result = maya.run("notion_read_page", {"page": reference.format(**notes)})

    assert result.output.startswith("The page “My notes” (Notion, as of ")
    assert result.output.endswith("\n\nFirst line\n- a point")
    assert result.data["markdown"] == "First line\n- a point"


def test_words_that_fit_several_pages_ask_for_the_id(maya: ToolCalls, term: dict[str, Any]) -> None:
    make(maya, term, "Zebra one")
    make(maya, term, "Zebra two")

    with pytest.raises(BadArguments, match=r"^page: 2 fit “[^”]*”: “Zebra two”") as caught:
        maya.run("notion_read_page", {"page": "zebra"})

    assert caught.value.field == "page"


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("no such title anywhere", "none is called “no such title anywhere”. Only what is shared"),
        ("11111111-2222-4333-8444-555555555555", "not shared with Homeroom"),
    ],
)
def test_a_page_that_is_not_shared_says_how_to_share_it(maya: ToolCalls, reference: str, told: str) -> None:
    with pytest.raises((ItemNotFound, NameUnknown), match=told) as caught:
        maya.run("notion_read_page", {"page": reference})

    assert "•••" in caught.value.next_step


@pytest.mark.parametrize("tool", ["notion_append_to_page", "notion_replace_content"])
def test_a_wrong_title_is_answered_with_the_closest_ones(maya: ToolCalls, term: dict[str, Any], tool: str) -> None:
    make(maya, term, "Zebra migration essay")

    with pytest.raises(NameUnknown) as caught:
        maya.preview(tool, {"page": "essay on zebras", "content": "x"})

    assert "page: none is called “essay on zebras”. The closest: “Zebra migration essay” (id " in str(caught.value)
    assert "•••" not in caught.value.next_step
    assert "Zebra migration essay" in caught.value.said


def test_a_page_that_is_un_shared_says_how_to_share_it(
    campus: CampusServer, maya: ToolCalls, notes: dict[str, Any]
) -> None:
    campus.fault(
        service="notion",
        path="/v1/*/*",
        fault="status",
        status=404,
        times=0,
        body={"object": "error", "status": 404, "code": "object_not_found", "message": "Could not find"},
    )

    with pytest.raises(ItemNotFound, match="not shared with Homeroom"):
        maya.run("notion_read_page", {"page": notes["id"]})


def test_a_database_is_read_as_its_entries_with_their_properties(maya: ToolCalls, database: dict[str, Any]) -> None:
    result = maya.run("notion_read_page", {"page": database["id"]})

    assert result.output.startswith(f"The database “{database['title']}”")
    assert len(result.data["entries"]) > 3
    assert any(entry["properties"] for entry in result.data["entries"])
    assert all(f"(id: {entry['id']})" in result.output for entry in result.data["entries"])


def test_a_databases_own_address_leads_to_its_entries(maya: ToolCalls, database: dict[str, Any]) -> None:
    result = maya.run("notion_read_page", {"page": database["url"]})

    assert result.data["id"] == database["id"]


def test_a_very_long_page_is_read_part_by_part_and_nothing_is_lost(maya: ToolCalls, term: dict[str, Any]) -> None:
    whole = "\n".join(f"Line {n} of a very long page" for n in range(1500))
    id, start, parts = make(maya, term, "Long", whole), 0, []

    while start is not None:
        result = maya.run("notion_read_page", {"page": id, "start": start})
        parts.append(result.data["markdown"])
        assert len(result.output) < 17_000
        (note,) = [text for text in result.output.splitlines() if text.startswith("Note:")]
        more = re.search(r"here are the characters [\d,]+ to [\d,]+ of its [\d,]+\. Go on with start=(\d+)\.$", note)
        start = int(more[1]) if more else None

    assert len(parts) > 2
    assert "".join(parts) == whole
    assert "This is the end of it." in note


def test_a_start_behind_the_end_is_refused(maya: ToolCalls, notes: dict[str, Any]) -> None:
    with pytest.raises(BadArguments, match="has only 20 characters"):
        maya.run("notion_read_page", {"page": notes["id"], "start": 500})


def test_pages_and_databases_inside_a_page_are_lines_with_links_and_sources(
    maya: ToolCalls, term: dict[str, Any]
) -> None:
    result = maya.run("notion_read_page", {"page": term["id"]})

    inside = re.findall(
        r"^- \[(.+)\]\((http\S+)\) \(a (page|database) inside this page\)$", result.output, re.MULTILINE
    )
    assert {kind for _, _, kind in inside} == {"page", "database"}
    assert {(source.title, source.url) for source in result.sources} >= {(title, url) for title, url, _ in inside}
    assert "<page" not in result.output


def test_what_stands_under_a_page_is_listed(maya: ToolCalls, term: dict[str, Any]) -> None:
    listed = maya.run("notion_list_pages", {"under": term["id"]})
    only = maya.run("notion_list_pages", {"under": term["title"], "kind": "databases"}).data["results"]

    kinds = {page["kind"] for page in listed.data["results"]}
    assert kinds == {"page", "database"}
    assert {page["kind"] for page in only} == {"database"}
    assert f"under “{term['title']}” (Notion, as of " in listed.output.splitlines()[0]


def test_the_top_of_what_is_shared_holds_no_page_that_stands_under_another_one(
    maya: ToolCalls, term: dict[str, Any]
) -> None:
    top = maya.run("notion_list_pages").data["results"]
    under = maya.run("notion_list_pages", {"under": term["id"]}).data["results"]

    assert term["id"] in [page["id"] for page in top]
    assert not {page["id"] for page in top} & {page["id"] for page in under}


def test_parts_that_notion_left_out_are_mentioned(campus: CampusServer, maya: ToolCalls, notes: dict[str, Any]) -> None:
    body = {"object": "page_markdown", "id": notes["id"], "markdown": "x", "truncated": True, "unknown_block_ids": []}
    campus.fault(service="notion", path="*/markdown", fault="status", status=200, body=body)

    assert "Note: Notion left parts of this page out" in maya.run("notion_read_page", {"page": notes["id"]}).output


def test_a_page_whose_text_is_none_is_not_called_a_mistake_of_ours(
    campus: CampusServer, maya: ToolCalls, notes: dict[str, Any]
) -> None:
    body = {"object": "page_markdown", "id": notes["id"], "markdown": None, "truncated": False}
    campus.fault(service="notion", path="*/markdown", fault="status", status=200, body=body, times=0)

    with pytest.raises(ServiceUnavailable):
        maya.run("notion_read_page", {"page": notes["id"]})


def test_an_empty_page_says_so(maya: ToolCalls, term: dict[str, Any]) -> None:
    assert maya.run("notion_read_page", {"page": make(maya, term, "Blank")}).output.endswith("(This page is empty.)")


def test_half_a_database_is_never_shown_as_a_whole_one(
    campus: CampusServer, maya: ToolCalls, database: dict[str, Any]
) -> None:
    campus.fault(service="notion", path="*/query", fault="truncate", times=0)

    with pytest.raises(ServiceUnavailable, match="broke off"):
        maya.run("notion_read_page", {"page": database["id"]})


def test_another_students_pages_stay_theirs(campus: CampusServer, notion: Integration, notes: dict[str, Any]) -> None:
    diego = ToolCalls(integration=notion, grant=grant_of(campus, "diego"))

    assert search(diego, "My notes") == []
    with pytest.raises(ItemNotFound):
        diego.run("notion_read_page", {"page": notes["id"]})


def test_a_page_at_the_top_comes_before_one_that_holds_more(maya: ToolCalls) -> None:
    (course,) = search(maya, "BIOL 201 Cell Biology")
    for number in range(12):
        title = {"title": {"title": [{"text": {"content": f"Thing {number}"}}]}}
        client_of(maya).create(parent={"page_id": course["id"]}, properties=title, markdown="")

    rows = {row.label: row.value for row in maya.preview("notion_create_tracker", {"title": "Groceries"})}
    fitting = {
        row.label: row.value for row in maya.preview("notion_create_tracker", {"title": "BIOL 201 Cell Biology labs"})
    }

    assert rows["Where"] == "under the page “Fall semester” (chosen by Homeroom, because no place was named)"
    assert fitting["Where"].startswith("under the page “BIOL 201 Cell Biology”")
