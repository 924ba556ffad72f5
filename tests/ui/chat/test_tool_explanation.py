"""Why these tools, in words."""

from dataclasses import replace

import pytest

from services.discovery.explanation import LoadingExplanation
from services.errors import ToolUnavailable
from ui import session
from ui.chat.tool_explanation import explain_tools

WHY = LoadingExplanation(
    strategy="append",
    contexts=(("calendar", 0.93), ("courses", 0.71), ("notes", 0.5)),
    offered=62,
    loaded=("canvas_grades", "calendar_events"),
    added=("calendar_events",),
    found=("web_search",),
    read=3_120,
    cached=2_800,
    written=240,
)


class NoTools:
    """Services at which none of these tools is at hand any more, so that they are called by their names."""

    def tool(self, name: str) -> None:
        raise ToolUnavailable(name)


@pytest.fixture(autouse=True)
def gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "services", NoTools)


def test_it_says_what_was_understood_and_what_that_brought() -> None:
    words = explain_tools(WHY)

    assert "about **Calendar** (very sure), **Courses** (fairly sure) and **Notes** (a guess)." in words
    assert "2 of 62 tools could be used: Canvas grades, Calendar events." in words
    assert "New with this message: Calendar events." in words
    assert "Found on the way: Web search." in words
    assert "About 2,340 words read, 2,100 of them not for the first time, and 180 written." in words


def test_a_message_that_needs_nothing_is_told_so() -> None:
    words = explain_tools(replace(WHY, contexts=(), loaded=(), added=(), found=(), read=0))

    assert words.startswith("Nothing in your message called for a tool.")
    assert "None of your 62 tools was needed." in words
    assert "words read" not in words


@pytest.mark.parametrize("loaded", [(), ("canvas_grades",)])
def test_above_an_answer_that_used_a_tool_nobody_says_that_none_was_called_for(loaded: tuple[str, ...]) -> None:
    used = replace(WHY, contexts=(), loaded=loaded, added=(), found=(), used=("find_tools", "canvas_get_grades"))

    words = explain_tools(used)

    assert "called for a tool" not in words
    assert "was needed" not in words
    assert "Used for this answer: Canvas get grades." in words


def test_many_tools_are_not_all_named_and_no_name_can_dress_up() -> None:
    names = tuple(f"files__*{number}*" for number in range(15))

    words = explain_tools(replace(WHY, loaded=names, added=()))

    assert "and 3 more." in words
    assert "**0**" not in words
    assert r"\*0\*" in words
