"""Slots whose names say exactly what they want: addresses, repositories, statuses, reasons, guests, repetition."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from sandbox.model.rules.dates import recurrence
from sandbox.model.rules.dates.vocabulary import NUMBER, number
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.language.vocabulary import sections
from sandbox.model.rules.search.campus_topics import is_about
from sandbox.model.rules.slots import grade_scenarios
from sandbox.model.rules.slots.slot_context import CallDraft
from sandbox.model.rules.tools.schema import Param
from sandbox.model.rules.understanding import mentions

Filler = Callable[[CallDraft, Param], Any]

URL = re.compile(r"https?://[^\s<>\"“”]+[^\s<>\"“”.,;:!?)\]]")
REPOSITORY = re.compile(r"(?<![\w/.@:-])(?P<owner>[A-Za-z0-9][\w-]*)/(?P<repo>[A-Za-z0-9][\w-]*(?:\.[\w-]+)*)(?![\w/])")
NEEDS = pattern(
    r"(needs?|depends? on|waits? for|has to wait for|must wait for|comes after) (?P<others>.+?)"
    r"(?:\s+(?:first|to be done|before).*)?[\s.!]*$"
)
STATUSES = (
    ("Not started", pattern("not started | sin empezar | to do")),
    ("In progress", pattern("in progress | started | en curso | empezad[oa] | en progreso")),
    ("Done", pattern("done|finished|completed?|hech[oa]|terminad[oa]")),
)
CONTENT = re.compile(r"(?:(?<!https)(?<!http):(?!\d)(?!//)|\n|\b(?:say that|di que)\s)\s*(?P<text>\S.*)$", re.DOTALL)
ACTIONS: tuple[tuple[str, str], ...] = (
    ("fetch", r"https?://"),
    ("get_configured", ""),
    ("list_releases", r"\breleases?\b|\bversion(?:e?s)?\b"),
    ("get_issue", r"\b(?:issue|pull(?:\s+request)?|pr|incidencia)\s+(?:number\s+|#|n[o°]\.?\s*)?\d+|#\d+"),
    ("search_code", r"\b(?:where|find|search|used|busca\w*|donde)\b"),
    ("get_file", r"(?<![\w/])[\w/-]+\.(?:py|md|txt|js|ts|java|toml|json|ya?ml|html)\b|\b(?:folder|files?|archivos?)\b"),
    ("get_readme", ""),
)  # fmt: skip
"""What a tool's choice of action is for, by its name; the first that is met counts."""


def said_slot(name: str, text: str) -> Any:
    """The value of a parameter by the table of slot patterns; None where the text says none."""
    for said, value in _patterns()[name]:
        if found := said.search(fold(text)):
            shown = text[found.start("value") : found.end("value")].strip() if "value" in said.groupindex else ""
            return number(found["value"]) if value == "#" else value or shown
    return None


@cache
def _patterns() -> Mapping[str, list[tuple[re.Pattern[str], str]]]:
    return {name: [_read(line) for line in lines.splitlines()] for name, lines in sections("slots.txt").items()}


def _read(line: str) -> tuple[re.Pattern[str], str]:
    kind, value, rest = (*line.split(" ", 2), "", "")[:3]
    if kind == "=":
        return pattern(rest.replace("<number>", NUMBER)), value
    said = line.removeprefix("~ ").replace("<number>", NUMBER)
    return pattern(said), "#" if kind == "~" else ""


def address(text: str) -> str | None:
    """The first web address in a text."""
    found = URL.search(text)
    return found.group() if found else None


def content(text: str) -> str | None:
    """Text to work on: after a colon, on its own lines or in quotes."""
    if found := CONTENT.search(text):
        return found["text"].strip().strip('"“”')
    quoted = re.search(r"[\"“](?P<text>.+)[\"”]", text, re.DOTALL)
    return quoted["text"] if quoted else None


def filler_of(name: str) -> Filler | None:
    """Filler of a parameter by its name; the table of patterns where no function does."""
    if name in FILLERS or name not in _patterns():
        return FILLERS.get(name)
    return lambda draft, param: _typed(said_slot(name, draft.intent.text), param)


def _typed(value: Any, param: Param) -> Any:
    if isinstance(value, str) and param.choices and value not in param.choices:
        return None
    return int(value) if param.kind == "integer" and isinstance(value, str | float) else value


def _repository(part: str) -> Filler:
    def read(draft: CallDraft, param: Param) -> str | None:
        text = re.sub(r"https?://[^/\s]*github[^/\s]*/", " ", draft.intent.text)
        named = [match for match in REPOSITORY.finditer(text) if said_slot("path", match.group()) != match.group()]
        return named[0][part] if named else None

    return read


def _action(draft: CallDraft, param: Param) -> Any:
    folded = fold(draft.intent.text)
    if "list_releases" in param.choices and is_about("repository_news", folded):
        return "list_releases"
    return next((name for name, said in ACTIONS if name in param.choices and re.search(said, folded)), None)


def _depends(draft: CallDraft, param: Param) -> list[str] | None:
    found = NEEDS.search(draft.intent.text)
    parts = re.split(r",|\band\b|\by\b", found["others"]) if found else []
    named = [re.sub(r"(?i)^\s*(?:the|my|el|la|los|las|mi|mis)\s+", "", part).strip() for part in parts]
    return [name for name in named if name] or None


def _changes(draft: CallDraft, param: Param) -> dict[str, str] | None:
    folded, when = fold(draft.intent.text), draft.intent.when
    if status := next((name for name, said in STATUSES if said.search(folded)), ""):
        return {"Status": status}
    moment = when.start or when.end
    return {"Due": moment.date().isoformat()} if moment else None


def _of_text(read: Callable[[str], Any]) -> Filler:
    return lambda draft, param: read(draft.intent.text)


FILLERS: Mapping[str, Filler] = {
    "url": _of_text(address),
    "urls": lambda draft, param: URL.findall(draft.intent.text) or None,
    "text": _of_text(content),
    "owner": _repository("owner"),
    "repo": _repository("repo"),
    "action": _action,
    "target": grade_scenarios.target,
    "item": grade_scenarios.item,
    "scores": grade_scenarios.scores,
    "depends_on": _depends,
    "changes": _changes,
    "repeats": _of_text(recurrence.repeats),
    "repeat_days": _of_text(recurrence.repeat_days),
    "repeat_every": _of_text(recurrence.repeat_every),
    "repeat_count": _of_text(recurrence.repeat_count),
    "repeat_until": lambda draft, param: recurrence.last_day(draft.intent.text, draft.context.now),
    "reminders_minutes": _of_text(recurrence.reminders),
    "applies_to": _of_text(recurrence.part_of_series),
    "guests": lambda draft, param: mentions.guests(draft.intent.text) or None,
    "add_guests": lambda draft, param: mentions.ADDRESS.findall(draft.intent.text) or None,
    "to": lambda draft, param: mentions.ADDRESS.findall(draft.intent.text) or None,
}
"""By a parameter's name; None leaves it out."""
EVERYWHERE = (
    *(name for name in FILLERS if name.startswith(("repeat", "remind", "applies", "url")) or "guests" in name),
    *("grading_period", "remove_guests", "notify_guests", "buffer_minutes", "depends_on"),
)
"""Names that mean this at every tool; the others only at tools with an ability of their own."""
