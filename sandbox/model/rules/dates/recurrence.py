"""Recurrence: how an event repeats, when it reminds, and how much of a series is meant."""

import re
from datetime import date, datetime

from sandbox.model.rules.dates.vocabulary import NUMBER, WEEKDAY, WEEKDAYS, index_of, number
from sandbox.model.rules.dates.when import read_when
from sandbox.model.rules.language.text import fold, word_set

CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
EVERY = r"(?:every|each|cada|todos\s+los|todas\s+las)"
DAYS = rf"(?>(?:{WEEKDAY})(?:s\b|\b))"
ON_DAYS = re.compile(
    rf"\b(?:{EVERY}|los(?=\s+(?:lunes|martes|miercoles|jueves|viernes|sabados|domingos))"
    r"|on(?=\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days\b))\s+(?P<other>other\s+|second\s+|otro\s+)?"
    rf"(?P<days>{DAYS}(?:(?:\s*,\s*|\s+and\s+|\s+y\s+)(?:los\s+)?{DAYS})*)"
)
TO_DAYS = re.compile(
    rf"\b(?:to|onto|a)\s+(?:los\s+)?(?P<days>{DAYS}(?:\s*+,\s*+{DAYS})*(?:\s*+,)?\s++(?:and|y)\s+(?:los\s+)?{DAYS}"
    rf"|(?:{WEEKDAY})s\b)"
)
"""Where a series is moved to: several days, or one in the plural."""
WORKDAYS = re.compile(
    rf"\b{EVERY}\s+(?:weekday|workday|school\s+day|dia\s+laborable)\b|\bon\s+weekdays\b|\bentre\s+semana\b"
)
UNITS = {
    "daily": rf"\b(?:daily|diariamente|{EVERY}\s+(?:day|dia|dias|morning|evening|night|afternoon|manana|tarde"
    rf"|noche))\b",
    "weekly": rf"\b(?:weekly|semanal\w*|{EVERY}\s+(?:week|semana|semanas)|(?:every|each)\s+(?:other"
    rf"|second)\s+week)\b",
    "monthly": rf"\b(?:monthly|mensual\w*|{EVERY}\s+(?:month|mes|meses))\b",
    "yearly": rf"\b(?:yearly|annually|anual\w*|{EVERY}\s+(?:year|ano|anos))\b",
}
EVERY_NTH = re.compile(rf"\b{EVERY}\s+(?:(?P<n>\d+|two|three|four|dos|tres|cuatro)\s+\w+|(?P<other>other|second)\b)")
UNTIL = re.compile(r"\b(?:until|till?|through|thru|hasta)\s+(?P<when>.+)$")
ALL_TERM = re.compile(
    r"\b(?:until|till|through|hasta|for\s+the\s+rest\s+of)\s+(?:the\s+|el\s+)?(?:(?:end|final|fin)\s+(?:of|de"
    r"|del)\s+)?(?:the\s+|this\s+|el\s+|this\s+)?(?:term|semester|semestre|curso|quarter|trimestre)\b"
)
TIMES = re.compile(rf"\b(?P<n>{NUMBER})\s+(?:times|veces|weeks\s+in\s+a\s+row)\b")
REMIND = re.compile(
    rf"(?:(?:,\s*+|(?<!\s)\s++)?\b(?:and|with|y|con)\s++)?\b(?:(?:please\s+)?remind\s+me|a\s+reminder|reminders?|alert\s+me|recuerda\w*"
    rf"|avisa\w*|un\s+recordatorio|notify\s+me)\s+(?:(?:it|me|de|set\s+to)\s+)*(?P<n>{NUMBER})\s+(?P<unit>min\w*"
    rf"|hours?|days?|horas?|dias?|weeks?|semanas?)"
    r"\s+(?:before(?:hand)?|ahead|earlier|in\s+advance|antes)\b"
)
NO_REMINDER = re.compile(r"\b(?:without|no|sin)\s+(?:any\s+)?(?:reminders?|recordatorios?)\b")
ALL_OF_THEM = re.compile(
    r"\b(?:all\s+(?:of\s+(?:them|the|my|it)|the|my|\w+\s+events)|every(?!\s+one\s+(?:from|after))|each|(?:whole|entire"
    r"|full)\s+\w*\s*series|(?<!rest of )the\s+(?:\w+\s+){0,2}series|altogether|for\s+good|todas?\s+l[ao]s|cada"
    r"|toda\s+la\s+serie|la\s+serie\s+(?:entera|completa)|para\s+siempre|por\s+completo)\b"
)
FROM_THEN_ON = re.compile(
    r"\b(?:from\b.{2,40}\bon(?:wards?)?\b|from\s+(?:now|then|there|here)\s+(?:on|forward)|(?:and"
    r"|this)\s+(?:and\s+)?(?:all\s+)?following|(?:the|all\s+the)\s+(?:rest|remaining|others?)\b(?:\s+(?:of|ones?"
    r"|series|dates?|times?))?|(?:all\s+)?(?:the\s+)?future\s+\w+|all\s+future|any\s?more|no\s+longer"
    r"|starting\s+(?:from\s+|on\s+|with\s+)?(?:now|the\b|next\b|[a-z]+\s+\d|\d)|after\s+(?!lunch|class|work|school"
    r"|noon)(?:this|that|the|next|[a-z]+\s+\d|\d)|a\s+partir\s+de|desde\b.{2,30}\ben\s+adelante|de\s+(?:ahora"
    r"|aqui)\s+en\s+adelante|desde\s+ahora|(?:el|todo\s+el)\s+resto|l[ao]s\s+(?:demas|siguientes|restantes"
    r"|que\s+(?:quedan|faltan))|ya\s+no)\b"
)
ONLY_ONE = re.compile(
    r"\b(?:only|once|this\s+(?:one|time)|that\s+one|(?:a\s+)?single|one\s+(?:time|occurrence)"
    r"|just\s+(?:the\s+one|for|next|this|that|on)|solo|solamente|unicamente|nada\s+mas"
    r"|nomas|(?:esta|una|por\s+una)\s+(?:sola\s+)?vez|por\s+esta)\b"
)
WHOLE_SERIES = re.compile(r"\b(?:series|serie|all\s+of|todas)\b")
SCOPE_WORDS = word_set(
    """
    only just once this that one time single occurrence rest series remaining future following anymore longer solo
    solamente unicamente nada mas nomas vez resto serie demas siguientes adelante ahora others whole entire all
    la el lo las los of the from on onwards de del
    """
)
"""Words that say which part of a series is meant, not which series."""


