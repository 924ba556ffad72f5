"""Pages as people say them: numbers, ranges, ends, printed numbers and headings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments
from services.integrations.materials.page_ranges import page_numbers, written_range
from services.materials.material import MaterialPage

PAGES = [MaterialPage(number=n) for n in range(1, 41)]
HEADED = [MaterialPage(number=n, label=label) for n, label in enumerate(("Grading", "Late work policy", "Exams"), 1)]
PRINTED = [MaterialPage(number=n, label=label) for n, label in enumerate(("i", "ii", "213", "214"), 1)]


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ("12", [12]),
        ("slide 12", [12]),
        ("p. 3", [3]),
        ("pp. 3–5, 9", [3, 4, 5, 9]),
        ("pages 3 to 5 and 9", [3, 4, 5, 9]),
        ("9, 3", [9, 3]),
        ("last", [40]),
        ("the last 2 slides", [39, 40]),
        ("first 3 pages", [1, 2, 3]),
        ("39-", [39, 40]),
        ("39-60", [39, 40]),
        ("diapositiva 12", [12]),
        ("páginas 3 a 5 y 9", [3, 4, 5, 9]),
        ("las últimas 2", [39, 40]),
    ],
)
def test_numbers_are_read_as_people_write_them(wanted: str, numbers: list[int]) -> None:
    assert page_numbers(wanted, PAGES, 40)[0] == numbers


def test_a_number_that_no_page_has_is_looked_for_among_those_that_are_printed() -> None:
    assert page_numbers("p. 214", PRINTED, 4) == ([4], "")


@pytest.mark.parametrize("wanted", ["late work", "Late work policy", "late"])
def test_words_are_a_heading(wanted: str) -> None:
    assert page_numbers(wanted, HEADED, 3)[0] == [2]


@pytest.mark.parametrize(("wanted", "said"), [("41", "It has only 40 pages."), ("0", "It has only 40 pages.")])
def test_a_page_that_is_not_there_is_told_with_how_many_there_are(wanted: str, said: str) -> None:
    with pytest.raises(BadArguments, match=said):
        page_numbers(wanted, PAGES, 40)


def test_a_heading_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(BadArguments, match="2: Late work policy"):
        page_numbers("attendance", HEADED, 3)


@given(st.sets(st.integers(min_value=1, max_value=40), min_size=1))
def test_what_is_written_is_read_back(numbers: set[int]) -> None:
    assert set(page_numbers(written_range(sorted(numbers)), PAGES, 40)[0]) == numbers


@given(st.text(max_size=60))
def test_any_words_give_pages_that_exist_or_say_why_not(wanted: str) -> None:
    try:
        numbers, _ = page_numbers(wanted, HEADED, 3)
    except BadArguments:
        return
    assert set(numbers) <= {1, 2, 3}
