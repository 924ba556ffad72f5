"""Marked passages: what an answer quotes is found on its page, and nothing else is marked."""

import pytest

from services.llm.citations import shorten_quote
from services.materials.marked_passage import marked_range
from tests.timing import growth


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("Water moves. Salt stays.", "salt stays", "Salt stays."),
        ("Water\nmoves — by\tosmosis.", "water moves by osmosis", "Water\nmoves — by\tosmosis."),
        ("El agua se mueve: ósmosis.", "se mueve, ÓSMOSIS", "se mueve: ósmosis."),
        ("Nothing of it.", "salt stays", ""),
        ("a" * 9, "", ""),
        ("* ** (", "* ** (", ""),
    ],
)
def test_a_passage_is_found_whatever_its_blanks_case_and_signs(text: str, quote: str, found: str) -> None:
    begin, end = marked_range(text, quote)

    assert text[begin:end] == found


def test_a_shortened_quote_marks_the_whole_passage() -> None:
    passage = " ".join(f"word{number}" for number in range(90))
    text = f"Before it. {passage}. After it."

    begin, end = marked_range(text, shorten_quote(passage))

    assert text[begin:end] == f"{passage}."


def test_of_a_quote_with_a_line_before_it_that_is_not_on_the_page_the_rest_is_marked() -> None:
    text = "Oxygen takes four electrons. Cells without it cannot go on. Another thing."

    begin, end = marked_range(text, "- BIOL 201 · Unit 2 · EnergyOxygen takes four … cannot go on. (Reading 3)")

    assert text[begin:end] == "Oxygen takes four electrons. Cells without it cannot go on."


def test_a_long_passage_that_is_not_on_a_long_page_costs_no_time_in_squares() -> None:
    def mark(size: int) -> None:
        assert marked_range("a" * size, "ab" * (size // 4)) == (0, 0)
        assert marked_range("a" * size, " … " + "ba" * (size // 4)) == (0, 0)

    assert growth(mark, size=4_000) < 30
