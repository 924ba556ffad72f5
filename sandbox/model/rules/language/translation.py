"""What tool results say, in Spanish: their own words and dates; titles, quotes, names and numbers stay as they are.

A piece is translated only when every word of it is known; any other stays as it stands, so that no fact is bent.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from sandbox.model.rules.language.translation_frames import KINDS, frames
from sandbox.model.rules.language.translation_words import nouns, phrases

Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

DAYS = {
    "Mon": ("lun", "lunes"), "Tue": ("mar", "martes"), "Wed": ("mié", "miércoles"), "Thu": ("jue", "jueves"),
    "Fri": ("vie", "viernes"), "Sat": ("sáb", "sábado"), "Sun": ("dom", "domingo"),
}  # fmt: skip
FULL_DAYS = {
    "Monday": "lunes", "Tuesday": "martes", "Wednesday": "miércoles", "Thursday": "jueves", "Friday": "viernes",
    "Saturday": "sábados", "Sunday": "domingos",
}  # fmt: skip
MONTHS = {
    "Jan": "ene", "Feb": "feb", "Mar": "mar", "Apr": "abr", "May": "may", "Jun": "jun", "Jul": "jul", "Aug": "ago",
    "Sep": "sep", "Oct": "oct", "Nov": "nov", "Dec": "dic",
}  # fmt: skip
DATE = rf"(?P<wd>{'|'.join(DAYS)}) (?P<d>\d{{1,2}}) (?P<mon>{'|'.join(MONTHS)})(?P<y> \d{{4}})?"
CLOCK = r"(?P<h>\d{1,2}):(?P<m>\d\d) (?P<half>[AP]M)"
ZONE = r" (?P<zone>[A-Z]{3,4}|UTC[+-]\d{2}(?::?\d\d)?)\b"
CODE = r"[A-Z]{2,5} ?\d{2,4}[A-Z]?\b"
COURSE = (
    rf"{CODE}(?:: .+?(?=$| (?:due|found|past due|not handed in|handed in|graded|waiting|of the kind|that were)\b"
    rf"| with \d| \(|: [a-z\d]|, | and {CODE}))?"
)
"""A course's code and its name, which may have a colon and small words of its own."""
KEPT = (
    r"\*\*.+?\*\*|“[^”]*”|`[^`]*`|(?P<label>\[open\])(?=\()|\[[^\]]*\](?=\()|\(https?://[^)\s]*\)"
    rf"|(?<= )[\w-]+/[\w.-]+|{COURSE}"
)
PLAIN = r"[.,:;()%+/&?!–—-]+|[\d.,½¼¾]+|\s+"
UNITS = {"minute": "minuto", "hour": "hora", "day": "día", "week": "semana"}
# Number of things, at the start of a sentence: English noun, then Spanish singular, plural, and whether feminine.
NAME = r"(?!Homeroom\b)[A-ZÁÉÍÓÚ][\w'’.-]+(?: [A-ZÁÉÍÓÚ][\w'’.-]+)*"
"""Of people, places and services: they follow a small word and stay."""
NAMED = re.compile(
    rf"(?:(?<=\bby )|(?<=\bin )|(?<=\bor )|(?<=\bwith )|(?<=\bfrom )|(?<=\bfor )){NAME}"
    r"|(?<=\()(?:Google Calendar|Canvas|Notion|GitHub|SearxNG|Calendar feed)\b"
)
LISTS = (
    ("Dropped by the course's rules:", "Descartado por las reglas del curso:"),
    ("Letters are by the course's own grading scheme:", "Las letras siguen la escala del propio curso:"),
)
"""Sentences that end in names and numbers."""
LETTERS = re.compile(r"(?<![\w])[A-F][+-]?(?![\w])")
LONGEST_FRAMED = 600
ONE = re.compile(r"\blas (?=1:\d\d\b)")
PLACE = re.compile(r"\{(\w+)\}")
TERM = re.compile(r"(?:Fall|Spring|Summer|Winter) \d{4}")


def in_spanish(text: str) -> str:
    """A line of a result: each of its parts between dashes in Spanish where all its words are known."""
    return " — ".join(_translated(part) or part for part in text.split(" — "))


def all_in_spanish(text: str) -> str:
    """The same for one sentence; empty when it has words that are not known."""
    return _translated(text) or ""


@lru_cache(maxsize=4_000)
def _translated(text: str) -> str | None:
    if (framed := _framed(text)) is not None:
        return framed
    written, at = "", 0
    while at < len(text):
        taken = _next(text, at)
        if taken is None:
            return None
        spanish, at = taken
        written += spanish
    return ONE.sub("la ", written)


