"""A chat's title says what it is about: a quoted name stays whole, what is pasted stays out."""

import pytest

from services.conversations.titles import says_enough, title_of
from tests.timing import growth

TITLES = {
    "Explain this term: “photosynthesis”": "Explain this term: “photosynthesis”",
    "What is “Lab 3: The Spectrum of the Sun” (ASTR 101) about, and how do I get it done by tomorrow evening?": (
        "What is “Lab 3: The Spectrum of the Sun” (ASTR 101) about…"
    ),
    "Proofread this:\nIt was a dark and stormy night.": "Proofread this",
    "Summarise this: “" + "It was a dark and stormy night. " * 4 + "”": "Summarise this",
}


@pytest.mark.parametrize("question", TITLES)
def test_a_title_is_cut_where_something_is_pasted_and_not_within_a_name(question: str) -> None:
    assert title_of(question) == TITLES[question]


@pytest.mark.parametrize("flood", [":", "hi ", "\n\n", "# [", "[a]("])
def test_a_chat_is_named_in_no_time_whatever_is_pasted(flood: str) -> None:
    def named(many: int) -> None:
        says_enough(flood * many)
        title_of("And?", f"# {flood * many}")

    assert growth(named, size=3_000) < 30
