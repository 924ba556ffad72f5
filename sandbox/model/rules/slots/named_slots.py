"""Fills parameters whose names say exactly what they want: addresses, targets, repositories, statuses, reasons."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from sandbox.model.rules.dates import grading_periods as periods
from sandbox.model.rules.dates import recurrence as repeating
from sandbox.model.rules.dates.vocabulary import NUMBER, number
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.planning import campus_vocabulary as campus
from sandbox.model.rules.slots import grade_scenarios as supposed
from sandbox.model.rules.slots import guests
from sandbox.model.rules.slots.slot_context import Task
from sandbox.model.rules.tools.schema import Param

URL = re.compile(r"https?://[^\s<>\"“”]+[^\s<>\"“”.,;:!?)\]]")
REPOSITORY = re.compile(r"(?<![\w/.@:])(?P<owner>[A-Za-z0-9][\w-]*)/(?P<repo>[A-Za-z0-9][\w-]*(?:\.[\w-]+)*)(?![\w/])")
NUMBERED = pattern(r"(issue|pull( request)?|pr|incidencia) (number |#|n[o°]\.?\s*)?(?P<n>\d+) | #(?P<m>\d+)")
FILE = pattern(r"(?<![\w/])(?P<path>([\w-]+/)*[\w-]+\.(py|md|txt|js|ts|java|c|h|cpp|toml|json|ya?ml|html|css|ipynb))")
REASON = re.compile(
    r"(?:,|\b(?:because|since|as|until|porque|ya\s+que)\b)\s*(?:because\s+|since\s+"
    r"|porque\s+)?(?P<reason>[^,].*?)[\s.!]*$"
)
NEEDS = re.compile(
    r"\b(?:needs?|depends?\s+on|waits?\s+for|has\s+to\s+wait\s+for|must\s+wait\s+for"
    r"|comes\s+after)\s+(?P<others>.+?)(?:\s+(?:first|to\s+be\s+done|before).*)?[\s.!]*$"
)
MINE = re.compile(
    r"\b(?:did|have)\s+i\b|\bi\s+(?:wrote|posted|said|write|post|say)\b|\bmy\s+(?:own\s+)?posts?\b"
    r"|\bescribi\b|\bhe\s+escrito\b|\bmis\s+mensajes\b"
)
PER_DAY = re.compile(
    rf"\b(?P<n>{NUMBER})\s+(?:hours?|horas?|hrs?|h)\s+(?:a|per|each|every|al|por|cada)\s+(?:day|dia)\b"
)
NEXT_DAYS = re.compile(
    rf"\b(?:next|coming|following|proximos?|siguientes)\s+(?P<n>{NUMBER})\s+(?:days?|dias?)\b"
    rf"|\b(?P<m>{NUMBER})[- ](?:days?|dias?)\s+(?:study\s+)?plan\b"
)
WEEKS = re.compile(rf"\b(?P<n>{NUMBER})\s+(?:weeks|semanas)\b")
PREFERS = {
    "morning": r"\b(?:mornings?|(?:por\s+la|cada)\s+manana|mananas)\b",
    "afternoon": r"\b(?:afternoons?|(?:por\s+la|cada)\s+tarde|tardes)\b",
    "evening": r"\b(?:evenings?|nights?|(?:por\s+la|cada)\s+noche|noches)\b",
}
STATES = (
    (
        "open",
        r"\bnot\s+(?:yet\s+)?(?:done|finished|complete\w*|read)\b|\bun(?:done|finished|read)\b|\b(?:sin"
        r"|no)\s+(?:hacer|terminar|leer|hech[oa]s?)\b",
    ),
    ("done", r"\b(?:done|finished|complete[d]?|hech[oa]s?|terminad[oa]s?|read|leid[oa]s?)\b"),
    (
        "open",
        r"\b(?:open|left|still|not\s+done|unfinished|remaining|to\s+do|pendientes?|falta\w*|abiert[oa]s?|unread)\b",
    ),
)
SAID_STATUS = (
    ("Done", r"\b(?:done|finished|complete[d]?|hech[oa]|terminad[oa])\b"),
    ("In progress", r"\b(?:in\s+progress|started|en\s+curso|empezad[oa]|en\s+progreso)\b"),
    ("Not started", r"\b(?:not\s+started|sin\s+empezar|to\s+do)\b"),
)
CONTENT = re.compile(r"(?:(?<!https)(?<!http):(?!\d)(?!//)|\n)\s*(?P<text>\S.*)$", re.DOTALL)
RECENT = {
    "day": r"\btoday|last\s+24|hoy\b",
    "week": r"\bthis\s+week|last\s+week|semana\b|\blatest\b",
    "month": r"\bthis\s+month|last\s+month|mes\b",
    "year": r"\bthis\s+year|last\s+year|\bano\b",
}


def address(text: str) -> str | None:
    """The first web address in a text."""
    found = URL.search(text)
    return found.group() if found else None


def content(text: str) -> str | None:
    """What stands after a colon, on its own lines or in quotes: a text to work on."""
    if found := CONTENT.search(text):
        return found["text"].strip().strip('"“”')
    quoted = re.search(r"[\"“](?P<text>.+)[\"”]", text, re.DOTALL)
    return quoted["text"] if quoted else None


def _urls(task: Task, param: Param) -> Any:
    return URL.findall(task.intent.text) or None


def _repository(part: str) -> Callable[[Task, Param], Any]:
    def read(task: Task, param: Param) -> str | None:
        text = re.sub(r"https?://[^/\s]*github[^/\s]*/", " ", task.intent.text)
        named = [match for match in REPOSITORY.finditer(text) if not FILE.fullmatch(match.group())]
        return named[0][part] if named else None

    return read


def _issue(task: Task, param: Param) -> int | None:
    found = NUMBERED.search(fold(task.intent.text))
    return int(found["n"] or found["m"]) if found else None


def _path(task: Task, param: Param) -> str | None:
    found = FILE.search(task.intent.text)
    return found["path"] if found else None


def _action(task: Task, param: Param) -> Any:
    folded = fold(task.intent.text)
    is_news = re.search(campus.REPOSITORY_NEWS, folded) is not None
    wanted = (
        ("fetch", bool(URL.search(folded))),
        ("get_configured", True),
        *((name, is_news) for name in param.choices if re.search(r"activit|commit|event", str(name))),
        ("list_releases", is_news or bool(re.search(r"\breleases?\b|\bversions?\b|\bversion(?:es)?\b", folded))),
        ("get_issue", bool(NUMBERED.search(folded))),
        ("search_code", bool(re.search(r"\b(?:where|find|search|used|busca\w*|donde)\b", folded))),
        (
            "get_file",
            bool(FILE.search(folded) or re.search(r"\b(?:folder|files?|directory|carpeta|archivos?)\b", folded)),
        ),
        ("get_readme", True),
    )
    return next((name for name, is_met in wanted if is_met and name in param.choices), None)


def _reason(task: Task, param: Param) -> str | None:
    found = REASON.search(task.intent.text)
    return found["reason"].strip() if found else None


def _depends(task: Task, param: Param) -> list[str] | None:
    found = NEEDS.search(task.intent.text)
    if found is None:
        return None
    parts = re.split(r",|\band\b|\by\b", found["others"])
    return [re.sub(r"(?i)^\s*(?:the|my|el|la|los|las|mi|mis)\s+", "", part).strip() for part in parts if part.strip()]


def _state_words(task: Task, param: Param) -> str | None:
    folded = fold(task.intent.text)
    return next((name for name, pattern in STATES if re.search(pattern, folded)), None)


def _changes(task: Task, param: Param) -> dict[str, str] | None:
    folded = fold(task.intent.text)
    status = next((name for name, pattern in reversed(SAID_STATUS) if re.search(pattern, folded)), None)
    if status:
        return {"Status": status}
    when = task.intent.when
    moment = when.start or when.end
    return {"Due": moment.date().isoformat()} if moment else None


def _counted(pattern: re.Pattern[str], *, soon: int | None = None) -> Callable[[Task, Param], Any]:
    def read(task: Task, param: Param) -> Any:
        folded = fold(task.intent.text)
        found = pattern.search(folded)
        if found is None:
            return soon if soon and re.search(r"\b(?:next|proxima)\s+(?:week|semana)\b", folded) else None
        value = number(next(part for part in found.groups() if part))
        return int(value) if param.kind == "integer" else value

    return read


def _prefer(task: Task, param: Param) -> str | None:
    folded = fold(task.intent.text)
    return next(
        (name for name, pattern in PREFERS.items() if name in param.choices and re.search(pattern, folded)), None
    )


def _recency(task: Task, param: Param) -> str | None:
    folded = fold(task.intent.text)
    return next((name for name, pattern in RECENT.items() if re.search(pattern, folded)), None)


def _of_text(read: Callable[[str], Any]) -> Callable[[Task, Param], Any]:
    return lambda task, param: read(task.intent.text)


def _nothing(task: Task, param: Param) -> None:
    return None


FILLERS: Mapping[str, Callable[[Task, Param], Any]] = {
    "url": _of_text(address),
    "urls": _urls,
    "text": _of_text(content),
    "owner": _repository("owner"),
    "repo": _repository("repo"),
    "issue_number": _issue,
    "path": _path,
    "action": _action,
    "target": supposed.target,
    "item": supposed.item,
    "scores": supposed.scores,
    "reason": _reason,
    "depends_on": _depends,
    "status": _state_words,
    "changes": _changes,
    "posts": lambda task, param: "mine" if MINE.search(fold(task.intent.text)) else None,
    "prefer": _prefer,
    "recency": _recency,
    "weeks": _counted(WEEKS, soon=2),
    "hours_per_day": _counted(PER_DAY),
    "repeats": _of_text(repeating.repeats),
    "repeat_days": _of_text(repeating.repeat_days),
    "repeat_every": _of_text(repeating.repeat_every),
    "repeat_count": _of_text(repeating.repeat_count),
    "repeat_until": lambda task, param: repeating.last_day(task.intent.text, task.hints.now),
    "grading_period": _of_text(periods.grading_period),
    "reminders_minutes": _of_text(repeating.reminders),
    "applies_to": _of_text(repeating.part_of_series),
    "guests": lambda task, param: guests.guests(task.intent.text) or None,
    "add_guests": lambda task, param: guests.ADDRESS.findall(task.intent.text) or None,
    "to": lambda task, param: guests.ADDRESS.findall(task.intent.text) or None,
    **dict.fromkeys(
        (
            "cc",
            "remove_guests",
            "notify_guests",
            "buffer_minutes",
            "block_minutes",
            "terms",
            "questions",
            "where",
            "others",
            "of_page",
            "ref",
        ),
        _nothing,
    ),
}
"""By a parameter's name; None leaves it out."""
EVERYWHERE = (
    "repeats",
    "repeat_days",
    "repeat_every",
    "repeat_count",
    "repeat_until",
    "grading_period",
    "reminders_minutes",
    "applies_to",
    "guests",
    "add_guests",
    "remove_guests",
    "notify_guests",
    "buffer_minutes",
    "url",
    "urls",
    "depends_on",
)
"""Names that mean this at every tool; the others only at tools with a speciality."""
