"""Word comparison: whether typed words are those that fill a gap, with forgiveness for how they are written."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from enum import IntEnum

from services.i18n.search_tokens import fold
from services.study.assessment.number_readings import number_readings


class WordLikeness(IntEnum):
    """spelling: the same words, spelled otherwise. near: with another vowel, which may be a slip or another word; or a
    number without its unit.
    """

    OTHER = 0
    NEAR = 1
    SPELLING = 2
    SAME = 3


SHORTEST_SLIP, SHORTEST_NEAR, SHORTEST_TWO_SLIPS = 5, 7, 10
"""Letters of a word from which on a slip, another vowel, and two slips are forgiven."""
_ARTICLES = frozenset(["the", "a", "an", "el", "la", "los", "las", "un", "una", "unos", "unas", "lo"])
_NEGATIONS = frozenset(("not", "no", "nor", "non", "without", "or", "and", "ni", "sin", "o", "y", "e", "u"))
_SUFFIX = 3
"""Letters at a word's end that carry its meaning (nitrate, nitrite)."""
_ROWS = ("qwertyuiop", "asdfghjklñ", "zxcvbnm")
_MARKUP = re.compile(r"[$*_`{}]|\\(?=\W)")
_TOKEN = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*|(?<!\w)-(?=[\d.,])|[%+=<>^/×·°]")


def compare_words(given: str, accepted: str, *, locale: str, around: str = "", others: str = "") -> WordLikeness:
    """Compare what was typed with words that are right.

    around: the text that the gap stands in, whose words may be repeated. others: texts of the same subject; a word that
    stands there is no slip of another one.
    """
    wanted_numbers = number_readings(accepted, locale)
    if wanted_numbers and (found := number_readings(given, locale)):
        return WordLikeness.SAME if found & wanted_numbers else WordLikeness.OTHER
    wanted, typed = _tokens(accepted), _tokens(given)
    if not typed or not wanted:
        return WordLikeness.SAME if given.strip() == accepted.strip() else WordLikeness.OTHER
    there = [fold(word) for word in _tokens(others)]
    known = {*there, *(word.removesuffix("s") for word in there)} - {fold(word) for word in wanted}
    best = _compare_tokens(typed, wanted, known, locale)
    if typed == wanted[: len(typed)] and number_readings(given, locale):
        return WordLikeness.NEAR  # Its unit is missing.
    for shorter in (_without_articles(typed), _without_repeated(typed, wanted, around)):
        best = max(best, _compare_tokens(shorter, _without_articles(wanted), known, locale))
    return best


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFC", _MARKUP.sub("", text)))


def _without_articles(tokens: Sequence[str]) -> Sequence[str]:
    """Without those in front; "vitamin A" keeps its letter."""
    at = next((at for at, word in enumerate(tokens) if word.casefold() not in _ARTICLES), 0)
    return tokens[at:]


def _without_repeated(tokens: Sequence[str], wanted: Sequence[str], around: str) -> Sequence[str]:
    """Without what stands around the gap already, such as the unit behind it."""
    needed = {fold(word) for word in wanted}
    repeated = ({fold(word) for word in _tokens(around)} | _ARTICLES) - needed - _NEGATIONS
    kept = [word for word in tokens if fold(word) not in repeated]
    return kept or tokens


def _compare_tokens(typed: Sequence[str], wanted: Sequence[str], known: Collection[str], locale: str) -> WordLikeness:
    if (joined := _compare_joined(typed, wanted)) is not None:
        return joined
    if len(typed) != len(wanted):
        return WordLikeness.OTHER
    return min(_compare_word(*pair, known, locale) for pair in zip(typed, wanted, strict=True))


def _compare_joined(typed: Sequence[str], wanted: Sequence[str]) -> WordLikeness | None:
    """WordLikeness where only blanks and hyphens differ ("x-ray", "x ray"), else None."""
    if not all(word.isalnum() for word in (*typed, *wanted)) or len(typed) == len(wanted):
        return None
    joined = fold("".join(wanted))
    return WordLikeness.SAME if fold("".join(typed)) == joined and not joined.isdigit() else None


