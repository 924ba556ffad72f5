"""The quotation check gives what stands in the passage, and nothing that does not stand there (H1, T37)."""

import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.safety.text import plain
from services.study.generation.quotation_check import LONGEST, find_quotation

PAGE = (
    "Osmosis is the move-\nment of water through a semi-permeable mem\u00adbrane "
    "\u2014 \u201cslowly\u201d at\u00a0first.\n"
    "The e\ufb03cient cell doesn\u2019t swell; x\u00b2 = 4, and that is well-\nknown.\n"
    "Cafe\u0301s in Me\u0301xico: \u00abla c\u00e9lula\u00bb crece."
)


@pytest.mark.parametrize(
    ("quoted", "found"),
    [
        pytest.param("Osmosis is the movement of water", "Osmosis is the movement of water", id="line ends"),
        pytest.param("a semipermeable membrane", "a semi-permeable membrane", id="other hyphens"),
        pytest.param(
            'membrane - "slowly" at first', "membrane \u2014 \u201cslowly\u201d at\u00a0first", id="dashes, quotes"
        ),
        pytest.param("The efficient cell doesn't swell", "The e\ufb03cient cell doesn\u2019t swell", id="a ligature"),
        pytest.param(
            "\u201cThe  efficient\ncell doesn't swell\u201d", "The e\ufb03cient cell doesn\u2019t swell", id="framed"
        ),
        pytest.param("and that is well-known.", "and that is well-known.", id="a hyphen that stays"),
        pytest.param("Caf\u00e9s in M\u00e9xico", "Cafe\u0301s in Me\u0301xico", id="accents of their own"),
        pytest.param("**Osmosis** is the *movement*", "Osmosis is the movement", id="marks of emphasis"),
        pytest.param(
            "Osmosis is the\u200b move\u00adment of water", "Osmosis is the movement of water", id="invisible signs"
        ),
    ],
)
def test_words_are_found_however_they_are_set(quoted: str, found: str) -> None:
    assert find_quotation(quoted, PAGE) == " ".join(found.split())


@pytest.mark.parametrize(
    "quoted",
    [
        pytest.param("Osmosis is the movement of salt", id="another word"),
        pytest.param("Osmosis is the movement of water through a wall", id="an end of its own"),
        pytest.param("Osmosis is the \u2026 of water", id="a word left out"),
        pytest.param("osmosis is the movement", id="another case"),
        pytest.param("\u041esmosis is the movement of water", id="a Cyrillic letter"),
        pytest.param("Osmosis is the movement \u03bff water", id="a Greek letter"),
        pytest.param("smosis is the movement of water", id="half a word in front"),
        pytest.param("Osmosis is the movement of wat", id="half a word behind"),
        pytest.param("of the", id="too little"),
        pytest.param("water", id="one word"),
        pytest.param("", id="nothing"),
        pytest.param("\u201c\u201d \u2026", id="signs alone"),
        pytest.param("x3 = 4, and that is", id="another number"),
        pytest.param("cell swell; x\u00b2 = 4", id="a denial left out"),
    ],
)
def test_other_words_are_not(quoted: str) -> None:
    assert find_quotation(quoted, PAGE) == ""


def test_a_quotation_of_a_whole_page_is_too_long() -> None:
    page = "word after word " * LONGEST
    assert find_quotation(page, page) == ""


_SIGNS = st.text(
    alphabet=string.ascii_letters + string.digits + " \n-.,“”’—…*_ﬁ\u00ad\u200b\u0301\u0430αß字", max_size=80
)


@given(passage=_SIGNS, quoted=_SIGNS)
@example(passage="a-\nb c d e f g h i", quoted="ab c d e f g h i")
def test_what_is_given_stands_in_the_passage(passage: str, quoted: str) -> None:
    found = find_quotation(quoted, passage)

    bare = "".join(plain(passage).split()).replace("-", "")
    assert "".join(found.split()).replace("-", "") in bare
    assert not found or find_quotation(found, passage)


@given(
    words=st.lists(st.text(alphabet=string.ascii_lowercase, min_size=3, max_size=9), min_size=4, max_size=30),
    cut=st.data(),
)
def test_any_piece_of_a_text_is_found_whatever_its_line_breaks(words: list[str], cut: st.DataObject) -> None:
    start = cut.draw(st.integers(0, len(words) - 4))
    end = cut.draw(st.integers(start + 4, len(words)))
    breaks = cut.draw(
        st.lists(st.sampled_from([" ", "\n", "  ", " \n", "\u00a0", "\t"]), min_size=len(words), max_size=len(words))
    )
    page = "".join(word + space for word, space in zip(words, breaks, strict=True))

    assert find_quotation(" ".join(words[start:end]), page) == " ".join(words[start:end])


@given(text=st.text(alphabet=string.ascii_letters + " ", min_size=20, max_size=60))
def test_one_letter_that_looks_alike_is_another_letter(text: str) -> None:
    swapped = text.replace("a", "\u0430", 1)
    assert swapped == text or find_quotation(swapped, text) == ""


def test_a_long_hostile_text_takes_no_long_time() -> None:
    page = "a-\n" * 20_000
    assert find_quotation("a b c " * 100, page) == ""
    assert find_quotation("ab " * 5_000, "ab " * 20_000) == ""
