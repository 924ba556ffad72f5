"""What has a form is known by it, and what merely looks like it is left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.discovery.normalisation import QUOTE, mark_patterns, normalise, split_quotes, words_of


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("is https://example.org/a?b=c up", "address"),
        ("does portfolio.github.io load", "address"),
        ("write to maya@campus.example", "mailbox"),
        ("open PROJ-123", "issuekey"),
        ("due on 2026-11-24", "date"),
        ("due Nov 24th", "date"),
        ("el 3 de marzo", "date"),
        ("at 3:30pm", "clock"),
        ("move it to Thursday", "weekday"),
        ("el miércoles", "weekday"),
        ("grade in BIO 101", "coursecode"),
        ("what changed in train.py", "file"),
        ("the readme of pallets/flask", "slug"),
        ("release v0.3.1", "version"),
        ("close #42", "numbered"),
    ],
)
def test_a_form_is_known(text: str, kind: str) -> None:
    _, kinds = mark_patterns(normalise(text))

    assert kind in kinds


@pytest.mark.parametrize("text", ["covid-19 cases", "page 100", "in 200 words", "and/or", "utf-8"])
def test_what_only_looks_like_a_key_or_a_course_is_not_one(text: str) -> None:
    _, kinds = mark_patterns(normalise(text))

    assert not {"issuekey", "coursecode"} & set(kinds)


def test_a_form_is_replaced_by_its_kind() -> None:
    text, kinds = mark_patterns("see https://example.org/private?token=1 by friday")

    assert kinds == ("address", "weekday")
    assert "token" not in text
    assert "xxaddress" in text
    assert "friday" in text


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
