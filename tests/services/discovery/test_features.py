"""A text becomes positions and values: the same for the same text, much the same for one that is spelled worse."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.discovery.features import SIZE, Features, features
from services.discovery.lexicon import lexicon


def shared(features: Features, other: Features) -> float:
    a, b = set(features.positions.tolist()), set(other.positions.tolist())
    return len(a & b) / len(a | b)


@given(st.text(max_size=60))
@settings(max_examples=50)
def test_any_text_has_features_within_the_table(text: str) -> None:
    found = features(text)

    assert len(found.positions) == len(found.values) > 0
    assert found.positions.max() < SIZE
    assert np.isfinite(found.values).all()


def test_accents_capitals_and_drawn_out_letters_make_no_difference() -> None:
    assert shared(features("¿Cuándo es la PRÓXIMA reunión?"), features("¿cuando es la proxima reunion?")) == 1
    assert shared(features("pleaaaaaase"), features("pleaase")) == 1


def test_a_typo_leaves_much_in_common() -> None:
    typo = shared(features("when is my assignment due"), features("when is my asignment due"))

    assert typo > 0.5 > shared(features("when is my assignment due"), features("tell me a joke"))


def test_languages_share_ideas() -> None:
    ideas = [lexicon().names(features(text).ideas) for text in ("remind me", "recuérdame", "提醒我", "напомни мне")]

    assert all("remind" in found for found in ideas)


def test_a_long_text_is_read_at_both_ends_alone() -> None:
    text = f"Proofread this: {'and so on ' * 5_000} Thanks!"

    found = features(text)
    assert len(found.positions) < 3_000
    assert {"proofread", "thanks"} <= set(found.words)


@pytest.mark.parametrize("text", ["", " ", "?", "🙂", "ノート"])
def test_texts_with_hardly_a_word_are_fine(text: str) -> None:
    assert len(features(text).positions) > 0