def _framed(text: str) -> str | None:
    """A part with somebody's own words in it, where what stands around them is known."""
    for pattern, spanish in _frames() if len(text) <= LONGEST_FRAMED else ():
        if found := pattern.fullmatch(text):
            said = {
                name: _translated(part) if name.startswith("t_") else part for name, part in found.groupdict().items()
            }
            if None not in said.values():
                return spanish.format(**said)
    return None


@lru_cache(maxsize=1)
def _frames() -> Sequence[tuple[re.Pattern[str], str]]:
    return [(re.compile(_open(english)), spanish) for english, spanish in frames()]


def _open(frame: str) -> str:
    """The pattern of a frame, with something in each of its places."""
    # Every second piece is the name of a place.
    pieces = enumerate(PLACE.split(frame))
    return "".join(f"(?P<{piece}>.+?)" if at % 2 else re.escape(piece) for at, piece in pieces)


def _next(text: str, at: int) -> tuple[str, int] | None:
    for pattern, spell in _rules():
        found = pattern.match(text, at)
        if found is not None and found.end() > at:
            return spell(found), found.end()
    return None


@lru_cache(maxsize=1)
def _rules() -> Sequence[Rule]:
    kept: list[Rule] = [
        (re.compile(rf"\*\*(?P<when>(?:{'|'.join(DAYS)}) [^*]+)\*\*"), _named_by_time),
        (re.compile(rf"(?:{KEPT})"), lambda found: "[abrir]" if found["label"] else found.group()),
        (re.compile(DATE), _date),
        (re.compile(rf"{CLOCK}(?: (?P<dash>–) (?=\d))?(?:{ZONE})?"), _clock),
        (TERM, lambda found: found.group()),
        (NAMED, lambda found: found.group()),
        (re.compile(r"(?P<n>\d+(?:½)?) (?P<unit>minute|hour|day|week)s?\b"), _length),
        (re.compile(rf"(?P<day>{'|'.join(FULL_DAYS)})\b"), lambda found: FULL_DAYS[found["day"]]),
        (re.compile(r"about (?=“)"), lambda found: "sobre "),
        (re.compile(rf"of the kind “(?P<kind>{'|'.join(KINDS)})”"), lambda found: f"del tipo «{KINDS[found['kind']]}»"),
        (re.compile(r"lowest (?P<n>\d+) dropped"), lambda found: f"sin contar la(s) {found['n']} más baja(s)"),
        *((re.compile(rf"{begins} (?P<rest>.+)"), _with_rest(spanish)) for begins, spanish in LISTS),
    ]
    counted: list[Rule] = [_counted(*noun) for noun in sorted(nouns(), key=lambda noun: -len(noun[0]))]
    said: list[Rule] = [_phrase(*pair) for pair in sorted(phrases(), key=lambda pair: -len(pair[0]))]
    rest: list[Rule] = [(LETTERS, lambda found: found.group()), (re.compile(PLAIN), lambda found: found.group())]
    return (*kept, *counted, *said, *rest)


def _counted(noun: str, one: str, many: str, is_feminine: bool) -> Rule:
    plural = noun if "(" in noun else f"{noun}e?s?" if not noun.startswith("thing ") else f"things?{noun[5:]}"

    def spell(found: re.Match[str]) -> str:
        if found["n"].lower() == "no":
            none = "Ninguna" if is_feminine else "Ningún"
            return f"{none if found['n'] == 'No' else none.lower()} {one}"
        return f"{found['n']} {one if found['n'] == '1' else many}"

    return re.compile(rf"(?P<n>[Nn]o|\d[\d,.]*) {plural}\b"), spell


def _phrase(english: str, spanish: str) -> Rule:
    begins = r"\b" if english[0].isalnum() else ""
    ends = r"\b" if english[-1].isalnum() else ""
    return re.compile(f"{begins}{re.escape(english)}{ends}"), lambda found: spanish


def _named_by_time(found: re.Match[str]) -> str:
    return f"**{_translated(found['when']) or found['when']}**"


def _with_rest(spanish: str) -> Callable[[re.Match[str]], str]:
    return lambda found: f"{spanish} {found['rest'].replace(' from ', ' desde ')}"


def _date(found: re.Match[str]) -> str:
    return f"{DAYS[found['wd']][0]} {found['d']} {MONTHS[found['mon']]}{found['y'] or ''}"


def _clock(found: re.Match[str]) -> str:
    hour = int(found["h"]) % 12 + (12 if found["half"] == "PM" else 0)
    zone = f" {found['zone']}" if found["zone"] else ""
    return f"{hour}:{found['m']}{zone}{' – ' if found['dash'] else ''}"


def _length(found: re.Match[str]) -> str:
    return f"{found['n']} {UNITS[found['unit']]}{'' if found['n'] == '1' else 's'}"
