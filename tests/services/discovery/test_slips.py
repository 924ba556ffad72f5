"""A word with one slip of the finger means what was meant, and an ordinary word is no slip."""

import pytest

from services.discovery.lexicon import TypoIndex, lexicon

SLIPS = TypoIndex(("calendar", "cancel", "grades", "tuesday", "tomorrow", "note"))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cancle", "cancel"),
        ("grdaes", "grades"),
        ("tusday", "tuesday"),
        ("tuesdaay", "tuesday"),
        ("tommorow", "tomorrow"),
        ("calender", "calendar"),
    ],
)
def test_one_letter_left_out_added_swapped_or_another_in_a_long_word_is_a_slip(typed: str, meant: str) -> None:
    assert SLIPS.meant(typed) == {meant}


@pytest.mark.parametrize("typed", ["", "notr", "grapes", "cradle", "collander", "thursday"])
def test_short_words_and_more_than_one_slip_are_none(typed: str) -> None:
    assert SLIPS.meant(typed) == frozenset()


def test_a_mistyped_word_has_the_ideas_of_the_one_that_was_meant() -> None:
    typed, meant = (lexicon().ideas_of([word], word) for word in ("anouncements", "announcements"))

    assert typed == meant != []


@pytest.mark.parametrize("word", ["first", "three", "status", "general"])
def test_an_ordinary_word_is_not_read_as_a_slip_of_another(word: str) -> None:
    assert [lexicon().names(ideas) for ideas in lexicon().ideas_of([word], word)] == [{"everyday"}]
