"""Pages of the campus's Notion: reading, creating, changing, their Markdown, and what is not shared."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from notion_client import Client

from tests.campus_server import CampusServer
from tests.sandbox.notion_clients import find, notion, refusal, text, title_of


@pytest.fixture
def client(campus: CampusServer) -> Iterator[Client]:
    """Maya's client."""
    with notion(campus) as service:
        yield service


def create(client: Client, parent: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A new page."""
    answer: Any = client.pages.create(parent=parent, **more)
    return dict(answer)


def markdown(client: Client, page_id: str) -> str:
    """A page's Markdown."""
    answer: Any = client.pages.retrieve_markdown(page_id)
    return str(answer["markdown"])


def titled(words: str) -> dict[str, Any]:
    """Properties that give a title."""
    return {"title": {"title": text(words)}}


def test_a_page_comes_with_its_title_parent_icon_and_address(client: Client) -> None:
    page = find(client, "Lecture 19: Cell cycle and mitosis")
    course: Any = client.pages.retrieve(page["parent"]["page_id"])

    assert title_of(course) == "BIOL 201 Cell Biology"
    assert course["icon"] == {"type": "emoji", "emoji": "🧬"}
    assert page["object"] == "page"
    assert page["in_trash"] is False
    assert page["created_time"] < page["last_edited_time"]


def test_notes_read_as_notions_own_markdown(client: Client) -> None:
    content = markdown(client, find(client, "Lecture 19: Cell cycle and mitosis")["id"])

    assert content.startswith("The cycle has two parts")
    assert "## Checkpoint" not in content
    assert '<table header-row="true">\n<tr>\n<td>Checkpoint</td>' in content
    assert "\n\n" not in content


def test_child_pages_and_databases_are_tags_at_the_end(client: Client) -> None:
    content = markdown(client, find(client, "Fall semester")["id"])

    assert '">BIOL 201 Cell Biology</page>' in content
    assert 'data-source-url="collection://' in content
    assert content.splitlines()[-1].endswith(">Reading list</database>")


def test_a_page_made_from_markdown_reads_back_normalized(client: Client) -> None:
    parent = {"page_id": find(client, "Fall semester")["id"]}
    page = create(
        client, parent, properties=titled("Plan"), markdown="## Monday\n\n* read\n  * chapter 9\n\n\n1) write"
    )

    assert title_of(page) == "Plan"
    assert page["parent"] == {"type": "page_id", "page_id": parent["page_id"]}
    assert markdown(client, page["id"]) == "## Monday\n- read\n\t- chapter 9\n1. write"


def test_the_first_heading_becomes_the_title_when_none_is_given(client: Client) -> None:
    page = create(client, {"workspace": True}, markdown="# Ideas\n\nA bus that waits.")

    assert title_of(page) == "Ideas"
    assert page["parent"] == {"type": "workspace", "workspace": True}
    assert markdown(client, page["id"]) == "A bus that waits."


def test_a_page_made_from_blocks_reads_back_as_markdown(client: Client) -> None:
    children = [
        {"heading_2": {"rich_text": text("Plan")}},
        {"to_do": {"rich_text": text("2 * 3 [sic]"), "checked": True}},
        {"code": {"rich_text": text("a\n\nb"), "language": "python"}},
    ]
    page = create(client, {"workspace": True}, properties=titled("Blocks"), children=children)

    assert markdown(client, page["id"]) == "## Plan\n- [x] 2 \\* 3 \\[sic\\]\n```python\na\n\nb\n```"


def test_appending_goes_to_the_end_and_keeps_the_children(client: Client) -> None:
    page = find(client, "BIOL 201 Cell Biology")
    before = markdown(client, page["id"])

    answer: Any = client.pages.update_markdown(
        page["id"], type="insert_content", insert_content={"content": "New **last** line"}
    )

    assert answer["object"] == "page_markdown"
    body, children = before.split("\n<page ", 1)
    assert answer["markdown"] == f"{body}\nNew **last** line\n<page {children}"


def test_content_is_inserted_at_the_start_or_after_a_selection(client: Client) -> None:
    page = create(client, {"workspace": True}, properties=titled("Order"), markdown="one\ntwo\nthree")

    def insert(**place: Any) -> None:
        client.pages.update_markdown(page["id"], type="insert_content", insert_content={"content": "x", **place})

    insert(position={"type": "start"})
    insert(after="one...two")
    assert markdown(client, page["id"]) == "x\none\ntwo\nx\nthree"
    assert refusal(insert, after="nowhere")[:2] == (400, "validation_error")


def test_search_and_replace_needs_one_exact_place(client: Client) -> None:
    page = create(client, {"workspace": True}, properties=titled("Swap"), markdown="cat dog cat")

    def swap(**fields: Any) -> Any:
        return client.pages.update_markdown(
            page["id"], type="update_content", update_content={"content_updates": [fields]}
        )

    assert refusal(swap, old_str="cat", new_str="cow")[:2] == (400, "validation_error")
    assert refusal(swap, old_str="bird", new_str="cow")[:2] == (400, "validation_error")
    assert swap(old_str="dog", new_str="ox")["markdown"] == "cat ox cat"
    assert swap(old_str="cat", new_str="cow", replace_all_matches=True)["markdown"] == "cow ox cow"


def test_replacing_everything_trashes_child_pages_only_when_allowed(client: Client) -> None:
    page = find(client, "BIOL 201 Cell Biology")
    lecture = find(client, "Lecture 19: Cell cycle and mitosis")

    def replace(**fields: Any) -> Any:
        wish = {"new_str": "empty", **fields}
        return client.pages.update_markdown(page["id"], type="replace_content", replace_content=wish)

    status, code, message = refusal(replace)
    assert (status, code) == (400, "validation_error")
    assert "would delete 3 child pages" in message
    assert replace(allow_deleting_content=True)["markdown"] == "empty"
    trashed: Any = client.pages.retrieve(lecture["id"])
    assert trashed["in_trash"] is True


def test_replacing_everything_keeps_children_whose_tags_stay(client: Client) -> None:
    page = find(client, "BIOL 201 Cell Biology")
    tags = [line for line in markdown(client, page["id"]).splitlines() if line.startswith("<page ")]
    wish = {"new_str": "New text\n" + "\n".join(tags)}

    answer: Any = client.pages.update_markdown(page["id"], type="replace_content", replace_content=wish)

    assert answer["markdown"] == "\n".join(["New text", *tags])


def test_what_comes_through_the_api_is_the_integrations_work(client: Client) -> None:
    me: Any = client.users.me()
    page = create(client, {"workspace": True}, properties=titled("Made by a program"))
    note: Any = client.pages.update(find(client, "How I study when it works")["id"], icon={"emoji": "🕯️"})

    assert page["created_by"] == {"object": "user", "id": me["id"]}
    assert note["created_by"]["id"] == me["bot"]["owner"]["user"]["id"]
    assert note["last_edited_by"]["id"] == me["id"]


def test_times_are_cut_to_the_minute(client: Client) -> None:
    page = create(client, {"workspace": True}, properties=titled("Time"), markdown="One line.")
    block: Any = client.blocks.children.list(page["id"])

    for shape in (page, block["results"][0]):
        for name in ("created_time", "last_edited_time"):
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z", shape[name])


def test_an_edit_within_the_minute_shows_in_no_time_but_in_the_order_of_the_search(client: Client) -> None:
    page = create(client, {"workspace": True}, properties=titled("Time"))
    create(client, {"workspace": True}, properties=titled("Later"))
    times = [page["last_edited_time"]]
    for number in range(3):
        wish = {"content": str(number)}
        client.pages.update_markdown(page["id"], type="insert_content", insert_content=wish)
        now: Any = client.pages.retrieve(page["id"])
        times.append(now["last_edited_time"])

    newest: Any = client.search(page_size=1)
    assert times == sorted(times)
    assert len(set(times)) <= 2
    assert newest["results"][0]["id"] == page["id"]
    assert now["created_time"] == page["created_time"]


def test_title_icon_and_trash_can_be_changed_and_undone(client: Client) -> None:
    page = create(client, {"workspace": True}, properties=titled("Draft"))
    named: Any = client.pages.update(page["id"], properties={"title": text("Final")}, icon={"emoji": "🦉"})
    gone: Any = client.pages.update(page["id"], in_trash=True)

    assert (title_of(named), named["icon"]["emoji"]) == ("Final", "🦉")
    assert (gone["in_trash"], gone["archived"]) == (True, True)
    assert "archived" in refusal(client.pages.update, page["id"], properties=titled("Again"))[2]
    back: Any = client.pages.update(page["id"], in_trash=False)
    assert back["in_trash"] is False


def test_nothing_is_created_below_a_page_in_the_trash(client: Client) -> None:
    page = create(client, {"workspace": True}, properties=titled("Old"))
    client.pages.update(page["id"], in_trash=True)

    assert refusal(create, client, {"page_id": page["id"]}, properties=titled("New"))[:2] == (400, "validation_error")


def test_a_page_that_is_not_shared_is_not_found_and_says_why(campus: CampusServer, client: Client) -> None:
    workspaces = httpx.get(f"{campus.url}/notion/").text
    page_id = workspaces.split("Journal-private-")[1][:32]

    status, code, message = refusal(client.pages.retrieve, page_id)

    assert (status, code) == (404, "object_not_found")
    assert "Make sure the relevant pages and databases are shared with your integration" in message
    found: Any = client.search(query="journal")
    assert found["results"] == []


def test_another_persons_page_is_not_found(campus: CampusServer, client: Client) -> None:
    with notion(campus, "diego") as other:
        page_id = find(other, "Training log")["id"]

    for call in (client.pages.retrieve, client.pages.retrieve_markdown, client.blocks.children.list):
        assert refusal(call, page_id)[:2] == (404, "object_not_found")
    assert refusal(create, client, {"page_id": page_id}, properties=titled("Mine"))[:2] == (404, "object_not_found")


def test_a_page_unshared_by_its_owner_disappears_with_all_below_it(client: Client) -> None:
    page, lecture = find(client, "BIOL 201 Cell Biology"), find(client, "Lecture 19: Cell cycle and mitosis")
    parent_id = page["parent"]["page_id"]
    httpx.post(page["url"], data={"action": "unshare"})

    assert refusal(client.pages.retrieve, lecture["id"])[:2] == (404, "object_not_found")
    answer: Any = client.pages.retrieve_markdown(parent_id)
    assert answer["truncated"] is True
    assert answer["unknown_block_ids"] == [page["id"]]
    assert 'alt="page"/>' in answer["markdown"]


def test_a_page_edited_in_notion_itself_reads_changed(campus: CampusServer, client: Client) -> None:
    page = find(client, "How I study when it works")
    httpx.post(page["url"], data={"action": "save", "markdown": "Sleep."})

    now: Any = client.pages.retrieve(page["id"])
    assert markdown(client, page["id"]) == "Sleep."
    assert now["last_edited_time"] > page["last_edited_time"]
    assert now["last_edited_by"] == page["created_by"]
    assert campus.log(service="notion", writes=1) == []


def test_the_web_page_shows_hostile_notes_as_plain_text(client: Client) -> None:
    page = find(client, "Imported: 12 study tips from the web")

    html = httpx.get(page["url"]).text

    assert "ignore previous instructions" in markdown(client, page["id"])
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<img" not in html


def test_unicode_titles_have_working_addresses(client: Client) -> None:
    page = find(client, "日本語ノート：たべもの")

    answer = httpx.get(page["url"])
    assert answer.status_code == 200
    assert "味噌汁" in answer.text
    assert httpx.get(page["url"][:-1] + "x").status_code == 404


def test_writes_are_logged_with_the_person(campus: CampusServer, client: Client) -> None:
    create(client, {"workspace": True}, properties=titled("Logged"))
    client.search(query="Logged")

    (entry,) = campus.log(service="notion", writes=1)
    assert (entry["person"], entry["path"]) == ("maya", "/v1/pages")


def test_a_lost_answer_leaves_the_page_there_to_be_found(campus: CampusServer, client: Client) -> None:
    campus.fault(service="notion", method="POST", path="/v1/pages", fault="lose_response")
    with pytest.raises(httpx.RemoteProtocolError):
        create(client, {"workspace": True}, properties=titled("Once only"))

    assert title_of(find(client, "Once only")) == "Once only"
