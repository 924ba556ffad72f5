"""Likeness of two folded words: a short form, the same subject, a typo."""

from enum import IntEnum

from services.integrations.kit.subject_words import is_subject, same_subject

_SHORTEST_WITH_TYPO = 5
_SHORTEST_CODE = 3
_OPPOSITES = (("micro", "macro"), ("inter", "intra"), ("hypo", "hyper"), ("pre", "post"), ("over", "under"))


class Likeness(IntEnum):
    """How alike two words are, the most alike last."""

    NONE = 0
    TYPO = 1
    SUBJECT = 2
    ABBREVIATION = 3
    SAME = 4


def likeness(word: str, meant: str, *, is_code: bool = False) -> Likeness:
    """Compare a word with one that may be meant; what names another subject is neither short form nor typo.

    is_code: the one that may be meant abbreviates a subject, as PHYS in the code of a course.
    """
    if word == meant:
        return Likeness.SAME
    if same_subject(word, meant):
        return Likeness.ABBREVIATION if meant.startswith(word) or word.startswith(meant) else Likeness.SUBJECT
    if is_subject(word) and is_subject(meant):
        return Likeness.NONE
    if len(word) > 1 and meant.startswith(word):
        return Likeness.ABBREVIATION
    if is_code and len(meant) >= _SHORTEST_CODE and word.startswith(meant) and not is_subject(meant):
        return Likeness.ABBREVIATION
    return Likeness.TYPO if not is_subject(word) and _is_typo(word, meant) else Likeness.NONE


def _is_typo(word: str, meant: str) -> bool:
    """Check for a typo. The first letter is seldom one: "inorganic" is not "organic"."""
    if word[0] != meant[0] and not _is_swapped(word, meant):
        return False
    return _is_single_typo(word, meant) and not any(_differ(word, meant, pair) for pair in _OPPOSITES)


def _is_swapped(word: str, meant: str) -> bool:
    return word[:2] == meant[:2][::-1] and word[2:] == meant[2:]


def _differ(word: str, meant: str, pair: tuple[str, str]) -> bool:
    first, second = pair
    return (word.startswith(first) and meant.startswith(second)) or (
        word.startswith(second) and meant.startswith(first)
    )


def _is_single_typo(word: str, meant: str) -> bool:
    """Check for one letter missing, too many, wrong or swapped with the next; short words allow none."""
    if min(len(word), len(meant)) < _SHORTEST_WITH_TYPO or abs(len(word) - len(meant)) > 1:
        return False
    same = next((at for at, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), min(len(word), len(meant)))
    rest, other = word[same:], meant[same:]
    is_swapped = rest[:2] == other[:2][::-1] and rest[2:] == other[2:]
    return rest[1:] == other or rest == other[1:] or rest[1:] == other[1:] or is_swapped
