"""Words that fill a gap: forgiven for how they are written, never for what they say."""

import pytest

from services.study.assessment.gap_comparison import WordLikeness, compare_words

SUBJECT = "Meiosis makes gametes, mitosis two equal cells. The neutron has no charge; neurons fire. Starch, nitrate."


@pytest.mark.parametrize(
    ("typed", "accepted"),
    [
        ("The cell", "cell"),
        ("  CELL. ", "cell"),
        ("la célula", "célula"),
        ("cell-membrane", "cell membrane"),
        ("H2O", "H₂O"),
        ("50%", "50 %"),
        ("“osmosis”", "osmosis"),
        ("x^2", "$x^2$"),
        ("three", "3"),
        ("3", "three"),
        ("−5", "-5"),
        ("1,5", "1.5"),
        ("1 500", "1,500"),
        ("1500.0", "1,500"),
        ("0.5", "1/2"),
        ("3 × 10⁸", "3e8"),
        ("1000", "10³"),
    ],
)
def test_what_says_the_same_is_the_same(typed: str, accepted: str) -> None:
    assert compare_words(typed, accepted, locale="en-US") is WordLikeness.SAME


@pytest.mark.parametrize(
    ("typed", "accepted"),
    [
        ("celula", "célula"),
        ("photosythesis", "photosynthesis"),
        ("photosynthseis", "photosynthesis"),
        ("osmossis", "osmosis"),
        ("osmosid", "osmosis"),
        ("mitocondira", "mitochondria"),
        ("genes", "gene"),
        ("dna", "DNA"),
        ("Dna", "DNA"),
        ("espana", "España"),
    ],
)
def test_a_slip_is_the_same_word_in_another_spelling(typed: str, accepted: str) -> None:
    assert compare_words(typed, accepted, locale="en-US", others=SUBJECT) is WordLikeness.SPELLING


@pytest.mark.parametrize(
    ("typed", "accepted"),
    [
        ("mitosis", "meiosis"),
        ("hypertonic", "hypotonic"),
        ("intracellular", "intercellular"),
        ("afferent", "efferent"),
        ("abiotic", "biotic"),
        ("alkene", "alkane"),
        ("nitrite", "nitrate"),
        ("adsorption", "absorption"),
        ("neuron", "neutron"),
        ("neurons", "neutron"),
        ("CO", "Co"),
        ("Co", "CO"),
        ("103", "10³"),
        ("-5", "5"),
        ("15", "1.5"),
        ("1.5", "1,500"),
        ("1 5", "15"),
        ("vitamin", "vitamin A"),
        ("not osmosis", "osmosis"),
        ("osmosis or diffusion", "osmosis"),
        ("osmosis", "diffusion"),
        ("?", "osmosis"),
        ("", "osmosis"),
        ("cat", "car"),
    ],
)
def test_another_word_or_number_is_another(typed: str, accepted: str) -> None:
    assert compare_words(typed, accepted, locale="en-US", others=SUBJECT) is WordLikeness.OTHER


@pytest.mark.parametrize(("typed", "accepted"), [("seperate", "separate"), ("5", "5 kg")])
def test_what_is_nearly_right_is_near(typed: str, accepted: str) -> None:
    assert compare_words(typed, accepted, locale="en-US") is WordLikeness.NEAR


def test_words_beside_the_gap_may_be_repeated() -> None:
    assert compare_words("5 kg", "5", locale="en-US", around="It weighs   kg.") is WordLikeness.SAME
    assert compare_words("weighs 5", "5", locale="en-US", around="It weighs   kg.") is WordLikeness.SAME


@pytest.mark.parametrize(
    ("typed", "accepted", "locale", "is_same"),
    [
        ("1.500", "1500", "es", True),
        ("1.500", "1,5", "es", True),
        ("1,500", "1.5", "en-US", False),
        ("1,500", "1.5", "es", True),
        ("1.234.567", "1234567", "es", True),
        ("1,234.5", "1234.5", "es", True),
    ],
)
def test_numbers_are_read_as_their_language_writes_them(typed: str, accepted: str, locale: str, is_same: bool) -> None:
    assert (compare_words(typed, accepted, locale=locale) is WordLikeness.SAME) is is_same
