"""Stems: what is left of a word when its endings are taken off, in English and in Spanish."""

import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from services.i18n.search_tokens import search_tokens

if TYPE_CHECKING:
    import Stemmer

Language = Literal["en", "es"]
LANGUAGES: tuple[Language, ...] = ("en", "es")
_SNOWBALL: dict[Language, str] = {"en": "english", "es": "spanish"}
_ENGLISH = (
    "a about above after again against all am an and any are as at be because been before being below between both but "
    "by can could did do does doing don down during each few for from further had has have having he her here hers him "
    "his how i if in into is it its just let me more most my no nor not now of off on once only or other our out over "
    "own s same she should so some such t than that the their them then there these they this those through to too "
    "under until up us very was we were what when where which while who whom whose why will with would you your"
)
_SPANISH = (
    "a al algo algun alguna algunas alguno algunos ante antes aqui asi aun aunque cada como con contra cual cuales "
    "cuando de del desde donde dos e el ella ellas ello ellos en entre era eran es esa esas ese eso esos esta estaba "
    "estan estar estas este esto estos fue fueron ha hace hacia han hasta hay he la las le les lo los mas me mi mis "
    "mientras muy nada ni no nos nosotros o os otra otras otro otros para pero por porque pues que quien quienes se "
    "segun ser si sido sin sino sobre solo son su sus tal tambien tan tanto te tener tiene tienen toda todas todo "
    "todos tu tus u un una unas uno unos y ya yo"
)
STOP_WORDS: dict[Language, frozenset[str]] = {
    "en": frozenset(_ENGLISH.split()),
    "es": frozenset(_SPANISH.split()),
}
_ONLY_IN = {
    "en": STOP_WORDS["en"] - STOP_WORDS["es"] - {"me", "he", "no", "s", "t"},
    "es": STOP_WORDS["es"] - STOP_WORDS["en"] - {"son", "sin", "era", "dos", "e", "o", "y", "u"},
}
_FEWEST = 2
"""Stop words of one language more than of the other, before a text counts as that language's."""
_ours = threading.local()


def language_of(words: Sequence[str], otherwise: Language = "en", fewest: int = _FEWEST) -> Language:
    """Tell the language of folded words by their stop words; `fewest` more of one than of the other decide."""
    spanish = sum(word in _ONLY_IN["es"] for word in words)
    english = sum(word in _ONLY_IN["en"] for word in words)
    if abs(spanish - english) < fewest:
        return otherwise
    return "es" if spanish > english else "en"


def question_language(words: Sequence[str]) -> Language:
    """Tell the language of a question, which is short: one stop word more decides."""
    return language_of(words, fewest=1)


def stem(word: str, language: Language) -> str:
    """Stem a folded word."""
    stemmed: str = _stemmers()[language].stemWord(word)
    return stemmed


def stems(text: str, language: Language) -> list[str]:
    """List the stems of a text in its order, without stop words."""
    return list(stem_words(search_tokens(text), language))


def stem_words(words: Sequence[str], language: Language) -> Iterator[str]:
    stop_words = STOP_WORDS[language]
    kept = [word for word in words if word not in stop_words]
    yield from _stemmers()[language].stemWords(kept)


@lru_cache(maxsize=4096)
def both_stems(word: str) -> frozenset[str]:
    """Stems of a folded word in every language, as a question is often not in the language of what it is about."""
    return frozenset(stem(word, language) for language in LANGUAGES)


def _stemmers() -> "dict[Language, Stemmer.Stemmer]":
    """The stemmers of this thread: they keep a cache that is not safe to share."""
    if not hasattr(_ours, "stemmers"):
        # Imported where the first material is indexed: most starts never need it.
        import Stemmer

        _ours.stemmers = {language: Stemmer.Stemmer(name) for language, name in _SNOWBALL.items()}
    stemmers: dict[Language, Stemmer.Stemmer] = _ours.stemmers
    return stemmers
