"""A step's details are words and known links, never markup of a tool's result."""

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from services.conversations.items import ToolLine
from services.llm.citations import Source

KNOWN = Source(title="Problem **Set** 8 :red[x]", url="https://canvas.example/8")
STRANGE = Source(title="Elsewhere", url="https://evil.example/x")


def _page(item, known):
    from ui.chat import tool_step

    tool_step.draw_tool_step(item, known=known)


def _drawn(*sources: Source, **changes: object) -> AppTest:
    item = replace(
        ToolLine(
            call_id="1",
            label="Looking up assignments",
            name="canvas_list_assignments",
            arguments={"window": "range", "only_missing": True, "courses": ["CS 101", "BIOL 201"]},
            success=True,
            seconds=0.12,
            sources=sources,
        ),
        **changes,
    )
    return AppTest.from_function(
        _page, default_timeout=10, kwargs={"item": item, "known": frozenset({KNOWN.url})}
    ).run()


def test_arguments_are_told_in_words() -> None:
    page = _drawn()

    assert page.expander[0].label == "Looking up assignments · 0.1 s"
    assert page.text[0].value == "window: range\nonly missing: yes\ncourses: CS 101, BIOL 201"


def test_what_was_done_on_the_way_is_a_line_each() -> None:
    page = _drawn(name="ask_assistant", steps=("Looking up *courses*", "Reading"))

    assert [line.value.partition(": ")[2] for line in page.caption[1:]] == [r"Looking up \*courses\*", "Reading"]


def test_only_known_sources_are_links_and_titles_are_literal() -> None:
    found = _drawn(KNOWN, STRANGE).markdown[0].value

    assert f"]({KNOWN.url})" in found.replace("<", "").replace(">", "")
    assert "](https://evil.example" not in found.replace("<", "")
    assert "**Set**" not in found
    assert ":red[x]" not in found


def test_many_sources_are_counted_not_listed() -> None:
    found = _drawn(*[KNOWN] * 20).markdown[0].value

    assert "and 12 more" in found


def test_a_question_back_is_a_closed_line_that_says_what_is_asked() -> None:
    page = _drawn(success=False, sentence="Which course, :red[x]?", asks_back=True)

    assert not page.status
    assert page.expander[0].label == r"Looking up assignments · Which course, \:red\[x\]?"
    assert not page.expander[0].proto.expanded


def test_a_failure_that_an_older_version_stored_still_shows_its_reason() -> None:
    page = _drawn(success=False, sentence="The board is down.")

    assert page.status[0].proto.expanded
    assert page.status[0].text[0].value == "The board is down."
