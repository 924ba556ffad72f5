"""Hostile Markdown, cut at every character: whatever has come so far, its HTML holds nothing but what may be."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.live.answer_diff import AnswerDiff
from api.live.feed import MOST_MARKS_ON_LOOP, is_heavy
from services.conversations.items import AssistantText, TurnView
from services.conversations.turn_records import TurnStatus
from tests.api.live.drawn import forbidden, html_of
from tests.safety.hostile_markdown import ALLOWED, GROUPS, attacks
from tests.timing import growth

SHORT = 200
"""Characters; floods are cut in larger pieces, and parsed whole in tests/safety."""
TELLING = 7
"""Every so many of the attacks in `make test`; all of them in `make soak`."""


def _diff() -> AnswerDiff:
    return AnswerDiff(addresses=lambda: ALLOWED, own_origin="http://localhost", service=lambda name: name)


def _view(text: str, status: TurnStatus = TurnStatus.RUNNING) -> TurnView:
    seq = 0 if status is TurnStatus.RUNNING else 1
    return TurnView(turn_id="t", status=status, items=[AssistantText(text=text, seq=seq)])


def _forbidden_while_it_grows(text: str, step: int = 1) -> list[str]:
    diff, found = _diff(), list[str]()
    for length in range(1, len(text) + 1, step):
        for html in html_of(diff.update(_view(text[:length]), renders_growing=True)):
            found += forbidden(html)
    for html in html_of(diff.update(_view(text, TurnStatus.DONE), renders_growing=True)):
        found += forbidden(html)
    return found


ATTACKS = [text for name, text in attacks().items() if not name.startswith("flood")]
BEFORE = "Words before it, so that blocks are finished. " * 6 + "\n\n"


@pytest.mark.parametrize("text", ATTACKS[::TELLING])
def test_an_attack_that_grows_by_one_character_at_a_time(text: str) -> None:
    assert _forbidden_while_it_grows(text[:SHORT]) == []
    assert _forbidden_while_it_grows(f"{BEFORE}{text}\n\nAnd after it.\n\n", 5) == []


@pytest.mark.soak
@pytest.mark.parametrize("text", ATTACKS)
def test_every_attack_that_grows_by_one_character_at_a_time(text: str) -> None:
    assert _forbidden_while_it_grows(text) == []
    assert _forbidden_while_it_grows(f"{BEFORE}{text}\n\nAnd after it.\n\n") == []


def test_the_inspection_finds_what_it_looks_for() -> None:
    hostile = ("<script>", "<p onclick=x>", '<a href="https://evil.test">', "<img>", "<!--x-->", '<span class="x">')
    assert all(forbidden(html) for html in hostile)
    assert html_of([("text", {"n": 0, "text": "x", "html": "<p>x"})]) == ["<p>x"]


PIECES = [*"[]()!<>`$*_~|\\\n\"'&#:-", "](", "![", "](https://evil.test", "<img src=x onerror=a>", "```mermaid\n", "$$"]


@given(st.lists(st.sampled_from([*PIECES, "javascript:", "word ", "\n\n", "[^1]", "&lt;", " class=x "]), max_size=40))
@settings(max_examples=60, deadline=None)
def test_any_pieces_in_any_order(pieces: list[str]) -> None:
    diff = _diff()
    for text in itertools.accumulate(pieces):
        for html in html_of(diff.update(_view(text), renders_growing=True)):
            assert forbidden(html) == []
    for html in html_of(diff.update(_view("".join(pieces), TurnStatus.DONE), renders_growing=True)):
        assert forbidden(html) == []


@pytest.mark.parametrize("mark", ["[", "![", "$", "- a\n", "> ", "|", "*", "`", "<a ", "\\", "[^1]", "_a "])
def test_text_that_is_all_markup_leaves_the_event_loop_early(mark: str) -> None:
    assert is_heavy(_view(mark * (MOST_MARKS_ON_LOOP + 1)))
    assert not is_heavy(_view(mark * 20))
    assert not is_heavy(_view("An ordinary sentence, and another one. " * 80))


@pytest.mark.parametrize("line", ["- a b c d\n\n", "> a\n>\n\n> ", "1. a\n\n   b\n\n"])
def test_a_block_that_never_ends_costs_time_in_proportion(line: str) -> None:
    def grow(lines: int) -> None:
        diff, text = _diff(), ""
        for _ in range(lines):
            text += line
            diff.update(_view(text), renders_growing=False)

    assert growth(grow, size=60) < 30


def test_the_groups_are_all_there() -> None:
    assert {"image", "link", "html", "diagram", "formula"} < GROUPS.keys()
