"""Ranking of the campus's materials: how often the page that answers stands first, and among the first five."""

import pytest

from bench.materials.questions import Rank, question_ranks
from tests.questions.material_questions import BOTH_LANGUAGES, HELD_OUT, HELD_OUT_AGAIN, NEWCOMER, VOICES

FIRST, FIRST_FIVE = 0.72, 0.93
"""Of all questions; 0.75 and 0.95 when this was written. Days of the week move one or two."""
FIRST_UNSEEN, FIRST_FIVE_UNSEEN = 0.62, 0.9
"""Of those on which no weight was chosen; 0.69 and 0.96."""
FIRST_SPANISH, FIRST_FIVE_SPANISH = 0.48, 0.71
"""Of the 56 in Spanish, mostly over pages in English; 0.54 and 0.75. Without words in English 0.46 and 0.64."""
FIRST_WORDS, FIRST_FIVE_WORDS = 0.61, 0.87
"""Of all, by words alone, as where there is no model; 0.65 and 0.9."""


@pytest.mark.soak
def test_the_page_that_answers_stands_first_or_among_five() -> None:
    ranks = question_ranks((*VOICES, HELD_OUT, HELD_OUT_AGAIN, NEWCOMER, BOTH_LANGUAGES))
    spanish = [rank for own in ranks.values() for rank in own if rank.language == "es"]
    unseen = [*ranks[HELD_OUT], *ranks[HELD_OUT_AGAIN]]
    everything = [rank for voice in (*VOICES, HELD_OUT, HELD_OUT_AGAIN) for rank in ranks[voice]]

    by_words = [Rank(ours=rank.words, words=rank.words, plain=rank.plain) for rank in everything]

    assert reached(everything, FIRST, FIRST_FIVE)
    assert reached(unseen, FIRST_UNSEEN, FIRST_FIVE_UNSEEN)
    assert reached(by_words, FIRST_WORDS, FIRST_FIVE_WORDS)
    assert reached(spanish, FIRST_SPANISH, FIRST_FIVE_SPANISH)


def reached(ranks: list[Rank], first: float, first_five: float) -> bool:
    """Whether so many of the questions have their page first, and among the first five."""
    stands_first, stands_among = sum(rank.ours == 1 for rank in ranks), sum(rank.ours > 0 for rank in ranks)
    return stands_first >= first * len(ranks) and stands_among >= first_five * len(ranks)
