"""Lexicon of concepts: its words and phrases are found in a text, however they are inflected or mistyped."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sandbox.model.rules.language.text import Speller, Token, fold, stem, tokens, word_set
from sandbox.model.rules.language.vocabulary import sections

TABLE = "concepts.txt"
GAP = 3
"""How many words `*` may stand for."""


@dataclass(frozen=True)
class Hit:
    """An entry of `name` was met between two token positions (end exclusive)."""

    name: str
    weight: float
    start: int
    end: int


class Lexicon:
    """Entries under names, found in token lists.
    exclusive: of two readings of the same words under different names only the longer counts."""

    def __init__(self, entries: Mapping[str, str], *, exclusive: bool = False) -> None:
        self._exclusive = exclusive
        self._by_first: dict[str, list[tuple[str, float, tuple[str, ...]]]] = {}
        self.words: set[str] = set()
        self._single: set[str] = set()
        for name, listed in entries.items():
            for phrase, weight in _entries(listed):
                words = tuple(phrase.split())
                self.words.update(word for word in words if word != "*")
                self._single.update(words if len(words) == 1 else ())
                self._by_first.setdefault(_key(words[0]), []).append((name, weight, words))

    def hits(self, found: Sequence[Token]) -> list[Hit]:
        """Every entry that occurs, longest first at each place."""
        return [hit for at in range(len(found)) for hit in self.hits_at(found, at)]

    def hits_at(self, found: Sequence[Token], at: int) -> list[Hit]:
        """The entries that begin at this token, longest first."""
        met = []
        for name, weight, words in self._by_first.get(_key(found[at].word), []):
            if len(words) == 1 and found[at].word in function_words() and words[0] != found[at].word:
                continue
            # "teachers" is an entry of its own and must not be taken for "teaches", which only shares its stem.
            is_other_word = len(words) == 1 and words[0] != found[at].word
            if is_other_word and (found[at].word in self._single or found[at].word in common_words()):
                continue
            end = _match(words, found, at, phrase=len(words) > 1)
            if end is not None:
                met.append(
                    Hit(
                        name,
                        weight * (0.85 if is_other_word and not _is_plural(words[0], found[at].word) else 1),
                        at,
                        end,
                    )
                )
        return sorted(met, key=lambda hit: -hit.end)

    def weights(self, found: Sequence[Token]) -> dict[str, float]:
        """For each name met, how strongly: several hints add up, never beyond 1.
        A word inside a longer phrase of the same name counts once."""
        best: dict[str, dict[int, Hit]] = {}
        hits = sorted(self.hits(found), key=lambda hit: hit.start - hit.end)
        for hit in (hit for hit in hits if not (self._exclusive and any(_covers(longer, hit) for longer in hits))):
            taken = best.setdefault(hit.name, {})
            if not any(position in taken for position in range(hit.start, hit.end)):
                taken.update(dict.fromkeys(range(hit.start, hit.end), hit))
        return {name: _together({hit.weight for hit in taken.values()}) for name, taken in best.items()}


@cache
def lexicon(kind: str, *, exclusive: bool = False) -> Lexicon:
    """The lexicon of one kind of concepts in the vocabulary: objects, aspects, orders or discourse."""
    found = {name: listed for name, listed in sections(TABLE).items() if name.startswith(f"{kind}.")}
    return Lexicon({name.partition(".")[2]: listed for name, listed in found.items()}, exclusive=exclusive)


def objects() -> Lexicon:
    """Lexicon of subjects: what a message or a tool is about."""
    return lexicon("objects", exclusive=True)


def aspects() -> Lexicon:
    """Lexicon of aspects: which side of a subject."""
    return lexicon("aspects")


def orders() -> Lexicon:
    """Lexicon of verbs: what is to be done."""
    return lexicon("orders")


def discourse() -> Lexicon:
    """Lexicon of leads, questions about the world, and requests to do the work."""
    return lexicon("discourse")


@cache
def function_words() -> frozenset[str]:
    """Words that say nothing about the subject."""
    return frozenset(word.strip() for word in fold(sections(TABLE)["function words"]).split(","))


@cache
def common_words() -> frozenset[str]:
    """Words that are no slips of others."""
    return word_set(sections(TABLE)["common words"])


@cache
def speller() -> Speller:
    """Knows every word of the vocabulary and the function words."""
    known = set().union(*(known.words for known in (objects(), aspects(), orders(), discourse())))
    return Speller(known | function_words() | common_words())


def is_about_notes(token: Token) -> bool:
    """Whether one word alone names notes or pages."""
    return objects().weights([token]).get("note", 0.0) >= 0.5


def mended(text: str) -> list[Token]:
    """The words of a text with slips of the keyboard put right; positions stay those of the text."""
    fixed = []
    for token in tokens(text):
        word = speller().mend(token.word)
        fixed.append(token if word == token.word else Token(word, stem(word), token.start, token.end))
    return fixed


def _entries(listed: str) -> Iterator[tuple[str, float]]:
    for entry in listed.split(","):
        phrase, _, weight = " ".join(fold(entry).replace("-", " ").split()).partition("=")
        if phrase:
            yield phrase.strip(), float(weight or 1)


def _key(word: str) -> str:
    return word[:2]


def _match(words: Sequence[str], found: Sequence[Token], at: int, *, phrase: bool) -> int | None:
    if not words:
        return at
    if words[0] == "*":
        for skipped in range(GAP + 1):
            if at + skipped < len(found) and (end := _match(words[1:], found, at + skipped, phrase=phrase)) is not None:
                return end
        return None
    # Short words inside phrases must be the very words: "can we meet" is not "can the meeting".
    is_short_in_phrase = len(words[0]) <= 4 and phrase and at < len(found) and words[0] != found[at].word
    if at >= len(found) or is_short_in_phrase or not _same(words[0], found[at]):
        return None
    return at + 1 if len(words) == 1 else _match(words[1:], found, at + 1, phrase=phrase)


def _same(word: str, token: Token) -> bool:
    if word == token.word:
        return True
    common = stem(word)
    if common != token.stem:
        return False
    return len(common) > 3 or word + "s" == token.word or token.word + "s" == word


def _covers(longer: Hit, hit: Hit) -> bool:
    # "have to do" is no to-do list, "lab report" no lab: the longer reading of the same words stands alone.
    is_inside = longer.start <= hit.start and hit.end <= longer.end
    return is_inside and longer.end - longer.start > hit.end - hit.start and longer.name != hit.name


def _is_plural(word: str, other: str) -> bool:
    return word + "s" == other or other + "s" == word or word + "es" == other


def _together(weights: set[float]) -> float:
    left = 1.0
    for weight in weights:
        left *= 1 - min(weight, 0.97)
    return 1 - left


# Services that students name, and what is usually kept there.
SERVICES = {
    "canvas": ("Canvas", ("assignment", "grade", "course", "announcement")),
    "google": ("Google Calendar", ("event", "free")),
    "notion": ("Notion", ("note",)),
}