def _compare_word(typed: str, wanted: str, known: Collection[str], locale: str) -> WordLikeness:
    if typed == wanted:
        return WordLikeness.SAME
    numbers = number_readings(wanted, locale)
    if numbers and number_readings(typed, locale) & numbers:
        return WordLikeness.SAME
    mine, other = fold(unicodedata.normalize("NFKC", typed)), fold(unicodedata.normalize("NFKC", wanted))
    if mine == other:
        return _compare_case(unicodedata.normalize("NFKC", typed), unicodedata.normalize("NFKC", wanted))
    if not (mine.isalpha() and other.isalpha()):
        return WordLikeness.OTHER
    if _is_plural(mine, other) or _is_plural(other, mine):
        return WordLikeness.SPELLING
    if mine in known or mine[0] != other[0]:
        return WordLikeness.OTHER
    if _is_slip(mine, other):
        return WordLikeness.SPELLING
    return WordLikeness.NEAR if _has_other_vowel(mine, other) else WordLikeness.OTHER


def _compare_case(typed: str, wanted: str) -> WordLikeness:
    """WordLikeness of words that differ in case and accents. "Co" and "CO" are two things; "co" is either."""
    has_accents = typed.casefold() != wanted.casefold()
    is_symbol = len(wanted) <= _SUFFIX and wanted != wanted.lower()
    if is_symbol and typed != wanted:
        is_told_apart = typed != typed.lower() and len(wanted) < _SUFFIX
        return WordLikeness.OTHER if is_told_apart else WordLikeness.SPELLING
    return WordLikeness.SPELLING if has_accents else WordLikeness.SAME


def _is_plural(longer: str, word: str) -> bool:
    return len(word) >= 3 and longer in (f"{word}s", f"{word}es")


def _is_slip(typed: str, wanted: str) -> bool:
    """Whether one is the other with a letter swapped, doubled, left out, or hit beside its key; two of a long word."""
    if len(wanted) < SHORTEST_SLIP or abs(len(typed) - len(wanted)) > 1:
        return False
    return _slips(typed, wanted) <= (2.5 if len(wanted) >= SHORTEST_TWO_SLIPS else 1.5)


def _slips(typed: str, wanted: str) -> float:
    """Distance of Damerau and Levenshtein, where a letter too many or too few costs a half more than another slip and a
    letter in another's place only counts as one beside its key.
    """
    previous: list[float] = []
    row = [1.5 * at for at in range(len(wanted) + 1)]
    for i, letter in enumerate(typed, 1):
        previous, before, row = row, previous, [1.5 * i]
        for j, other in enumerate(wanted, 1):
            cost = 0 if letter == other else 1 if _are_neighbours(letter, other) else 9
            best = min(previous[j] + 1.5, row[j - 1] + 1.5, previous[j - 1] + cost)
            if i > 1 and j > 1 and letter == wanted[j - 2] and typed[i - 2] == other and letter != other:
                best = min(best, before[j - 2] + 1)
            row.append(best)
    return row[-1]


def _are_neighbours(letter: str, other: str) -> bool:
    """Whether two keys lie beside each other."""
    places = {sign: (at, number) for number, row in enumerate(_ROWS) for at, sign in enumerate(row)}
    if letter not in places or other not in places:
        return False
    (at, row), (other_at, other_row) = places[letter], places[other]
    if row == other_row:
        return abs(at - other_at) == 1
    upper, lower = (at, other_at) if row < other_row else (other_at, at)
    return abs(row - other_row) == 1 and upper - lower in (0, 1)


def _has_other_vowel(typed: str, wanted: str) -> bool:
    """Whether one vowel is another, not in the ending."""
    if len(typed) != len(wanted) or len(wanted) < SHORTEST_NEAR:
        return False
    other = [at for at, pair in enumerate(zip(typed, wanted, strict=True)) if pair[0] != pair[1]]
    if len(other) != 1 or other[0] >= len(wanted) - _SUFFIX:
        return False
    return {typed[other[0]], wanted[other[0]]} <= set("aeiouy")
