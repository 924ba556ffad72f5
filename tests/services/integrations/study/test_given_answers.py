"""Answers in a student's words: letters, numbers or the words of an option, in the order that they were shown."""

from dataclasses import replace

import pytest

from services.errors import BadArguments
from services.integrations.study.given_answers import given_answer
from services.study.attempt import GivenAnswer
from tests.services.study.quiz_samples import CHOICE, CLOZE, ORDERING, SEVERAL, TRUE_FALSE

ORDER = (3, 2, 1, 0)


@pytest.mark.parametrize(
    ("said", "chosen"),
    [("D", (0,)), ("d)", (0,)), ("(a)", (3,)), ("4", (0,)), ("water", (0,)), ("Water.", (0,)), ("it is protein", (3,))],
)
def test_one_option_is_meant_by_its_letter_as_shown_or_its_words(said: str, chosen: tuple[int, ...]) -> None:
    assert given_answer(CHOICE, ORDER, said) == GivenAnswer(chosen=chosen)


@pytest.mark.parametrize("said", ["C and D", "C, D", "c d", "CD", "3 y 4"])
def test_several_options_are_several_letters(said: str) -> None:
    assert given_answer(SEVERAL, ORDER, said) == GivenAnswer(chosen=(1, 0))


@pytest.mark.parametrize("said", ["D, C, B, A", "D > C > B > A", "dcba".upper(), "4 3 2 1"])
def test_an_order_is_all_of_them(said: str) -> None:
    assert given_answer(ORDERING, ORDER, said) == GivenAnswer(chosen=(0, 1, 2, 3))


@pytest.mark.parametrize(("said", "place"), [("true", 0), ("Verdadero", 0), ("f", 1), ("No.", 1), ("falso", 1)])
def test_true_and_false_are_understood_in_both_languages(said: str, place: int) -> None:
    assert given_answer(TRUE_FALSE, (0, 1), said) == GivenAnswer(chosen=(place,))


@pytest.mark.parametrize("said", ["", "  ", "skip", "I don't know.", "idk", "No sé"])
def test_who_does_not_know_skips(said: str) -> None:
    assert given_answer(CHOICE, ORDER, said) == given_answer(CLOZE, (), said) == GivenAnswer()


def test_words_for_a_gap_stay_as_they_are() -> None:
    assert given_answer(CLOZE, (), " cell  membrane ") == GivenAnswer(text="cell membrane")


def test_an_option_that_is_a_number_is_meant_before_a_place() -> None:
    numbers = replace(CHOICE, options=("4", "3", "2", "1"))

    assert given_answer(numbers, (0, 1, 2, 3), "3") == GivenAnswer(chosen=(1,))


@pytest.mark.parametrize(
    ("question", "said"),
    [(CHOICE, "E"), (CHOICE, "A and B"), (CHOICE, "the big one"), (ORDERING, "A B"), (TRUE_FALSE, "maybe")],
)
def test_what_is_not_clear_is_asked_again(question: object, said: str) -> None:
    with pytest.raises(BadArguments):
        given_answer(question, ORDER, said)  # type: ignore[arg-type]
