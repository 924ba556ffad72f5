"""Word forms: a misspelled word finds exactly the words that differ in as few letters."""

from hypothesis import given
from hypothesis import strategies as st

from services.materials.search.word_forms import LEAST, ONE_SLIP, TWO_SLIPS, SpellingIndex, _slips, spelling_forms

LETTERS = "abcdeosnñωσχ"
words = st.lists(st.text(LETTERS, max_size=12), max_size=30, unique=True)


@given(words, st.text(LETTERS, max_size=12))
def test_whatever_the_library_a_word_finds_all_words_within_its_slips_and_no_others(
    stems: list[str], word: str
) -> None:
    form = spelling_forms([word])[0]
    most = 0 if len(form) < ONE_SLIP - 1 else 2 if len(form) >= TWO_SLIPS - 1 else 1
    index = SpellingIndex(stems)

    slips = {
        stem: found
        for stem, other in zip(stems, spelling_forms(stems), strict=True)
        if most and other and other[0] == form[0] and (found := _slips(form, other, most)) <= most
    }
    same = [stem for stem in stems if form and stem != word and spelling_forms([stem])[0] == form]

    assert index.near(word) == slips
    assert sorted(index.same(word)) == sorted(same)


def test_words_of_one_sound_are_the_same_and_short_ones_are_not() -> None:
    index = SpellingIndex(["cholesterol", "colesterol", "cat", "kat", "4you"])

    assert index.same("colesterol") == ["cholesterol"]
    assert index.near("kolesterol") == {"cholesterol": 0, "colesterol": 0}
    assert index.same("kat") == []
    assert all(len(stem) >= LEAST for stem in index.near("colesterol"))


def test_a_library_takes_tens_of_bytes_a_word() -> None:
    stems = [f"word{letter}{other}{third}" for letter in LETTERS for other in LETTERS for third in LETTERS]

    assert SpellingIndex(stems).nbytes < 60 * len(stems)
