"""Documents: begun, read part by part, looked over, changed by the passage, and everything undone."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import (
    BadArguments,
    ChangedElsewhere,
    ItemNotFound,
    OutcomeUnknown,
    ReconnectRequired,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    Throttled,
)
from services.integrations.documents.tools import count_words, first_words, split_sections
from services.integrations.notion.tools import NOTION_TOOLS
from tests.campus_server import CampusServer
from tests.services.integrations.documents.conftest import DRAFT, now, write_there
from tests.services.integrations.notion.conftest import search, writes
from tests.tool_calls import ToolCalls

EDIT = {
    "document": "Open letter: draft",
    "passage": "The library should open longer.",
    "text": "The library should open until midnight.",
}
CUT = {"document": "Open letter: draft", "passage": "- Rooms are full.", "text": ""}
ADD = {"document": "Open letter: draft", "text": "Thank you."}
CALLS: dict[str, dict[str, Any]] = {
    "documents_create": {"title": "Another"},
    "documents_get": {"document": "Open letter: draft"},
    "documents_summarise": {"document": "Open letter: draft"},
    "documents_edit": EDIT,
}
FAILURES: dict[str, tuple[dict[str, Any], type[ServiceError]]] = {
    "revoked": ({"fault": "status", "status": 401}, ReconnectRequired),
    "not shared": ({"fault": "status", "status": 404}, ItemNotFound),
    "throttled": ({"fault": "status", "status": 429, "headers": {"Retry-After": "30"}}, Throttled),
    "maintenance": ({"fault": "html"}, ServiceUnavailable),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("name", CALLS)
def test_a_failure_of_notion_is_one_typed_error_and_nothing_is_written(
    campus: CampusServer, hasty: ToolCalls, name: str, failure: str
) -> None:
    fault, expected = FAILURES[failure]
    campus.fault(service="notion", times=0, **fault)

    with pytest.raises(expected) as caught:
        hasty.run(name, CALLS[name], operation_id="op")

    assert caught.value.next_step
    assert writes(campus, "PATCH") == writes(campus, "POST") == []


def test_every_tool_needs_notion_and_belongs_to_documents(maya: ToolCalls) -> None:
    assert {tool.name for tool in maya.integration.tools} == set(CALLS)
    for tool in maya.integration.tools:
        assert (tool.integration, tool.category) == ("notion", "documents")
        assert tool.effect.needs_approval == (tool.undo is not None) == (tool.preview is not None)
        for example in tool.examples:
            tool.validate(example.arguments)


def test_a_document_is_a_page_and_undo_puts_it_into_the_trash(maya: ToolCalls, campus: CampusServer) -> None:
    result = maya.run("documents_create", {"title": "Report 7", "parent": "BIOL 201"}, operation_id="op")

    assert [page["title"] for page in search_pages(maya, "Report 7")] == ["Report 7"]
    maya.undo("documents_create", result)
    assert search_pages(maya, "Report 7") == []


def test_a_document_is_read_as_markdown_and_a_database_is_none(maya: ToolCalls, letter: dict[str, Any]) -> None:
    result = maya.run("documents_get", {"document": "open letter: draft"})

    assert result.output.startswith("The document “Open letter: draft” (Notion, as of ")
    assert result.output.endswith(DRAFT)
    with pytest.raises(RequestRefused, match="database"):
        maya.run("documents_get", {"document": "Assignment tracker"})


def test_an_overview_names_each_part_with_its_length_and_where_to_read_on(
    maya: ToolCalls, letter: dict[str, Any]
) -> None:
    result = maya.run("documents_summarise", {"document": letter["id"]})

    lines = result.output.splitlines()
    assert lines[0].startswith("The document “Open letter: draft” has 15 words in 3 parts (Notion, as of ")
    assert "- (before the first heading) — 2 words (start=0)" in lines
    assert "  - Evidence — 6 words (start=55)" in lines
    assert result.output.endswith(DRAFT)
    start = result.data["parts"][2]["start"]
    assert maya.run("documents_get", {"document": letter["id"], "start": start}).output.endswith(DRAFT[start:])


def test_of_a_long_document_an_overview_shows_how_each_part_begins(maya: ToolCalls) -> None:
    long = "\n".join(f"## Part {n}\n{f'word{n} ' * 400}" for n in range(5))
    made = maya.run("documents_create", {"title": "Long one", "content": long}, operation_id="op").data["page"]

    output = maya.run("documents_summarise", {"document": made["id"]}).output

    assert "2010 words in 5 parts" in output
    assert "Note: of each part only the first 60 words are shown" in output
    assert output.count("word3 ") == 60
    assert len(output) < 4_000


def test_the_card_shows_the_passage_as_it_is_and_as_it_would_be(maya: ToolCalls, letter: dict[str, Any]) -> None:
    document, passage = maya.preview("documents_edit", EDIT)
    (_, cut) = maya.preview("documents_edit", CUT)
    (_, added) = maya.preview("documents_edit", ADD)

    assert document.value == "Open letter: draft"
    assert (passage.before, passage.value) == (EDIT["passage"], EDIT["text"])
    assert cut.value == "(taken out)"
    assert (added.label, added.value) == ("Added at the end", "Thank you.")


@pytest.mark.parametrize("wish", [EDIT, CUT, ADD])
def test_a_change_is_made_once_and_undone_to_the_letter(
    maya: ToolCalls, letter: dict[str, Any], wish: dict[str, str]
) -> None:
    before = now(maya, letter)
    wanted = before.replace(wish["passage"], wish["text"]) if "passage" in wish else f"{before}\nThank you."

    result = maya.run("documents_edit", wish, operation_id="op")

    assert now(maya, letter).split() == wanted.split()
    maya.undo("documents_edit", result)
    assert now(maya, letter) == before
    assert maya.undo("documents_edit", result).success


@pytest.mark.parametrize(
    ("passage", "problem"), [("no such words", "do not stand"), ("##", "stand in the document 2 times")]
)
def test_a_passage_that_is_not_there_once_is_refused_before_there_is_a_card(
    maya: ToolCalls, letter: dict[str, Any], passage: str, problem: str
) -> None:
    with pytest.raises(BadArguments, match=problem) as caught:
        maya.preview("documents_edit", {**EDIT, "passage": passage})

    assert caught.value.field == "passage"
    assert "documents_get" in caught.value.next_step


def test_for_a_passage_that_fits_nowhere_the_closest_headings_are_named(maya: ToolCalls) -> None:
    content = "## Claim\nOpen it longer.\n## Buses\nThe night bus stops at eleven.\n## Rooms\nFull.\n## End\nThanks."
    maya.run("documents_create", {"title": "Four parts", "content": content}, operation_id="op")
    wish = {"document": "Four parts", "passage": "the last night bus stops at ten", "text": "x"}

    with pytest.raises(BadArguments, match="do not stand") as caught:
        maya.preview("documents_edit", wish)

    assert "The closest headings: “Buses”, “Claim”, “Rooms”." in str(caught.value)


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
@pytest.mark.parametrize("wish", [EDIT, CUT, ADD])
def test_a_lost_answer_leads_to_one_change_that_can_be_undone(
    campus: CampusServer, maya: ToolCalls, letter: dict[str, Any], wish: dict[str, str], fault: str
) -> None:
    before = now(maya, letter)
    campus.fault(service="notion", method="PATCH", path="*/markdown", fault=fault)

    result = maya.run("documents_edit", wish, operation_id="op")

    assert len(writes(campus, "PATCH")) == 1
    maya.undo("documents_edit", result)
    assert now(maya, letter) == before


def test_a_server_error_without_a_trace_is_called_unknown(
    campus: CampusServer, hasty: ToolCalls, maya: ToolCalls, letter: dict[str, Any]
) -> None:
    campus.fault(service="notion", method="PATCH", path="*/markdown", fault="status", status=502)

    with pytest.raises(OutcomeUnknown):
        hasty.run("documents_edit", EDIT, operation_id="op")


@pytest.mark.parametrize("wish", [EDIT, CUT, ADD, {**EDIT, "text": f"{EDIT['passage']} Always."}])
def test_a_repeat_after_it_was_done_changes_nothing_and_can_be_undone(
    campus: CampusServer, maya: ToolCalls, letter: dict[str, Any], wish: dict[str, str]
) -> None:
    before = now(maya, letter)
    facts: dict[str, Any] = {"operation_id": "op", "began_at": datetime.now(UTC)}
    maya.run("documents_edit", wish, **facts)

    again = maya.run("documents_edit", wish, **facts, is_repeat=True)

    assert len(writes(campus, "PATCH")) == 1
    maya.undo("documents_edit", again)
    assert now(maya, letter) == before


@pytest.mark.parametrize("wish", [EDIT, CUT])
def test_a_repeat_of_what_never_got_through_does_it(
    maya: ToolCalls, letter: dict[str, Any], wish: dict[str, str]
) -> None:
    maya.run("documents_edit", wish, operation_id="op", began_at=datetime.now(UTC), is_repeat=True)

    assert wish["passage"] not in now(maya, letter)


def test_undo_refuses_when_the_document_was_changed_since(maya: ToolCalls, letter: dict[str, Any]) -> None:
    result = maya.run("documents_edit", EDIT, operation_id="op")
    write_there(maya, letter, "The student's own words")

    with pytest.raises(ChangedElsewhere):
        maya.undo("documents_edit", result)

    assert "own words" in now(maya, letter)


def search_pages(calls: ToolCalls, title: str) -> list[dict[str, Any]]:
    return search(replace(calls, integration=replace(calls.integration, tools=NOTION_TOOLS)), title)


def test_headings_in_code_are_no_headings() -> None:
    found = split_sections("# A\n```\n# not one\n```\n## B\ntext")

    assert [(section.title, section.level) for section in found] == [("A", 1), ("B", 2)]


@given(st.lists(st.sampled_from(["# One", "### Three", "text of a line", "", "- point", "#no heading", "```"])))
def test_no_word_is_lost_between_the_parts(lines: list[str]) -> None:
    text = "\n".join(lines)

    found = split_sections(text)

    assert all(text[section.start :].startswith("#" if section.level else text[:1]) for section in found)
    headings = sum(count_words(section.title) for section in found)
    assert headings + sum(section.words for section in found) == count_words(text)


def test_words_are_counted_as_a_person_counts_them() -> None:
    assert count_words("Maya's well-known café isn't 24/7 — 夏目漱石 says so.") == 9


def test_an_opening_says_when_there_is_more() -> None:
    assert first_words("one two three", 2) == "one two …"
    assert first_words("one two", 2) == "one two"
