"""Related words: what else a word of a question may be called, in English and Spanish."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from services.materials.search.stems import both_stems

FILE = Path(__file__).with_name("related_words.txt")


def related_stems(stem: str) -> frozenset[str]:
    """Stems of the words that mean nearly the same; empty for most words."""
    return _groups().get(stem, frozenset())


@cache
def _groups() -> Mapping[str, frozenset[str]]:
    """Each stem with those of its groups; read at the first question, in some 20 ms."""
    lines = (line.split() for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    found: dict[str, frozenset[str]] = {}
    for words in lines:
        stems = [both_stems(word) for word in words]
        group = frozenset().union(*stems)
        for own in stems:
            for stem in own:
                found[stem] = found.get(stem, frozenset()) | group - own
    return found
