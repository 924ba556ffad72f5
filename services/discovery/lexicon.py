"""Multilingual lexicon: words that mean the same idea ("deadline", "due", "vence", "마감"), mistyped or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from services.discovery.normalisation import UNSPACED

FILE = Path(__file__).with_name("lexicon.txt")
_KOREAN = re.compile("[\uac00-\ud7a3]")
_DOUBLED = re.compile(r"(.)\1")
_NO_IDEAS: frozenset[int] = frozenset()
_NO_WORDS: frozenset[str] = frozenset()
SHORTEST_TYPO = 5
"""Letters below which a typing error makes another word too easily."""
_LONG_WORD = 7
"""Letters from which on one of them may also be another."""


class TypoIndex:
    """Deletion index (as in SymSpell) of known words, to correct one typing error.

    Doubled letters make no difference; one letter may be left out, added, or swapped with the next.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._by_rest: dict[str, set[tuple[str, str]]] = {}
        for word in known:
            if len(word) >= SHORTEST_TYPO and word.isalpha():
                single = _undoubled(word)
                for rest in _deletions(single):
                    self._by_rest.setdefault(rest, set()).add((single, word))

    def corrections(self, word: str) -> frozenset[str]:
        """The known words at one typing error from a word; none for a word that is too short to tell."""
        if len(word) < SHORTEST_TYPO:
            return _NO_WORDS
        single = _undoubled(word)
        near = {pair for rest in _deletions(single) if rest in self._by_rest for pair in self._by_rest[rest]}
        return frozenset(known for other, known in near if _is_typo(single, other)) if near else _NO_WORDS


def _undoubled(word: str) -> str:
    return _DOUBLED.sub(r"\1", word)


def _deletions(word: str) -> list[str]:
    """The word, and the word without each of its letters: two words with an error between them share one of these."""
    return [word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]


def _is_typo(word: str, other: str) -> bool:
    start = next((at for at, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    word, other, length = word[start:], other[start:], len(word)
    while word and other and word[-1] == other[-1]:
        word, other = word[:-1], other[:-1]
    match len(word), len(other):
        case (0, 0) | (0, 1) | (1, 0):
            return True
        case (1, 1):
            return length >= _LONG_WORD
        case (2, 2):
            return word == other[::-1]
    return False


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """Look-up of the ideas in a text; they are numbered in the order of the file.

    first_words: of each idea, by its name, the one that stands for it. words: whole words. beginnings: of words
    ("assignment*"). phrases: by their first word. parts: anywhere in a text of a
    script that puts no spaces between words.
    """

    ideas: tuple[str, ...]
    first_words: Mapping[str, str]
    words: Mapping[str, frozenset[int]]
    beginnings: Mapping[str, frozenset[int]]
    phrases: Mapping[str, Sequence[tuple[list[str], int]]]
    parts: Mapping[str, frozenset[int]]
    typos: TypoIndex
    lengths: Sequence[int]
    longest_part: int

    def ideas_of(self, words: Sequence[str], text: str) -> list[frozenset[int]]:
        """The ideas of each word that has some, in the order of the text."""
        found = [ideas for ideas in (self._word(words, index) for index in range(len(words))) if ideas]
        if UNSPACED.search(text):
            found += self._unspaced(text)
        return found

    def names(self, numbers: Iterable[int]) -> frozenset[str]:
        return frozenset(self.ideas[number] for number in numbers)

    def words_for(self, ideas: Iterable[str]) -> list[str]:
        return [self.first_words[idea] for idea in ideas if idea in self.first_words]

    def _unspaced(self, text: str) -> Iterator[frozenset[int]]:
        for start in range(len(text)):
            for length in range(1, self.longest_part + 1):
                if ideas := self.parts.get(text[start : start + length]):
                    yield ideas

    def _word(self, words: Sequence[str], index: int) -> frozenset[int]:
        word = words[index]
        ideas = self._alone(word)
        for phrase, idea in self.phrases.get(word, ()):
            if words[index : index + len(phrase)] == phrase:
                ideas |= {idea}
        return ideas

    def _alone(self, word: str) -> frozenset[int]:
        ideas = self.words.get(word, _NO_IDEAS)
        for length in self.lengths:
            if length > len(word):
                break
            if more := self.beginnings.get(word[:length]):
                ideas |= more
        if word.startswith("ال"):
            # The Arabic article is written as a part of its word.
            ideas |= self.words.get(word[2:], _NO_IDEAS)
        return ideas or self._mistyped(word)

    def _mistyped(self, word: str) -> frozenset[int]:
        """The ideas of the words that this one is a typing error of."""
        near = self.typos.corrections(word)
        if word.endswith("s"):
            near = near | self.typos.corrections(word[:-1])
        ideas = (self.words.get(known, _NO_IDEAS) | self.beginnings.get(known, _NO_IDEAS) for known in near)
        return _NO_IDEAS.union(*ideas) if near else _NO_IDEAS


@cache
def lexicon() -> Lexicon:
    """Load the shipped lexicon; a few milliseconds, once for each process."""
    return parse(FILE.read_text(encoding="utf-8").splitlines())


def parse(lines: Iterable[str]) -> Lexicon:
    """Parse lines of an idea, a colon and its words; an idea may have several lines, a word several ideas."""
    ideas: dict[str, int] = {}
    first_words: dict[str, str] = {}
    kinds: tuple[dict[str, set[int]], ...] = ({}, {}, {})
    phrases: dict[str, list[tuple[list[str], int]]] = {}
    words, beginnings, parts = kinds
    for idea, word in _entries(lines):
        number = ideas.setdefault(idea, len(ideas))
        first_words.setdefault(idea, word.strip("*").replace("_", " "))
        if UNSPACED.search(word):
            parts.setdefault(word, set()).add(number)
        elif "_" in word:
            phrases.setdefault(word.split("_")[0], []).append((word.split("_"), number))
        elif word.endswith("*") or (_KOREAN.search(word) and len(word) > 1):
            beginnings.setdefault(word.removesuffix("*"), set()).add(number)
        else:
            words.setdefault(word, set()).add(number)
    return Lexicon(
        ideas=tuple(ideas),
        first_words=first_words,
        words=_frozen(words),
        beginnings=_frozen(beginnings),
        phrases=phrases,
        parts=_frozen(parts),
        typos=TypoIndex((*words, *beginnings)),
        lengths=sorted({len(beginning) for beginning in beginnings}),
        longest_part=max(map(len, parts), default=0),
    )


def _entries(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if line.strip() and not line.startswith("#"):
            idea, _, words = line.partition(":")
            yield from ((idea, word) for word in words.split())


def _frozen(found: Mapping[str, set[int]]) -> dict[str, frozenset[int]]:
    return {word: frozenset(ideas) for word, ideas in found.items()}
