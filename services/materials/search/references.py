"""References: what words such as "slide 12", "week 3" or "Tuesday's lecture" point to, in English and Spanish."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from services.i18n.search_tokens import fold

PAGE_NOUNS = frozenset({"page"})
"""References to a page, slide or section of a material; all others are to materials and modules."""
ORDERED = PAGE_NOUNS | {"lecture", "week", "chapter", "unit", "lab", "homework", "quiz"}
"""Nouns that are counted in words: "the second lecture"; a first table is hardly ever meant by its number."""
_NOUNS = {
    "page": "page pages pg p slide slides pagina paginas pag diapositiva diapositivas lamina laminas",
    "lecture": "lecture lectures lec class session clase clases leccion lecciones sesion",
    "week": "week wk weeks semana semanas",
    "chapter": "chapter chapters ch chap capitulo capitulos cap",
    "unit": "unit units module modules unidad unidades modulo modulos",
    "section": "section sections sec seccion secciones apartado",
    "lab": "lab labs laboratory laboratorio practica",
    "homework": "homework hw pset assignment assignments problemset tarea tareas",
    "quiz": "quiz quizzes cuestionario",
    "figure": "figure fig figura",
    "table": "table tabla",
    "part": "part parte",
}
_BY_WORD = {word: noun for noun, words in _NOUNS.items() for word in words.split()}
_CARDINALS = (
    "one uno una|two dos|three tres|four cuatro|five cinco|six seis|seven siete|eight ocho|nine nueve|ten diez"
    "|eleven once|twelve doce"
)
_WEEK = "monday lunes|tuesday martes|wednesday miercoles|thursday jueves|friday viernes|saturday sabado|sunday domingo"
_YEAR = (
    "january jan enero|february feb febrero|march mar marzo|april apr abril|may mayo|june jun junio|july jul julio"
    "|august aug agosto|september sept sep septiembre|october oct octubre|november nov noviembre"
    "|december dec diciembre"
)


def _numbered(words: str, start: int) -> dict[str, int]:
    return {word: number for number, same in enumerate(words.split("|"), start) for word in same.split()}


_ORDINALS = (
    "first 1st primera primer|second 2nd segunda segundo|third 3rd tercera tercer|fourth 4th cuarta cuarto"
    "|fifth 5th quinta quinto|sixth 6th sexta sexto|seventh 7th septima septimo|eighth 8th octava octavo"
    "|ninth 9th novena noveno|tenth 10th decima decimo"
)
_NUMBER_WORDS, _WEEKDAYS, _MONTHS = _numbered(_CARDINALS, 1), _numbered(_WEEK, 0), _numbered(_YEAR, 1)
_SIGN = r"(?:\.\s?|\s*(?:no\.?|num\.?|n[o°º]\.?|number|numero|#)\s*|[\s_#-]*)"
_REFERENCE = re.compile(
    rf"\b({'|'.join(sorted(_BY_WORD, key=len, reverse=True))}){_SIGN}(\d{{1,4}}|{'|'.join(_NUMBER_WORDS)})\b"
)
_BY_ORDINAL = _numbered(_ORDINALS, 1)
_ORDINAL = re.compile(
    rf"\b({'|'.join(_BY_ORDINAL)})\s+({'|'.join(word for word, noun in _BY_WORD.items() if noun in ORDERED)})\b"
)
_DAY = re.compile(rf"\b(({'|'.join(_WEEKDAYS)})s?|yesterday|ayer|today|hoy)\b")
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATES = (
    re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b"),
    re.compile(rf"\b(?P<name>{_MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+|de\s+)?(?P<name>{_MONTH})\b"),
)


@dataclass(frozen=True)
class Reference:
    """A noun with its number, such as lecture 4."""

    noun: str
    number: int


@dataclass(frozen=True, kw_only=True)
class References:
    """What a text points to. days: dates that it names; those without a year are of the year around `today`.

    words: folded words that point to pages and days, and say nothing of what a page is about. place_words: those that
    point to lectures, weeks and the like, which a text may say as well.
    """

    numbered: frozenset[Reference] = frozenset()
    days: frozenset[date] = frozenset()
    words: frozenset[str] = frozenset()
    place_words: Mapping[str, Reference] = field(default_factory=dict)

    @property
    def pages(self) -> frozenset[int]:
        return frozenset(found.number for found in self.numbered if found.noun in PAGE_NOUNS)

    @property
    def places(self) -> frozenset[Reference]:
        return frozenset(found for found in self.numbered if found.noun not in PAGE_NOUNS)


def find_references(text: str, today: date | None = None) -> References:
    """Find the references of a text. Days of the week are the last ones before or on `today`; without it, none."""
    plain = fold(text)
    numbered, words, place_words = set[Reference](), set[str](), dict[str, Reference]()
    for found, said in _numbered_references(plain):
        numbered.add(found)
        if found.noun in PAGE_NOUNS:
            words.update(said)
        else:
            place_words |= dict.fromkeys(said, found)
    days = set[date]()
    if today is not None:
        days.update(_named_dates(plain, today))
        for match in _DAY.finditer(plain):
            words.add(match[1])
            days.add(_last(match[2] or match[1], today))
    return References(
        numbered=frozenset(numbered), days=frozenset(days), words=frozenset(words), place_words=place_words
    )


def _numbered_references(plain: str) -> Iterator[tuple[Reference, tuple[str, str]]]:
    """Yield references to a number, each with the words that make it."""
    for match in _REFERENCE.finditer(plain):
        noun, number = match.groups()
        yield Reference(_BY_WORD[noun], int(number) if number.isdigit() else _NUMBER_WORDS[number]), (noun, number)
    for match in _ORDINAL.finditer(plain):
        ordinal, noun = match.groups()
        yield Reference(_BY_WORD[noun], _BY_ORDINAL[ordinal]), (noun, ordinal)


def _last(word: str, today: date) -> date:
    if word in _WEEKDAYS:
        return today - timedelta(days=(today.weekday() - _WEEKDAYS[word]) % 7)
    return today if word in {"today", "hoy"} else today - timedelta(days=1)


def _named_dates(plain: str, today: date) -> Iterator[date]:
    for pattern in _DATES:
        for match in pattern.finditer(plain):
            found = match.groupdict()
            month = int(found["month"]) if "month" in found else _MONTHS[found["name"]]
            years = (int(found["year"]),) if "year" in found else (today.year, today.year - 1, today.year + 1)
            dates = [made for year in years if (made := _date(year, month, int(found["day"])))]
            if dates:
                yield min(dates, key=lambda made: abs(made - today))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
