"""`Query`: what a student's question asks for: words with all their forms, and references to pages, weeks and days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from services.i18n.search_tokens import search_tokens
from services.materials.search.references import Reference, References, find_references
from services.materials.search.stems import STOP_WORDS, both_stems, question_language, stem
from services.materials.search.translations import english_words

LONGEST = 1000
"""Characters of a question that are read."""
MOST_WORDS = 32
FAINT = 0.25
"""Weight of a word that questions about anything have."""
_FAINT_WORDS = (
    "according answer ask called class concept course define defined definition describe difference discuss does "
    "example examples explain explained find give happen idea know lecture lectures material materials mean meaning "
    "means meant mention mentioned page pages professor question read reading readings say says show slide slides talk "
    "tell term text thing things understand use used word work "
    "anything bit class classes cant dont even ever far get gets getting go goes going got happens help helps im ive "
    "kind let lets long made make makes maybe much need needed needs please put really remember someone something sort "
    "abt anymore bc idk pls ppl r thx tho u ur w "
    "still stuff take taken takes thats want wants whats without would "
    "apuntes articulo clase concepto curso decir define definicion definimos definir dice dicen dijo diapositiva "
    "diapositivas diferencia ejemplo ejemplos explica explicame explicar explicacion habla hablan lectura lecturas "
    "llama material materiales menciona pagina paginas palabra pregunta profesor profesora quiere significa "
    "significado texto usa usar"
)
_FAINT = frozenset(_FAINT_WORDS.split())


@dataclass(frozen=True, kw_only=True)
class QueryWord:
    """Word of a question. stems: its own, in each language. weight: how much it tells of what is asked for.

    place: what it points to, as "lecture" and "4" do together. translations: stems of English words for one of a
    question in Spanish, the nearest first, each with its weight.
    """

    text: str = field(repr=False)
    stems: frozenset[str] = field(repr=False)
    weight: float = 1.0
    place: Reference | None = None
    translations: Mapping[str, float] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, kw_only=True)
class Query:
    words: Sequence[QueryWord] = field(repr=False)
    references: References = field(repr=False)


def parse_query(text: str, today: date | None = None) -> Query:
    """Parse a question. today: the student's date, for "Tuesday's lecture"."""
    read = text[:LONGEST]
    references = find_references(read, today)
    all_words = search_tokens(read)
    language = question_language(all_words)
    stop_words = STOP_WORDS[language]
    wanted = dict.fromkeys(word for word in all_words if word not in stop_words and word not in references.words)
    words = [
        QueryWord(
            text=word,
            stems=both_stems(word),
            weight=FAINT if word in _FAINT else 1.0,
            place=references.place_words.get(word),
            translations=_translations(word) if language == "es" else {},
        )
        for word in list(wanted)[:MOST_WORDS]
    ]
    return Query(words=words, references=references)


def _translations(word: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for each in english_words(word):
        found.setdefault(stem(each.text, "en"), each.weight)
    return found
