"""No sentence of the interface needs the words of those who made it: each of these has made a newcomer read twice."""

import re

import pytest

from services.i18n.messages import read_catalog

BANNED = (
    (re.compile(r"\bread in\b(?! Notion)", re.IGNORECASE), "read"),
    (re.compile(r"\bread(?:s|ing)? (?:\w+ ){0,2}ahead\b", re.IGNORECASE), "read now, read in advance"),
    (re.compile(r"\bat hand\b", re.IGNORECASE), "ready, could be used"),
    (re.compile(r"\bspared?\b", re.IGNORECASE), "saved, less to read"),
    (re.compile(r"\bsearched (?:out|for it)\b", re.IGNORECASE), "looked for"),
    (re.compile(r"\btokens (?:read|written|spared)|\bin tokens\b|\bTokens\b|\bA token is about\b"), "words"),
)
"""A pattern, and what to say instead."""


@pytest.mark.parametrize(("pattern", "instead"), BANNED, ids=[instead for _, instead in BANNED])
def test_no_text_has_a_word_that_a_newcomer_reads_twice(pattern: re.Pattern[str], instead: str) -> None:
    texts = [text for message in read_catalog("es") for text in _english(message.id)]

    assert [text for text in texts if pattern.search(text)] == [], f"say: {instead}"


def _english(id: str | tuple[str, ...]) -> tuple[str, ...]:
    return id if isinstance(id, tuple) else (id,)
