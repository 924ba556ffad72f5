"""Word forms: words that count as the same, as they are misspelled, have one root or mean nearly the same."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

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
    forms = _ENDING.sub("", _DOUBLE.sub(r"\1", text)).split("\n")
    return [form if len(stem) >= LEAST and stem.isalpha() else "" for stem, form in zip(stems, forms, strict=True)]


class SpellingIndex:
    """Stems of a library by their form; built once for an index."""

    def __init__(self, stems: Collection[str]) -> None:
        self._by_form: dict[str, list[str]] = {}
        self._by_length: dict[tuple[str, int], list[tuple[str, int]]] = {}
        self._stems = frozenset(stems)
        ordered = sorted(stems)
        for stem, form in zip(ordered, spelling_forms(ordered), strict=True):
            if form:
                self._by_form.setdefault(form, []).append(stem)
        for form in self._by_form:
            self._by_length.setdefault((form[0], len(form)), []).append((form, _letters(form)))

    def same(self, stem: str) -> list[str]:
        """Stems of the same form."""
        return [other for other in self._by_form.get(spelling_forms([stem])[0], ()) if other != stem]

    def alternating(self, stem: str) -> list[str]:
        """Stems of the library that a verb has as a noun, or a noun as a verb."""
        pairs = [*_ALTERNATIONS, *((noun, verb) for verb, noun in _ALTERNATIONS)]
        made = [stem.removesuffix(own) + other for own, other in pairs if len(stem) > LEAST and stem.endswith(own)]
        return [other for other in made if other in self._stems]

    def near(self, stem: str) -> dict[str, int]:
        """Stems whose form differs in few letters, with how many; the first letter is the same."""
        form = spelling_forms([stem])[0]
        if len(form) < ONE_SLIP - 1:
            return {}
        most, letters = 2 if len(form) >= TWO_SLIPS - 1 else 1, _letters(form)
        found = dict[str, int]()
        for length in range(len(form) - most, len(form) + most + 1):
            for other, its_letters in self._by_length.get((form[0], length), ()):
                # Each slip puts at most one letter in the place of another: few words are left to be compared.
                if (letters ^ its_letters).bit_count() <= 2 * most and (slips := _slips(form, other, most)) <= most:
                    found |= dict.fromkeys(self._by_form[other], slips)
        return found


def _letters(form: str) -> int:
    """The set of a form's letters, as bits."""
    bits = 0
    for letter in form:
        bits |= 1 << (ord(letter) & 31)
    return bits


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
