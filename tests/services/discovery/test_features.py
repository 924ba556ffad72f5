"""A text becomes positions and values: the same for the same text, much the same for one that is spelled worse."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.discovery.features import PRIOR_LENGTH, SIZE, Features, features, prior_texts
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


HISTORY = [
    {"role": "user", "content": "what is due this week"},
    {"role": "assistant", "content": "Two essays."},
    {"role": "user", "content": "and my grades"},
    {"role": "assistant", "content": "You have a B. Shall I add the deadlines to your calendar?"},
]


def test_the_last_turns_and_what_was_offered_are_told_apart() -> None:
    before = prior_texts(HISTORY)

    assert before.before == "and my grades"
    assert before.earlier == ("what is due this week",)
    assert before.offer == "Shall I add the deadlines to your calendar?"


def test_an_answer_without_a_question_offers_nothing() -> None:
    assert prior_texts(HISTORY[:2]).offer == ""


def test_nothing_was_said_before_a_first_message() -> None:
    assert prior_texts([]).before == prior_texts([]).reply == ""


def test_long_answers_are_read_at_both_ends_alone() -> None:
    before = prior_texts(
        [{"role": "user", "content": "x " * 9_000}, {"role": "assistant", "content": "y. " * 9_000 + "Ok?"}]
    )

    assert len(before.before) <= PRIOR_LENGTH + 1
    assert len(before.reply) <= PRIOR_LENGTH + 1
    assert before.offer == "Ok?"
