"""References: what words such as "slide 12", "week 3" or "Tuesday's lecture" point to, in English and Spanish."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from services.i18n.search_tokens import fold

PAGE_NOUNS = frozenset({"page"})
"""References to a page, slide or section of a material; all others are to materials and modules."""
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


_NUMBER_WORDS, _WEEKDAYS, _MONTHS = _numbered(_CARDINALS, 1), _numbered(_WEEK, 0), _numbered(_YEAR, 1)
_SIGN = r"(?:\.\s?|\s*(?:no\.?|num\.?|n[o°º]\.?|number|numero|#)\s*|[\s_#-]*)"
_REFERENCE = re.compile(
    rf"\b({'|'.join(sorted(_BY_WORD, key=len, reverse=True))}){_SIGN}(\d{{1,4}}|{'|'.join(_NUMBER_WORDS)})\b"
)
_DAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)}|yesterday|ayer|today|hoy)\b")
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

    words: folded words of the references to pages and to days, which say nothing of what a page is about.
    """

    numbered: frozenset[Reference] = frozenset()
    days: frozenset[date] = frozenset()
    words: frozenset[str] = frozenset()

    @property
    def pages(self) -> frozenset[int]:
        return frozenset(found.number for found in self.numbered if found.noun in PAGE_NOUNS)

    @property
    def places(self) -> frozenset[Reference]:
        return frozenset(found for found in self.numbered if found.noun not in PAGE_NOUNS)


def find_references(text: str, today: date | None = None) -> References:
    """Find the references of a text. Days of the week are the last ones before or on `today`; without it, none."""
    plain = fold(text)
    numbered, words = set(), set[str]()
    for match in _REFERENCE.finditer(plain):
        noun, number = _BY_WORD[match[1]], match[2]
        numbered.add(Reference(noun, int(number) if number.isdigit() else _NUMBER_WORDS[number]))
        if noun in PAGE_NOUNS:
            words.update((match[1], number))
    days = set[date]()
    if today is not None:
        days.update(_named_dates(plain, today))
        for match in _DAY.finditer(plain):
            words.add(match[1])
            days.add(_last(match[1], today))
    return References(numbered=frozenset(numbered), days=frozenset(days), words=frozenset(words))


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