def repeats(text: str) -> str | None:
    """daily, weekly, monthly or yearly; None for what happens once."""
    folded = fold(text)
    if ON_DAYS.search(folded) or WORKDAYS.search(folded):
        return "weekly"
    return next((unit for unit, pattern in UNITS.items() if re.search(pattern, folded)), None)


def repeat_days(text: str) -> list[str] | None:
    """The days of a weekly event, like ["MO", "WE"]."""
    folded = fold(text)
    if WORKDAYS.search(folded):
        return list(CODES[:5])
    found = ON_DAYS.search(folded) or TO_DAYS.search(folded)
    if found is None:
        return None
    named = re.findall(rf"\b(?:{WEEKDAY})", found["days"])
    return [CODES[at] for at in sorted({index_of(WEEKDAYS, word) for word in named})]


def repeat_every(text: str) -> int | None:
    """2 of "every other week"; None for every one."""
    folded = fold(text)
    if (days := ON_DAYS.search(folded)) and days["other"]:
        return 2
    found = EVERY_NTH.search(folded) if repeats(text) else None
    return None if found is None else 2 if found["other"] else int(number(found["n"]))


def repeat_until(text: str, now: datetime) -> date | None:
    """The last day of a series."""
    found = UNTIL.search(fold(text)) if repeats(text) else None
    when, _ = read_when(text[found.start("when") :], now) if found else (None, [])
    moment = (when.start or when.end) if when is not None and when.has_day else None
    return moment.date() if moment else None


def last_day(text: str, now: datetime) -> str | None:
    """Last day of a series as a tool takes it; "end of term" where it repeats until the term ends."""
    if repeats(text) and ALL_TERM.search(fold(text)):
        return "end of term"
    day = repeat_until(text, now)
    return day.isoformat() if day else None


def repeat_count(text: str) -> int | None:
    """Number of times in all."""
    found = TIMES.search(fold(text)) if repeats(text) else None
    return int(number(found["n"])) if found else None


def reminders(text: str) -> list[int] | None:
    """Minutes before the start; an empty list for none at all."""
    folded = fold(text)
    if NO_REMINDER.search(folded):
        return []
    found = [int(number(match["n"]) * _minutes(match["unit"])) for match in REMIND.finditer(folded)]
    return found or None


def part_of_series(text: str) -> str | None:
    """this, following or all; None when the clause does not say."""
    folded = fold(text)
    if ONLY_ONE.search(folded) and not WHOLE_SERIES.search(folded):
        return "this"
    if FROM_THEN_ON.search(folded):
        return "following"
    return "all" if ALL_OF_THEM.search(folded) else None


def told_ranges(text: str) -> list[tuple[int, int]]:
    """Ranges about repetition and reminders: no part of a title, and reminders no part of the time."""
    folded = fold(text)
    patterns = [ON_DAYS, WORKDAYS, EVERY_NTH, TIMES, *map(re.compile, UNITS.values())]
    found = [match.span() for pattern in patterns for match in pattern.finditer(folded)] if repeats(text) else []
    return found + reminder_ranges(text)


def reminder_ranges(text: str) -> list[tuple[int, int]]:
    """Ranges that say when to be reminded of an event."""
    folded = fold(text)
    return [match.span() for pattern in (REMIND, NO_REMINDER) for match in pattern.finditer(folded) if match.start()]


def _minutes(unit: str) -> int:
    return {"m": 1, "h": 60, "d": 1440, "w": 10080, "s": 10080}[unit[0]]
