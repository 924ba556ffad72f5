"""Translation of tool results into Spanish: their own words and dates; titles, quotes, names and numbers stay.
A piece is translated only when every word of it is known; any other stays as it stands, so that no fact is bent."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial

from sandbox.model.rules.language.courses import in_english as subject_in_english
from sandbox.model.rules.language.text import tokens
from sandbox.model.rules.language.vocabulary import pairs

Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

TABLE = "spanish.txt"
DAYS = {"Mon": "lun", "Tue": "mar", "Wed": "mié", "Thu": "jue", "Fri": "vie", "Sat": "sáb", "Sun": "dom"}
FULL_DAYS = {
    "Monday": "lunes", "Tuesday": "martes", "Wednesday": "miércoles", "Thursday": "jueves", "Friday": "viernes",
    "Saturday": "sábados", "Sunday": "domingos",
}  # fmt: skip
MONTHS = {name: name.lower() for name in ["Feb", "Mar", "May", "Jun", "Jul", "Sep", "Oct", "Nov"]} | {
    "Jan": "ene", "Apr": "abr", "Aug": "ago", "Dec": "dic",
}  # fmt: skip
UNITS = {"minute": "minuto", "hour": "hora", "day": "día", "week": "semana"}
CODE = r"[A-Z]{2,5} ?\d{2,4}[A-Z]?\b"
COURSE = (
    rf"{CODE}(?:: .+?(?=$| (?:due|found|past due|not handed in|handed in|graded|waiting|of the kind|that were)\b"
    rf"| with \d| \(|: [a-z\d]|, | and {CODE}))?"
)
"""A course's code and its name, which may have a colon and small words of its own."""
NAME = r"(?!Homeroom\b)[A-ZÁÉÍÓÚ][\w'’.-]+(?: [A-ZÁÉÍÓÚ][\w'’.-]+)*"
KEPT = (
    r"\*\*.+?\*\*|“[^”]*”|`[^`]*`|(?P<label>\[open\])(?=\()|\[[^\]]*\](?=\()|\(https?://[^)\s]*\)"
    rf"|(?<= )[\w-]+/[\w.-]+|{COURSE}|(?:Fall|Spring|Summer|Winter) \d{{4}}"
    rf"|(?:(?<=\bby )|(?<=\bin )|(?<=\bor )|(?<=\bwith )|(?<=\bfrom )|(?<=\bfor )){NAME}"
    r"|(?<=\()(?:Google Calendar|Canvas|Notion|GitHub|SearxNG|Calendar feed)\b"
)
"""What stays: bold titles, quotes, links, courses, terms, and names of people, places and services."""
PLAIN = r"[.,:;()%+/&?!–—-]+|[\d.,½¼¾]+|\s+|(?<![\w])[A-F][+-]?(?![\w])"
LISTS = (
    ("Dropped by the course's rules:", "Descartado por las reglas del curso:"),
    ("Letters are by the course's own grading scheme:", "Las letras siguen la escala del propio curso:"),
)
"""Sentences that end in names and numbers."""
LONGEST_FRAMED = 600
PLACE = re.compile(r"\{(\w+)\}")


def in_spanish(text: str) -> str:
    """A line of a result: each of its parts between dashes in Spanish where all its words are known."""
    return " — ".join(_translated(part) or part for part in text.split(" — "))


def all_in_spanish(text: str) -> str:
    """Translation of one whole sentence; empty when it has words that are not known."""
    return _translated(text) or ""


@cache
def english_names() -> dict[str, str]:
    """Spanish words for things that courses and pages often call by English names, folded."""
    return dict(pairs(TABLE, "names"))


def in_english(text: str) -> str:
    """The text with the words that have an English name; empty when it has none of them."""
    found = tokens(text)
    told = [english_names().get(token.word) or subject_in_english(token.word) for token in found]
    if not any(told) or all(word == token.word for word, token in zip(told, found, strict=True) if word):
        return ""
    return " ".join(word or text[token.start : token.end] for word, token in zip(told, found, strict=True))


def without_accents(text: str) -> str:
    """The text as those type it who leave accents away: "recursión" as "recursion"."""
    return "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))


@lru_cache(maxsize=4_000)
def _translated(text: str) -> str | None:
    if (framed := _framed(text)) is not None:
        return framed
    written, at = "", 0
    while at < len(text):
        taken = next(((spell, m) for rule, spell in _rules() if (m := rule.match(text, at)) and m.end() > at), None)
        if taken is None:
            return None
        written, at = written + taken[0](taken[1]), taken[1].end()
    return re.sub(r"\blas (?=1:\d\d\b)", "la ", written)


