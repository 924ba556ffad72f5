"""Words that mean the same are one idea, in every language and script of the file."""

import pytest

from services.discovery.lexicon import FILE, TypoIndex, lexicon, parse
from services.discovery.normalisation import normalise

SMALL = parse(["# a comment", "due: due turn_in vence* 마감 截止", "later: due"])


def ideas(text: str) -> list[set[str]]:
    return [set(SMALL.names(found)) for found in SMALL.ideas_of(text.split(), text)]


def test_a_word_may_mean_several_things_and_a_beginning_any_of_its_endings() -> None:
    assert ideas("due") == [{"due", "later"}]
    assert ideas("vencen hoy") == [{"due"}]
    assert ideas("to turn in") == [{"due"}]
    assert ideas("turn left") == []


def test_scripts_without_spaces_and_particles_are_read() -> None:
    assert ideas("作业截止了吗") == [{"due"}]
    assert ideas("마감이 언제") == [{"due"}]


def test_the_shipped_words_are_spelled_as_messages_are() -> None:
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    words = [word for line in lines for word in line.partition(":")[2].split()]

    assert [word for word in words if normalise(word) != word] == []
    assert len(lexicon().ideas) < 1_000


TYPOS = TypoIndex(("calendar", "cancel", "grades", "tuesday", "tomorrow", "note"))


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
    assert TYPOS.corrections(typed) == {meant}


@pytest.mark.parametrize("typed", ["", "notr", "grapes", "cradle", "collander", "thursday"])
def test_short_words_and_more_than_one_slip_are_none(typed: str) -> None:
    assert TYPOS.corrections(typed) == frozenset()


def test_a_mistyped_word_has_the_ideas_of_the_one_that_was_meant() -> None:
    typed, meant = (lexicon().ideas_of([word], word) for word in ("anouncements", "announcements"))

    assert typed == meant != []


@pytest.mark.parametrize("word", ["first", "three", "status", "general"])
def test_an_ordinary_word_is_not_read_as_a_slip_of_another(word: str) -> None:
    assert [lexicon().names(ideas) for ideas in lexicon().ideas_of([word], word)] == [{"everyday"}]
