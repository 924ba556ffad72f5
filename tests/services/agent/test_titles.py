"""A chat's title says what it is about: a quoted name stays whole, what is pasted stays out."""

import pytest

from services.agent.titles import title_of

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
