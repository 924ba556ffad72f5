"""What is quoted is told apart from what is said, whatever the marks, and an apostrophe is no mark."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.discovery.normalisation import QUOTE, normalise, split_quotes, words_of


@pytest.mark.parametrize(
    ("text", "said", "quoted"),
    [
        ('translate "my homework is late"', f"translate {QUOTE}", "my homework is late"),
        ("fix 'she don't know' and 'so what'", f"fix {QUOTE} and {QUOTE}", "she don't know so what"),
        ("say «buenos días» twice", f"say {QUOTE} twice", "buenos dias"),
        ("what's in my friends' notes, isn't it", "what's in my friends' notes isn't it", ""),
        ('"nothing else"', "nothing else", ""),
        ('an open " mark', "an open mark", ""),
    ],
)
def test_what_is_said_stands_apart_from_what_is_quoted(text: str, said: str, quoted: str) -> None:
    outside, inside = split_quotes(normalise(text))

    assert words_of(outside) == words_of(said)
    assert inside == quoted


@given(st.text(alphabet="ab '\"«»", max_size=40))
def test_no_word_is_lost_or_made(text: str) -> None:
    outside, inside = split_quotes(normalise(text))

    assert sum(map(str.isalpha, outside.replace(QUOTE, "") + inside)) == sum(map(str.isalpha, normalise(text)))