def _framed(text: str) -> str | None:
    """A part with somebody's own words in it, where what stands around them is known."""
    for pattern, spanish in _frames() if len(text) <= LONGEST_FRAMED else ():
        if found := pattern.fullmatch(text):
            parts = found.groupdict()
            said = {name: _translated(part) if name.startswith("t_") else part for name, part in parts.items()}
            if None not in said.values():
                return spanish.format(**said)
    return None


@cache
def _frames() -> Sequence[tuple[re.Pattern[str], str]]:
    return [(re.compile(_open(english)), spanish) for english, spanish in pairs(TABLE, "frames")]


def _open(frame: str) -> str:
    """The pattern of a frame, with something in each of its places."""
    # Every second piece is the name of a place.
    pieces = enumerate(PLACE.split(frame))
    return "".join(f"(?P<{piece}>.+?)" if at % 2 else re.escape(piece) for at, piece in pieces)


@cache
def _rules() -> Sequence[Rule]:
    kinds = dict(pairs(TABLE, "kinds"))
    days, clock = "|".join(DAYS), r"(?P<h>\d{1,2}):(?P<m>\d\d) (?P<half>[AP]M)(?: (?P<dash>–) (?=\d))?"
    date = rf"(?P<wd>{days}) (?P<d>\d{{1,2}}) (?P<mon>{'|'.join(MONTHS)})(?P<y> \d{{4}})?"
    kept: list[tuple[str, Callable[[re.Match[str]], str]]] = [
        (rf"\*\*(?P<when>(?:{days}) [^*]+)\*\*", lambda m: f"**{_translated(m['when']) or m['when']}**"),
        (rf"(?:{KEPT})", lambda m: "[abrir]" if m["label"] else m.group()),
        (date, lambda m: f"{DAYS[m['wd']]} {m['d']} {MONTHS[m['mon']]}{m['y'] or ''}"),
        (rf"{clock}(?: (?P<zone>[A-Z]{{3,4}}|UTC[+-]\d{{2}}(?::?\d\d)?)\b)?", _clock),
        (
            r"(?P<n>\d+(?:½)?) (?P<unit>minute|hour|day|week)s?\b",
            lambda m: f"{m['n']} {UNITS[m['unit']]}{'' if m['n'] == '1' else 's'}",
        ),
        (rf"(?P<day>{'|'.join(FULL_DAYS)})\b", lambda m: FULL_DAYS[m["day"]]),
        (r"about (?=“)", lambda m: "sobre "),
        (rf"of the kind “(?P<kind>{'|'.join(kinds)})”", lambda m: f"del tipo «{kinds[m['kind']]}»"),
        (r"lowest (?P<n>\d+) dropped", lambda m: f"sin contar la(s) {m['n']} más baja(s)"),
        *((rf"{begins} (?P<rest>.+)", partial(_with_rest, spanish)) for begins, spanish in LISTS),
    ]
    said = [*map(_noun, sorted(pairs(TABLE, "nouns"), key=_longest)), *map(_phrase, sorted(_phrases(), key=_longest))]
    return [*((re.compile(rule), spell) for rule, spell in kept), *said, (re.compile(PLAIN), lambda m: m.group())]


def _phrases() -> Sequence[tuple[str, str]]:
    return pairs(TABLE, "phrases")


def _longest(pair: tuple[str, str]) -> int:
    return -len(pair[0])


def _noun(pair: tuple[str, str]) -> Rule:
    # "No tasks", "1 task", "12 tasks": a count of what is listed.
    noun, (single, many, gender) = pair[0], pair[1].split(" / ")
    none = f"{'Ninguna' if gender == 'f' else 'Ningún'} {single}"
    plural = noun if noun.startswith("tasks?") else f"{noun}e?s?"

    def spell(found: re.Match[str]) -> str:
        if found["n"].lower() == "no":
            return none if found["n"] == "No" else none.lower()
        return f"{found['n']} {single if found['n'] == '1' else many}"

    counted = f"things?{noun[5:]}" if noun.startswith("thing ") else plural
    return re.compile(rf"(?P<n>[Nn]o|\d[\d,.]*) {counted}\b"), spell


def _phrase(pair: tuple[str, str]) -> Rule:
    english, spanish = pair
    begins, ends = (r"\b" if letter.isalnum() else "" for letter in (english[0], english[-1]))
    return re.compile(f"{begins}{re.escape(english)}{ends}"), lambda found: spanish


def _with_rest(spanish: str, found: re.Match[str]) -> str:
    return f"{spanish} {found['rest'].replace(' from ', ' desde ')}"


def _clock(found: re.Match[str]) -> str:
    hour = int(found["h"]) % 12 + (12 if found["half"] == "PM" else 0)
    zone = f" {found['zone']}" if found["zone"] else ""
    return f"{hour}:{found['m']}{zone}{' – ' if found['dash'] else ''}"
