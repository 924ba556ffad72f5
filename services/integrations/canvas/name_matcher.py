"""Fuzzy matching of course and assignment names: "bio", "CS 101", "my writing class", "lab report 6"."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

Item = TypeVar("Item")

_STOP_WORDS = re.compile(
    "a|an|and|assignment|class|classes|course|courses|for|homework|in|lecture|my|of|our|section|seminar|the|to"
    "|asignatura|clase|curso|de|del|el|la|las|los|materia|mi|mis"
)
_LEVELS = re.compile(
    "advanced|basics?|college|elements|foundations|fundamentals|general|honors|intermediate|intro|introduction"
    "|introductory|modern|principles|studies|survey|theory|topics|world"
)
"""Words for the level of a course, not its subject."""
_NUMERALS = {"i": "1", "ii": "2", "iii": "3", "iv": "4"}
_PARTIAL_MATCH = 1
"""Score of several words of which one fits."""
_TYPO_RATIO = 0.8
_SHORTEST_WITH_TYPO = 5
_SAME = (
    "accounting acct contabilidad",
    "anthropology anth antropologia",
    "art arts arte",
    "astronomy astr astro astronomia",
    "biology bio biol biologia biologie",
    "business bus negocios",
    "calculus calc calculo",
    "chemistry chem quimica chemie chimie",
    "communication communications comm comunicacion",
    "computer computing computers comp cs cse informatica informatik computacion",
    "economics econ economia",
    "education educ educacion",
    "engineering engr eng ingenieria",
    "english engl ingles",
    "environmental envs environment ambiental",
    "geography geog geografia",
    "geology geol geologia",
    "government govt gobierno",
    "history hist historia geschichte histoire",
    "law derecho",
    "linguistics ling linguistica",
    "literature lit literatura",
    "math maths mathematics mates matematica matematicas mathe",
    "medicine med medicina",
    "music musica",
    "philosophy phil philo filosofia",
    "physics phys fisica physik",
    "politics political pols poli politica",
    "programming prog coding programacion programmieren cs informatica",
    "psychology psych psyc psy psycho psicologia psychologie",
    "sociology soc soci sociologia",
    "spanish span espanol",
    "statistics stats stat estadistica",
    "writing writ composition escritura redaccion schreiben",
)
_SUBJECTS = tuple(frozenset(line.split()) for line in _SAME)
_BY_WORD = {word: [subject for subject in _SUBJECTS if word in subject] for subject in _SUBJECTS for word in subject}


def best_matches(items: Sequence[Item], wanted: str, names: Callable[[Item], Sequence[str]]) -> list[Item]:
    """List the items whose names fit the words best, several when they fit alike, none when nothing fits."""
    ranks = [_likeness_of_any(names(item), wanted) for item in items]
    highest = max(ranks, default=0)
    return [item for item, rank in zip(items, ranks, strict=True) if rank and rank == highest]


def contains_words(text: str, wanted: str, *, typos: bool = True) -> bool:
    """Check that a text has every wanted word: whole, as a beginning, or (slow in long texts) mistyped."""
    asked, own = _words(wanted), _words(text)
    if not asked:
        return wanted.strip().casefold() in text.casefold()
    return all(any(mine.startswith(word) or (typos and _is_typo(word, mine)) for mine in own) for word in asked)


def names_another_course(names: Sequence[str], wanted: str) -> bool:
    """Check whether words that only partly fit a course's names mean another course.

    They name a subject or a number that it does not have ("calculus 3"), or share only a word like "introduction".
    """
    if _likeness_of_any(names, wanted) > _PARTIAL_MATCH:
        return False
    own = _words(" ".join(names))
    fitting = {word: any(_is_like(word, mine) for mine in own) for word in _words(wanted)}
    missing = [word for word, fits in fitting.items() if not fits]
    shared = [word for word, fits in fitting.items() if fits]
    names_more = any(is_subject(word) or word.isdecimal() for word in missing)
    return names_more or (bool(missing) and all(_LEVELS.fullmatch(word) for word in shared))


def without_accents(text: str) -> str:
    """Fold case and remove accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def _likeness_of_any(names: Sequence[str], wanted: str) -> int:
    return max((_likeness(name, wanted) for name in (*names, " ".join(names))), default=0)


def _is_like(word: str, mine: str) -> bool:
    is_same = _abbreviates(word, mine) or same_subject(word, mine) or _NUMERALS.get(mine) == word
    return is_same or _is_typo(word, mine)


def _likeness(name: str, wanted: str) -> int:
    """Score how well the words fit a name, from 7 (the same) to 0 (not at all)."""
    asked, own = _words(wanted), _words(name)
    if not asked or not own:
        return 0
    if asked == own or "".join(asked) == "".join(own):
        return 7
    if all(word in own for word in asked):
        return 6
    if "".join(own).startswith("".join(asked)) or "".join(asked) == _initials(own) or _initials(asked) in own:
        return 5
    if all(any(_abbreviates(word, mine) for mine in own) for word in asked):
        return 4
    if all(any(_abbreviates(word, mine) or same_subject(word, mine) for mine in own) for word in asked):
        return 3
    if all(any(_is_typo(word, mine) or same_subject(word, mine) for mine in own) for word in asked):
        return 2
    return _PARTIAL_MATCH * any(mine.startswith(word) for mine in own for word in asked if len(word) > 3)


def _initials(words: Sequence[str]) -> str | None:
    """Initials of several words: "cs" for computer science; None for a single word."""
    return "".join(word[0] for word in words) if len(words) > 1 else None


def _abbreviates(word: str, mine: str) -> bool:
    """Check whether a word abbreviates another or the reverse: "bio" of biology, and the code HIST of history."""
    return mine.startswith(word) or (len(mine) >= 3 and word.startswith(mine))


def _is_typo(word: str, meant: str) -> bool:
    """Check for a typo; a number is never a typo of another one."""
    if word.isdecimal() or meant.isdecimal():
        return word == meant
    return _is_single_typo(word, meant) or SequenceMatcher(None, word, meant).ratio() >= _TYPO_RATIO


def _is_single_typo(word: str, meant: str) -> bool:
    """Check for one letter missing, too many, wrong or swapped with the next; short words allow none."""
    if min(len(word), len(meant)) < _SHORTEST_WITH_TYPO or abs(len(word) - len(meant)) > 1:
        return word == meant
    same = next((at for at, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), min(len(word), len(meant)))
    rest, other = word[same:], meant[same:]
    is_swapped = rest[:2] == other[:2][::-1] and rest[2:] == other[2:]
    return rest[1:] == other or rest == other[1:] or rest[1:] == other[1:] or is_swapped


def _words(text: str) -> list[str]:
    """Split into significant words without case and accents; letters and digits apart, so that "cs101" is "cs 101"."""
    return [word for word in re.findall(r"[^\W\d_]+|\d+", without_accents(text)) if not _STOP_WORDS.fullmatch(word)]


def same_subject(word: str, other: str) -> bool:
    """Check whether two plain words (no accents, lower case) name the same subject: "escritura" and "writ"."""
    return any(other in subject for subject in _BY_WORD.get(word, ()))


def is_subject(word: str) -> bool:
    """Check whether a plain word names a subject."""
    return word in _BY_WORD
