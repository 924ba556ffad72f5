"""DOIs and ISBNs in the forms that students paste, and their check digits."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import BadArguments
from services.integrations.bibliography.registries import doi_in_url, parse_doi, parse_isbn

digits = st.text("0123456789", min_size=9, max_size=9)


@pytest.mark.parametrize(
    "text",
    [
        "10.1038/nature14539",
        " doi:10.1038/Nature14539 ",
        "DOI: 10.1038/nature14539.",
        "https://doi.org/10.1038/nature14539",
        "http://dx.doi.org/10.1038/nature14539,",
    ],
)
def test_a_doi_is_read_in_every_form(text: str) -> None:
    assert parse_doi(text) == "10.1038/nature14539"


@pytest.mark.parametrize(
    "text", ["", "nature14539", "11.1038/x", "10.1/x", "10.1038/", "10.1038/a b", "10.1038/a?b", "10.1038/../x"]
)
def test_what_is_no_doi_is_refused(text: str) -> None:
    with pytest.raises(BadArguments):
        parse_doi(text)


def test_only_an_address_of_the_resolver_leads_to_a_doi() -> None:
    assert doi_in_url("https://doi.org/10.1038/nature14539") == "10.1038/nature14539"
    assert doi_in_url("https://nature.example/10.1038/nature14539") == ""
    assert doi_in_url("https://doi.org/help") == ""


@pytest.mark.parametrize(
    "text", ["9780262033848", "978-0-262-03384-8", "ISBN 978 0 262 03384 8", "0-262-03384-4", "ISBN-10: 0262033844"]
)
def test_an_isbn_is_read_in_every_form(text: str) -> None:
    assert parse_isbn(text) == "9780262033848"


def test_a_check_digit_may_be_an_x() -> None:
    assert parse_isbn("0-8044-2957-x") == "9780804429573"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9780262033849", "check digit"),
        ("0262033845", "check digit"),
        ("978026203384", "10 or 13 digits"),
        ("1230262033848", "978 or 979"),
        ("", "10 or 13 digits"),
        ("026203384x4", "10 or 13 digits"),
        ("٩٧٨٠٢٦٢٠٣٣٨٤٨", "10 or 13 digits"),
    ],
)
def test_what_is_no_isbn_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(BadArguments, match=words):
        parse_isbn(text)


@given(digits)
def test_of_all_last_digits_exactly_one_fits(nine: str) -> None:
    assert _fitting([f"978{nine}{last}" for last in "0123456789"]) == 1
    assert _fitting([f"{nine}{last}" for last in "0123456789X"]) == 1


@given(digits, st.integers(0, 8), st.integers(1, 9))
def test_one_wrong_digit_is_always_noticed(nine: str, at: int, more: int) -> None:
    (right,) = [f"{nine}{last}" for last in "0123456789X" if _fitting([f"{nine}{last}"])]
    wrong = right[:at] + str((int(right[at]) + more) % 10) + right[at + 1 :]

    assert _fitting([wrong]) == 0


def _fitting(isbns: list[str]) -> int:
    fitting = 0
    for isbn in isbns:
        with suppress(BadArguments):
            fitting += len(parse_isbn(isbn)) == 13
    return fitting
