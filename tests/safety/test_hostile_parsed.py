"""Every attack of the corpus comes out of the sanitiser as words, whole and at every moment of a stream."""

import re

import pytest

from services.safety.markdown.sanitiser import StreamSanitiser, sanitise
from services.safety.text import literal
from tests.safety.acting import acting
from tests.safety.hostile_markdown import ALLOWED, attacks
from tests.telling import telling

ATTACKS = attacks()


@pytest.mark.parametrize("name", telling(ATTACKS, lambda name: name.endswith(("1", "6"))))
def test_an_attack_becomes_words(name: str) -> None:
    written = sanitise(ATTACKS[name], allowed=ALLOWED)

    assert acting(written, ALLOWED) == []
    assert outside_code(written) == []
    assert sanitise(written, allowed=ALLOWED) == written


@pytest.mark.parametrize(
    "name", telling([name for name, text in ATTACKS.items() if len(text) < 500], lambda name: name.endswith(("2", "4")))
)
def test_no_moment_of_a_stream_lets_an_attack_act(name: str) -> None:
    stream = StreamSanitiser(allowed=ALLOWED)

    for end in range(len(ATTACKS[name]) + 1):
        assert acting(stream.render(ATTACKS[name][:end]), ALLOWED) == []


@pytest.mark.parametrize("name", telling(ATTACKS, lambda name: name.endswith(("3", "8"))))
def test_a_label_shows_an_attack_as_it_is_written(name: str) -> None:
    assert acting(literal(ATTACKS[name]), ALLOWED) == []


def test_the_corpus_is_large_and_each_attack_has_a_host_of_its_own() -> None:
    assert len(ATTACKS) >= 120
    assert len(set(ATTACKS.values())) == len(ATTACKS)


def outside_code(markdown: str) -> list[str]:
    """Image and link brackets, tags and addresses outside code, found without a parser."""
    text = re.sub(r"(?ms)^[ >\d.)\[\]^a:-]*(`{3,})[^\n]*\n.*?^[ >]*\1`*$", "", markdown)
    text = re.sub(r"(?<![\\`])(`+)(?!`).+?(?<!`)\1(?!`)", "", text)
    text = re.sub(r"\\[!-/:-@\[-`{-~]", "", text)
    return re.findall(r"!\[|\]\([^)]*|<[a-zA-Z/!?]|https?://\S+|www\.\S+|:[a-z]+\[", text)
