"""Rules that read hours, parts of the day and lengths of time: "3-5pm", "a las 4", "in two hours", "half an hour"."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sandbox.model.rules.dates.vocabulary import MISSPELT_PARTS, NUMBER, PART, PARTS, WEEKDAY, number

Fields = dict[str, Any]
Reader = Callable[[re.Match[str], datetime], Fields | None]
HALF = r"a\.?\s?m\.?|p\.?\s?m\.?"
CLOCK = rf"(?P<h{{0}}>\d{{{{1,2}}}})(?:[:.h](?P<m{{0}}>\d\d))?\s*(?P<x{{0}}>{HALF})?(?![\d%/])"
TO = r"\s*(?:-|–|—|to|until|till|til|and|a|hasta|y)\s*(?:las?\s+)?"
UNITS = (
    r"(?!\s*(?:h\b|hrs?\b|hours?|min|days?|weeks?|dias?|horas?|semanas?|minutos?|percent|points?|pages?|%|st\b|"
    r"nd\b|rd\b|th\b|\.\d|:\d|/|-\s?\d))"
)
HOURS = r"hours?|hrs?|hr|h|horas?"
MINUTES = r"minutes?|mins?|min|minutos?"
FIXED = (
    (90, r"(?:an?\s+)?hour and a half|one and a half hours?|(?:una\s+)?hora y media"),
    (30, r"half[\s-]+(?:an?\s+)?hours?|a half hour|media hora"),
    (15, r"(?:a\s+)?quarter of an hour|quarter hour|(?:un\s+)?cuarto de hora"),
    (45, r"three quarters of an hour|tres cuartos de hora"),
)
"""Lengths that are said without a number of hours or minutes."""
LENGTH = (
    rf"(?:\b(?:{'|'.join(said for _, said in FIXED)})\b"
    rf"|\b(?P<hours>{NUMBER})\s*+(?:-\s*+)?(?:(?:free|open|spare|full|whole|more|solid|good)\s+)?(?:{HOURS})\b"
    rf"(?P<half>\s+and a half|\s+y media)?(?:\s*+(?:(?:and|y)\s*+)?(?P<extra>\d+)\s*(?:{MINUTES}|m)\b"
    rf"|(?<=h)(?P<glued>\d\d)\b)?"
    rf"|\b(?P<mins>{NUMBER})\s*+(?:-\s*+)?(?:(?:free|spare|more)\s+)?(?:{MINUTES})\b)"
)
UNNAMED = re.sub(r"\(\?P<\w+>", "(?:", LENGTH)


def _time(at: int | None, until: int | None = None) -> Fields | None:
    return None if at is None else {"kind": "time", "at": at, "until": until}


def _minutes(hour: int, minute: int, half: str | None) -> int | None:
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return None
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    elif 1 <= hour <= 7:
        hour += 12
    return (hour % 24) * 60 + minute


def _range(match: re.Match[str], now: datetime) -> Fields | None:
    last_half, same = match["xb"], int(match["ha"]) % 12 < int(match["hb"]) % 12
    if not (match["xa"] or last_half or match["ma"] or match["mb"] or match["cue"]):
        return None
    # "3-5pm" is three in the afternoon, "10-2pm" ten in the morning.
    first_half = match["xa"] or (last_half if not last_half or same else "am" if last_half.startswith("p") else None)
    until = _minutes(int(match["hb"]), int(match["mb"] or 0), last_half)
    at = _minutes(int(match["ha"]), int(match["ma"] or 0), first_half)
    if at is None or until is None:
        return None
    if at >= until and not last_half and until < 720 and at < until + 720:
        until += 720
    return _time(at, until) if at < until else None


def _clock(match: re.Match[str], now: datetime) -> Fields | None:
    hour, half = int(match["ha"]), match["xa"] or _half_from_words(match.groupdict().get("part"))
    return _time(_minutes(hour, int(match["ma"] or 0), half if hour <= 12 else None))


def _half_from_words(part: str | None) -> str | None:
    return part and ("am" if re.search(r"morning|manana|madrugada", part) else "pm")


def _spanish(match: re.Match[str], now: datetime) -> Fields | None:
    hour, rest = int(number(match["ha"])), match["rest"] or ""
    minute = 30 if "media" in rest else -15 if "menos cuarto" in rest else 15 if "cuarto" in rest else 0
    if digits := re.search(r"[:.h](\d\d)", rest):
        minute = int(digits.group(1))
    at = _minutes(hour, 0, match["xa"] or _half_from_words(match["part"]) if hour <= 12 else None)
    return None if at is None else _time((at + minute) % 1440)


def _half_past(match: re.Match[str], now: datetime) -> Fields | None:
    at = _minutes(int(number(match["ha"])), 0, match["xa"])
    shift = 30 if match["how"].startswith("half") else 15 if match["how"].endswith("past") else -15
    return None if at is None else _time((at + shift) % 1440)


def _length_of(match: re.Match[str]) -> int | None:
    fixed = next((minutes for minutes, said in FIXED if re.match(said, match.group())), None)
    hours, more = match["hours"], (match["extra"], match["mins"])
    total = (number(hours) * 60 if hours else 0) + 30 * bool(match["half"]) + sum(number(part) for part in more if part)
    return fixed or (round(total) if 0 < total <= 24 * 60 else None)


def _length(match: re.Match[str], now: datetime) -> Fields | None:
    minutes = _length_of(match)
    return {"kind": "duration", "minutes": minutes} if minutes else None


def _in_a_while(match: re.Match[str], now: datetime) -> Fields | None:
    inner = re.search(LENGTH, match.group())
    minutes = _length_of(inner) if inner else None
    return {"kind": "moment", "moment": now + timedelta(minutes=minutes)} if minutes else None


def _shift(match: re.Match[str], now: datetime) -> Fields | None:
    inner = re.search(LENGTH, match.group())
    minutes = _length_of(inner) if inner else None
    is_back = re.search(r"earlier|sooner|antes|forward", match.group())
    return {"kind": "shift", "minutes": -minutes if is_back else minutes} if minutes else None


def _bare(match: re.Match[str], now: datetime) -> Fields | None:
    return _clock(match, now) if 0 < int(match["ha"]) <= 23 else None


def _named_part(match: re.Match[str], now: datetime) -> Fields:
    word = match["part"] or match["part2"]
    first, last = (8, 12) if word == "manana" else PARTS[MISSPELT_PARTS.get(word, word)]
    return {"kind": "part", "at": first * 60, "until": last * 60}


# "from 3 to 5", "15:00–17:00", "10-2pm", "entre las 2 y las 4 de la tarde".
HOURS_RANGE = (
    r"\b(?P<cue>from\s+|between\s+|at\s+|desde\s+las?\s+|de\s+las?\s+|de\s+|entre\s+las?\s+|entre\s+|las?\s+)?"
    rf"(?<![\d/:.-]){CLOCK.format('a')}{TO}{CLOCK.format('b')}{UNITS}"
    r"(?:\s+(?:de la|por la|in the)\s+(?P<part>tarde|manana|noche|morning|afternoon|evening))?"
)
# "in two hours", but not "in 90 minutes of studying".
IN_A_WHILE = rf"\b(?:in|within|en|dentro de)\s+(?:about\s+|like\s+)?{UNNAMED}(?!\s+(?:of|for|to|de|para)\b)"
# "an hour later", "by half an hour".
SHIFT = (
    rf"{UNNAMED}\s+(?:later|earlier|sooner|antes|mas tarde|despues)\b"
    rf"|\b(?:by|back|forward)\s+(?:another\s+)?{UNNAMED}(?:\s+(?:later|earlier))?"
)
# "a las 4 y media de la tarde", "sobre las cinco".
SPANISH_HOUR = (
    r"\b(?:a las?|sobre las?|hacia las?|para las?|desde las?|hasta las?|las)\s+"
    r"(?P<ha>\d{1,2}|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)"
    rf"(?P<rest>[:.h]\d\d|\s+y media|\s+y cuarto|\s+menos cuarto)?\s*(?P<xa>{HALF})?"
    r"(?:\s*(?:de|por|en) la (?P<part>tarde|manana|noche|madrugada))?(?:\s+en punto)?\b"
)
IN_PART = r"(?:\s+(?:in the|at|de la)\s+(?P<part>morning|afternoon|evening|night|tarde|manana|noche))?"
# "at 3", "Friday 3", "@5": a bare number after a word that makes it an hour.
BARE_HOUR = (
    r"(?<!\d\s)(?:\b(?:at|around|about|by|until|till|to|before|after|from|starting|start|end|ends|ending)\s+|@\s*"
    rf"|(?<=\b)(?:{WEEKDAY}|tomorrow|today|tmrw|tonight)\s+(?=\d))"
    rf"(?P<here>(?P<ha>\d{{1,2}})(?P<ma>)(?P<xa>)\b{UNITS}{IN_PART})"
)
# "in the afternoon", "por la manana", "late evening".
PART_OF_DAY = (
    rf"\b(?:in the\s+|at\s+|de la\s+|por la\s+|en la\s+|a la\s+|early\s+|late\s+)?(?P<part>{PART})s?\b"
    r"|\b(?:por la|de la|en la)\s+(?P<part2>manana)\b"
)
RULES: tuple[tuple[str, Reader], ...] = (
    (HOURS_RANGE, _range),
    (IN_A_WHILE, _in_a_while),
    (SHIFT, _shift),
    (SPANISH_HOUR, _spanish),
    (r"\b(?P<ha>1\d|2[0-3])h(?P<ma>\d\d)(?P<xa>)\b", _clock),
    (LENGTH, _length),
    (rf"\b(?P<how>half past|quarter past|quarter to)\s+(?P<ha>{NUMBER})\s*(?P<xa>{HALF})?", _half_past),
    (rf"\b(?P<ha>\d{{1,2}})(?:[:.](?P<ma>\d\d))?\s*(?P<xa>{HALF})(?![\w%])", _clock),
    (rf"\b(?P<ha>\d{{1,2}})[:h](?P<ma>\d\d)(?P<xa>)\b{IN_PART}", _clock),
    (rf"\b(?P<ha>\d{{1,2}})(?P<ma>)(?P<xa>)\s*(?:o'?\s?clock|ish\b|-ish\b){IN_PART}", _clock),
    (BARE_HOUR, _bare),
    (PART_OF_DAY, _named_part),
)
