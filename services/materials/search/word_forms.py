"""Word forms: words that count as the same, as they are misspelled, have one root or mean nearly the same."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from zlib import crc32

import numpy as np
import numpy.typing as npt

from services.materials.search.stems import both_stems

RELATED_WORDS = Path(__file__).with_name("related_words.txt")
_RULES = (
    ("ph", "f"),
    ("th", "t"),
    ("rh", "r"),
    ("qu", "k"),
    ("ch", "k"),
    ("ck", "k"),
    ("ae", "e"),
    ("oe", "e"),
    ("our", "or"),
    ("y", "i"),
    ("z", "s"),
    ("x", "s"),
    ("w", "u"),
)
_SOFT_C = re.compile(r"c(?=[ei])")
_DOUBLE = re.compile(r"([a-z])\1")
_ENDING = re.compile(r"[aeiou]+s?$", re.MULTILINE)
_ALTERNATIONS = (
    ("ceiv", "cept"),
    ("scrib", "script"),
    ("olv", "olut"),
    ("sum", "sumpt"),
    ("orb", "orpt"),
    ("ert", "ers"),
    ("uc", "uct"),
    ("d", "s"),
    ("t", "ss"),
)
"""Ends of Latin stems, of verbs and of their nouns: to collide, a collision; to perceive, perception."""
LEAST = 4
"""Letters of a word before others count as the same word spelled differently."""
ONE_SLIP, TWO_SLIPS = 5, 9
"""Letters from which on a form may differ in one, and in two."""


def spelling_forms(stems: Sequence[str]) -> list[str]:
    """The form of each stem, which is the same for "cholesterol" and "colesterol"; "" for short words and numbers.

    All are rewritten as one text: 20,000 take some 10 ms.
    """
    text = _DOUBLE.sub(r"\1", "\n".join(stems))
    for spelled, sounded in _RULES:
        text = text.replace(spelled, sounded)
    text = _SOFT_C.sub("s", text).replace("c", "k").replace("h", "")
    forms = _ENDING.sub("", _DOUBLE.sub(r"\1", text)).split("\n") if stems else []
    return [form if len(stem) >= LEAST and stem.isalpha() else "" for stem, form in zip(stems, forms, strict=True)]


class SpellingIndex:
    """Stems of a library by their form; built once for an index, in arrays: some 40 bytes a stem."""

    def __init__(self, stems: Collection[str]) -> None:
        ordered = sorted(stems)
        forms = spelling_forms(ordered)
        self._stems, self._forms = _WordList(ordered), _WordList(forms)
        hashes = np.fromiter((crc32(form.encode()) for form in forms), np.uint32, len(forms))
        self._order = np.argsort(hashes, kind="stable").astype(np.int32)
        self._hashes = hashes[self._order]

    @property
    def nbytes(self) -> int:
        """Memory of the index, about."""
        return self._stems.nbytes + self._forms.nbytes + self._order.nbytes + self._hashes.nbytes

    def same(self, stem: str) -> list[str]:
        """Stems of the same form."""
        form = spelling_forms([stem])[0]
        hashed = np.uint32(crc32(form.encode()))
        first, last = (int(np.searchsorted(self._hashes, hashed, side)) for side in ("left", "right"))
        found = [int(number) for number in self._order[first:last]] if form else []
        others = [self._stems[number] for number in found if self._forms[number] == form]
        return [other for other in others if other != stem]

    def alternating(self, stem: str) -> list[str]:
        """Stems that a verb may have as a noun, or a noun as a verb, whether the library has them or not."""
        pairs = [*_ALTERNATIONS, *((noun, verb) for verb, noun in _ALTERNATIONS)]
        return [stem.removesuffix(own) + other for own, other in pairs if len(stem) > LEAST and stem.endswith(own)]

    def near(self, stem: str) -> dict[str, int]:
        """Stems whose form differs in few letters, with how many; the first letter is the same."""
        form = spelling_forms([stem])[0]
        if len(form) < ONE_SLIP - 1:
            return {}
        most = 2 if len(form) >= TWO_SLIPS - 1 else 1
        found = dict[str, int]()
        for number in self._forms.alike(form, most):
            if (slips := _slips(form, self._forms[number], most)) <= most:
                found[self._stems[number]] = slips
        return found


class _WordList:
    """Words in one text, with where each begins, and what tells quickly that two cannot be alike."""

    def __init__(self, words: Sequence[str]) -> None:
        self._text = "\n".join(words)
        self._lengths = np.fromiter(map(len, words), np.int32, len(words))
        self._starts = np.cumsum(self._lengths + 1, dtype=np.int32) - self._lengths - 1

    @property
    def nbytes(self) -> int:
        return len(self._text) + 3 * self._starts.nbytes

    def __getitem__(self, number: int) -> str:
        start = int(self._starts[number])
        return self._text[start : start + int(self._lengths[number])]

    def alike(self, word: str, most: int) -> list[int]:
        """Numbers of the words with the same first letter that may differ from a word in so many letters at most."""
        # Each slip puts at most one letter in the place of another: few words are left to be compared.
        is_long_enough = (np.abs(self._lengths - len(word)) <= most) & (self._lengths > 0)
        differing = np.bitwise_count(self._letters ^ _letter_sets(word, np.zeros(1, np.int32))[0])
        candidates = np.flatnonzero(is_long_enough & (differing <= 2 * most))
        return [int(number) for number in candidates if self._text[int(self._starts[number])] == word[0]]

    @cached_property
    def _letters(self) -> npt.NDArray[np.uint32]:
        return _letter_sets(self._text, self._starts)


def _letter_sets(text: str, starts: npt.NDArray[np.int32]) -> npt.NDArray[np.uint32]:
    """The set of letters from each start to the next one, as bits."""
    codes = np.frombuffer(f"{text}\n".encode("utf-32-le"), np.uint32)
    # What parts two words is in every set, and so in no difference of two.
    bits = np.left_shift(np.uint32(1), codes & 31, dtype=np.uint32)
    return np.bitwise_or.reduceat(bits, starts) if len(starts) else np.zeros(0, np.uint32)


def _slips(a: str, b: str, most: int) -> int:
    """Edits between two words (Damerau's: two letters in the wrong order are one), or more than `most`."""
    before, row = list[int](), list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        current = [i]
        for j, other in enumerate(b, start=1):
            least = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                least = min(least, before[j - 2] + 1)
            current.append(least)
        if min(current) > most:
            return most + 1
        before, row = row, current
    return row[-1]


def related_stems(stem: str) -> frozenset[str]:
    """Stems of the words that mean nearly the same; empty for most words."""
    return _groups().get(stem, frozenset())


@cache
def _groups() -> Mapping[str, frozenset[str]]:
    """Each stem with those of its groups; read at the first question, in some 20 ms."""
    lines = (
        line.split() for line in RELATED_WORDS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
    )
    found: dict[str, frozenset[str]] = {}
    for words in lines:
        stems = [both_stems(word) for word in words]
        group = frozenset().union(*stems)
        for own in stems:
            for stem in own:
                found[stem] = found.get(stem, frozenset()) | group - own
    return found
