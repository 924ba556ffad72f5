"""Blocks of an answer: what is finished is found as soon as it cannot change any more."""

import pytest

from api.live.blocks import finished_length

LONG = "Words before it. " * 15
DIAGRAM = "```mermaid\nflowchart LR\n  A[Read] --> B[Write]\n```\n\n"
LIST = "- one\n\n- two\n\n"


@pytest.mark.parametrize("block", [DIAGRAM, LIST, "$$\nx^2\n$$\n\n"])
def test_a_block_is_finished_when_a_paragraph_begins_below_it(block: str) -> None:
    text = f"{LONG}\n\n{block}"

    assert finished_length(f"{text}Then") == len(text)


@pytest.mark.parametrize("cut", ["-", "1. ", "  more of two", "```"])
def test_a_list_that_may_go_on_is_not_finished(cut: str) -> None:
    before = f"{LONG}\n\n"

    assert finished_length(f"{before}{LIST}{cut}") == len(before)


def test_code_with_an_empty_line_is_not_finished() -> None:
    before = f"{LONG}\n\n"

    assert finished_length(f"{before}```python\na = 1\n\nb") == len(before)
