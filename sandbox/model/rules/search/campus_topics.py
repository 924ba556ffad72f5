"""Campus topics that no course knows: services, deadlines, terms, holidays, exams, how to reach teachers."""

import re
from functools import cache

from sandbox.model.rules.language.patterns import joined, pattern
from sandbox.model.rules.language.vocabulary import sections

TABLE = "campus.txt"


def topic_of(folded: str) -> str:
    """The kind of question that a folded text asks; empty for all others."""
    return next((name for name in KINDS if is_about(name, folded)), "")


def is_about(name: str, folded: str) -> bool:
    """Whether a folded text is about this topic."""
    said, unless = _topic(name)
    return said.search(folded) is not None and not unless.search(folded)


def service_of(folded: str) -> tuple[str, str]:
    """The word by which a campus service's links are kept, and words to search for; both empty when none is named."""
    return next(((topic, words) for topic, words, said in _services() if pattern(said).search(folded)), ("", ""))


@cache
def _services() -> list[tuple[str, str, str]]:
    rows = [line.split(" = ") for line in sections(TABLE)["services"].splitlines()]
    return [(topic, words, said) for topic, words, said in rows]


@cache
def _topic(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    lines = [_with_concepts(line) for line in sections(TABLE)[name].splitlines()]
    unless = [line[2:] for line in lines if line.startswith("- ")]
    return joined(tuple(line for line in lines if not line.startswith("- "))), joined(unless or ["(?!)"])


def _with_concepts(line: str) -> str:
    concepts = dict(entry.split(" = ", 1) for entry in sections(TABLE)["concepts"].splitlines())
    concepts["service"] = "|".join(said for _, _, said in _services())
    for name, words in concepts.items():
        line = line.replace(f"<{name}>", words.replace(" |", "|"))
    return line


KINDS = ("registration", "term", "holidays", "finals", "campus", "contact")
"""In the order in which they are tried."""
