"""Names that a student's words mean, of courses, assignments, events, pages, tasks: one rule for all of them.

Exact before close; a number belongs to the words beside it and never meets another number; what fits alike is listed,
so that the student can be asked.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TypeVar

from services.integrations.kit.name_words import GENERIC, NameWord, name_words, without_accents
from services.integrations.kit.word_likeness import Likeness, likeness

Item = TypeVar("Item")

_CODE_FROM = 100
"""Numbers from here on are codes and years: they stand for themselves, whatever word is beside them."""
_SHORTEST_TELLING = 4


class Fit(IntEnum):
    """How well words fit a name, the best last; from `WORDS` on each of them stands in the name."""

    NONE = 0
    TYPO = 1
    SUBJECT = 2
    ABBREVIATION = 3
    INITIALS = 4
    GENERIC = 5
    WORDS = 6
    BUT_NUMBER = 7
    HEAD = 8
    EXACT = 9


_FIT_OF = {
    Likeness.NONE: Fit.NONE,
    Likeness.TYPO: Fit.TYPO,
    Likeness.SUBJECT: Fit.SUBJECT,
    Likeness.ABBREVIATION: Fit.ABBREVIATION,
    Likeness.SAME: Fit.WORDS,
}


def _nowhere(item: object) -> Sequence[str]:
    return ()


def best_matches(
    items: Sequence[Item],
    wanted: str,
    names: Callable[[Item], Sequence[str]],
    *,
    place: Callable[[Item], Sequence[str]] = _nowhere,
    about: Callable[[Item], Sequence[str]] = _nowhere,
) -> list[Item]:
    """List the items that the words mean: one when only one fits best, several to ask about, none when nothing fits.

    names: what an item is called. place: what it stands in, such as its course's name and code. about: what else is
    known of it. Words of these two may be among the wanted ones. An exact name hides the others of its place, but no
    "Final exam (bluebook)" of another.
    """
    asked = name_words(wanted)
    fitting = [(_fit_of_any(names(item), asked, wanted, (*place(item), *about(item))), item) for item in items]
    best = max((fit for fit, _ in fitting), default=Fit.NONE)
    if best < Fit.WORDS:
        return [item for fit, item in fitting if best and fit == best]
    by_place: dict[tuple[str, ...], list[tuple[Fit, Item]]] = defaultdict(list)
    for fit, item in fitting:
        if fit >= Fit.WORDS:
            by_place[tuple(place(item))].append((fit, item))
    is_numbered = any(word.values for word in asked)
    found = [pair for pairs in by_place.values() for pair in _leading(pairs, is_numbered)]
    found.sort(key=lambda pair: -pair[0])
    exact = [item for fit, item in found if fit is Fit.EXACT]
    is_plain = len(exact) == 1 and len(found) > 1 and found[1][0] is Fit.WORDS
    return exact if is_plain else [item for _, item in found]


def near_matches(items: Sequence[Item], wanted: str, names: Callable[[Item], Sequence[str]]) -> list[Item]:
    """List the items that share most words with the wanted ones, for "did you mean"; none when none share any."""
    asked = name_words(wanted)
    shared = [len(_shared(_all_words(names(item)), asked)) for item in items]
    most = max(shared, default=0)
    return [item for item, number in zip(items, shared, strict=True) if most and number == most]


def split_words(names: Sequence[str], wanted: str) -> tuple[list[NameWord], list[NameWord]]:
    """Split wanted words into those that the names have, in any form, and those that they lack."""
    own, asked = _all_words(names), name_words(wanted)
    had = [word for word in asked if _word_fit(word, own)]
    return had, [word for word in asked if word not in had and word.text not in GENERIC]


def contains_words(text: str, wanted: str, *, typos: bool = True) -> bool:
    """Check that a text has every wanted word: whole, as a beginning, or (slow in long texts) mistyped.

    A wanted number stands beside the same word in the text, or alone.
    """
    asked = name_words(wanted)
    if not asked:
        return wanted.strip().casefold() in text.casefold()
    folded = without_accents(text)
    if not typos and not all(word.values or word.text[:3] in folded for word in asked):
        return False
    own = name_words(text)
    least = Fit.TYPO if typos else Fit.ABBREVIATION
    return all((fit := _word_fit(word, own)) >= least and fit is not Fit.SUBJECT for word in asked)


def _all_words(names: Sequence[str]) -> tuple[NameWord, ...]:
    return name_words(": ".join(names))


def _shared(own: Sequence[NameWord], asked: Sequence[NameWord]) -> list[NameWord]:
    return [word for word in asked if (word.values or len(word.text) >= _SHORTEST_TELLING) and _word_fit(word, own) > 0]


def _leading(pairs: list[tuple[Fit, Item]], is_numbered: bool) -> list[tuple[Fit, Item]]:
    """What leads in one place: exact names, or heads that are what was asked when that is as clear as "essay 3"."""
    exact = [pair for pair in pairs if pair[0] is Fit.EXACT]
    heads = [pair for pair in pairs if pair[0] is Fit.HEAD] if is_numbered else []
    return exact or heads or pairs


def _fit_of_any(names: Sequence[str], asked: Sequence[NameWord], wanted: str, about: Sequence[str]) -> Fit:
    plain = _plain(wanted)
    if plain[0] and any(_plain(name) == plain for name in names):
        return Fit.EXACT
    own = [name_words(name) for name in names]
    if len(names) > 1:
        own.append(_all_words(names))
    fit = max((_fit(words, asked, ()) for words in own), default=Fit.NONE)
    if fit is Fit.NONE and about:
        around = _all_words(about)
        fit = max(_fit(words, asked, around) for words in own)
    return fit


def _plain(text: str) -> tuple[str, list[str]]:
    """The letters without spaces and hyphens, and the numbers: CS101 and "cs 101" are the same."""
    plain = without_accents(text)
    return re.sub(r"[\s\-_]", "", plain), re.findall(r"\d+", plain)


def _fit(own: Sequence[NameWord], asked: Sequence[NameWord], around: Sequence[NameWord]) -> Fit:
    """Fit of a name: that of the wanted word that fits it worst."""
    if not own or not asked:
        return Fit.NONE
    joined = _joined(asked, own)
    fits: dict[NameWord, Fit] = {}
    for word in asked:
        fit = joined.get(word) or _word_fit(word, own)
        if fit:
            fits[word] = fit
        elif not _is_implied(word, asked) and not _is_around(word, around):
            return Fit.NONE
    worst = min(fits.values(), default=Fit.NONE)
    if worst < Fit.WORDS or joined:
        return worst
    return min(_whole_fit(own, list(fits)), Fit.EXACT if len(fits) == len(asked) else Fit.HEAD)


def _is_implied(word: NameWord, asked: Sequence[NameWord]) -> bool:
    """Whether a name may lack the word: "class", and "exam" beside "midterm"."""
    return word.text in GENERIC or (word.text == "exam" and any(other.text == "midterm" for other in asked))


def _is_around(word: NameWord, around: Sequence[NameWord]) -> bool:
    """Whether a word stands in what the item stands in; a small number only with its own word."""
    is_bare = bool(word.values) and not word.owners and not _is_code(word)
    return not is_bare and _word_fit(word, around) not in (Fit.NONE, Fit.GENERIC)


def _whole_fit(own: Sequence[NameWord], asked: Sequence[NameWord]) -> Fit:
    wanted = Counter(word.key for word in asked)
    head = [word for word in own if word.is_head]
    if wanted == Counter(word.key for word in own):
        return Fit.EXACT
    if wanted == Counter(word.key for word in head):
        return Fit.HEAD
    is_but_number = wanted == Counter(word.key for word in head if not word.values)
    return Fit.BUT_NUMBER if is_but_number else Fit.WORDS


def _joined(asked: Sequence[NameWord], own: Sequence[NameWord]) -> dict[NameWord, Fit]:
    """Wanted words that fit only together: "computer science" for CS, "web work" for WeBWorK."""
    found: dict[NameWord, Fit] = {}
    texts = {word.text for word in own if not word.values}
    for run in _runs(asked):
        if "".join(word.text for word in run) in texts:
            found.update(dict.fromkeys(run, Fit.WORDS))
        elif _initials([word.text for word in run]) in texts:
            found.update(dict.fromkeys(run, Fit.INITIALS))
    return found


def _runs(words: Sequence[NameWord]) -> list[Sequence[NameWord]]:
    """Each run of two to four plain words that follow one another."""
    plain = [not word.values for word in words]
    ends = [(start, end) for start in range(len(words)) for end in range(start + 2, min(start + 4, len(words)) + 1)]
    return [words[start:end] for start, end in ends if all(plain[start:end])]


def _initials(texts: Sequence[str]) -> str | None:
    """Initials of several words: "cs" for computer science; None for a single word."""
    return "".join(text[0] for text in texts) if len(texts) > 1 else None


def _word_fit(word: NameWord, own: Sequence[NameWord]) -> Fit:
    if word.values:
        fit = _number_fit(word, own)
        same = [other for other in own if other.text == word.text and (word.is_word or not other.values)]
        return fit or (Fit.WORDS if same else Fit.NONE)
    codes = {other.owners[-1] for other in own if _is_code(other) and other.owners}
    found = _FIT_OF[max((_likeness(word.text, other, codes) for other in own), default=Likeness.NONE)]
    if found >= Fit.INITIALS:
        return found
    if any("".join(other.text for other in run) == word.text for run in _runs(own)):
        return Fit.WORDS
    head = [other.text for other in own if other.is_head and not other.values]
    groups = [head, *(other.owners for other in own if other.values)]
    return Fit.INITIALS if any(_initials(group) == word.text for group in groups) else found


def _likeness(text: str, other: NameWord, codes: set[str]) -> Likeness:
    if other.values and not other.is_word:
        return Likeness.NONE
    return likeness(text, other.text, is_code=other.text in codes)


def _is_code(word: NameWord) -> bool:
    return any(value[:3].isdecimal() and int(value[:3]) >= _CODE_FROM for value in word.values)


def _number_fit(word: NameWord, own: Sequence[NameWord]) -> Fit:
    """Fit of a wanted number: the nearest of its words that has a number in the name must have this one."""
    meeting = [other for other in own if _is_same_number(word, other)]
    if not meeting:
        return Fit.NONE
    if not word.owners or _is_code(word):
        return Fit.WORDS
    for owner in reversed(word.owners):
        numbers = [other for other in own if any(likeness(owner, text) for text in other.owners)]
        if numbers:
            return Fit.WORDS if any(other in meeting for other in numbers) else Fit.NONE
    if any(_is_same_group(word.owners, other.owners) or _stands_free(word, other, own) for other in meeting):
        return Fit.WORDS
    is_any = word.owners[-1] in GENERIC and any(other.is_head for other in meeting)
    return Fit.GENERIC if is_any else Fit.NONE


def _is_same_number(word: NameWord, other: NameWord) -> bool:
    """Whether the number is the same, one of a range, or without the letter that the other has: "3" for "3a"."""
    if word.values <= other.values:
        return True
    return any(word.values == {value[:-1]} and value[-1].isalpha() for value in other.values)


def _is_same_group(owners: Sequence[str], others: Sequence[str]) -> bool:
    """Whether words mean the same written together or as initials: "problem set" and "ps"."""
    joined, other = "".join(owners), "".join(others)
    return joined == other or joined == _initials(others) or other == _initials(owners)


def _stands_free(word: NameWord, other: NameWord, own: Sequence[NameWord]) -> bool:
    """Whether a number without a word of its own stands near the wanted one's word: "Exam (2)", "(6 sources)"."""
    near = [*(plain.text for plain in own[: other.at] if not plain.values), *other.noun.split()]
    return not other.owners and any(likeness(owner, text) for owner in word.owners for text in near)
