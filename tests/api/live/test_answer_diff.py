"""What is sent of words that grow: words where the browser lays them out itself, HTML where only the server can."""

import pytest

from api.live.answer_diff import AnswerDiff
from services.conversations.items import AssistantText, TurnView
from services.conversations.turn_records import TurnStatus


def growing(*texts: str, renders_growing: bool = True) -> list[tuple[str, str]]:
    """Words and HTML of each event while a text becomes these, one after the other."""
    diff = AnswerDiff(addresses=frozenset, own_origin="http://localhost", service=str)
    views = [TurnView(turn_id="t", status=TurnStatus.RUNNING, items=[AssistantText(text=text)]) for text in texts]
    events = [event for view in views for event in diff.update(view, renders_growing=renders_growing)]
    return [(data["text"], data.get("html", "")) for _, data in events]


@pytest.mark.parametrize(
    "text", ["A **bold** word", "- one\n- two", "## Cells\n\nThey divide", "`code`", "| a | b |\n|--"]
)
def test_words_that_the_browser_lays_out_itself_are_sent_alone(text: str) -> None:
    events = growing(text[:4], text)

    assert events == [(text[:4], ""), (text[4:], "")]


@pytest.mark.parametrize(
    "text", ["So $x^2$ is", r"So \(x^2\) is", "See [the page](", "5 &lt; 6", "At www.example.org you"]
)
def test_what_only_the_server_renders_comes_as_html_with_its_words(text: str) -> None:
    [(words, html)] = growing(text)

    assert words == text
    assert html.startswith("<p>")


def test_in_a_crowd_all_words_that_grow_are_sent_alone() -> None:
    assert growing("So $x^2$ is", renders_growing=False) == [("So $x^2$ is", "")]
