"""`Query`: what a student's question asks for: words with all their forms, and references to pages, weeks and days."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from services.i18n.search_tokens import search_tokens
from services.materials.search.references import Reference, References, find_references
from services.materials.search.stems import STOP_WORDS, both_stems, language_of

LONGEST = 1000
"""Characters of a question that are read."""
MOST_WORDS = 48
FAINT = 0.25
"""Weight of a word that questions about anything have."""
COMMON = 0.5
"""Weight of a word that all texts use, however rare it is in this library: a small one knows little of the language."""
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
_COMMON_WORDS = (
    "able across actually ago ahead allow allowed almost alone along already also although always among amount another "
    "apart away back bad become begin behind believe beside best better big bring build buy call came care carry case "
    "catch certain chance change cheap check choose clear close come compare complete consider contain continue correct "
    "cost count couple cover create day days deal decide deep depend different difficult directly done double draw drop "
    "early easy either else end enough entire especially exact exactly except expect extra face fact fail fall far fast "
    "feel fill final finally fine finish first fit fix follow forever free full general give given good great grow guess "
    "half hand hard hardly head hear heavy here hide high hit hold hope hour huge important include inside instead "
    "interest keep large last late later least leave leaving left less level like likely line list listen little live "
    "look lose lost lot low lower main many mark match matter meet middle might mind minute miss move must name near "
    "nearly necessary never new next nice night none normal note notice number obvious often old once open opposite "
    "other outside own pair part particular pass past pay people perhaps person pick piece place plan play point "
    "possible present pretty probably problem produce provide pull purpose push quick quickly quite raise rather reach "
    "ready real reason receive recent reduce remain remove repeat replace rest result return right rise room run safe "
    "save second see seem send sense separate serious several shape share short show side similar simple since single "
    "sit size slow small smart soon speak special spend stand start stay step stick stop strange strong suddenly sure "
    "surprise switch together tomorrow tonight top total toward tried true try turn twice type unless usual usually "
    "various wait walk watch way week weird whole wide wrong year years yesterday yet young "
    "ademas ahora alguien antes aparte bajo bastante bien bueno buena cambio casi claro comenzar comienza contar "
    "creer cualquier dar dado decidir dejar despues dia dias dificil distinto empezar empieza encontrar entender "
    "entonces error facil falta forma fuera gente gran grande hora hoy igual importante junto largo llegar lugar luego "
    "manera mayor mejor menor menos mismo misma momento mucho mucha muchos muchas nunca nuevo nueva numero ocurre "
    "parece parte pasa pasar peor pequeno persona personas poco poner pone primera primero problema propio queda "
    "quedar razon segun segunda segundo seguir semana siempre siguiente sirve tarde tiempo tipo tomar ultimo ultima "
    "vale varios vez veces ver vida vuelve"
)
_COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, kw_only=True)
class QueryWord:
    """Word of a question. stems: its own, in each language. weight: how much it tells of what is asked for.

    place: what it points to, as "lecture" and "4" do together.
    """

    text: str = field(repr=False)
    stems: frozenset[str] = field(repr=False)
    weight: float = 1.0
    place: Reference | None = None


@dataclass(frozen=True, kw_only=True)
class Query:
    words: Sequence[QueryWord] = field(repr=False)
    references: References = field(repr=False)


def parse_query(text: str, today: date | None = None) -> Query:
    """Parse a question. today: the student's date, for "Tuesday's lecture"."""
    read = text[:LONGEST]
    references = find_references(read, today)
    all_words = search_tokens(read)
    stop_words = STOP_WORDS[language_of(all_words)]
    wanted = dict.fromkeys(word for word in all_words if word not in stop_words and word not in references.words)
    words = [
        QueryWord(
            text=word,
            stems=both_stems(word),
            weight=FAINT if word in _FAINT else COMMON if word in _COMMON else 1.0,
            place=references.place_words.get(word),
        )
        for word in list(wanted)[:MOST_WORDS]
    ]
    return Query(words=words, references=references)
