"""What special tools are to be called with, in the student's words: whom to ask, what to write, which thing."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from sandbox.model.rules.dialogue.intent import Intent
from sandbox.model.rules.language import lexicon
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold, word_set
from sandbox.model.rules.slots import guests
from sandbox.model.rules.slots import named_slots as specifics
from sandbox.model.rules.slots import time_slots as timing
from sandbox.model.rules.slots.slot_context import Task
from sandbox.model.rules.tools.schema import Param

ASKED = re.compile(
    r"\b(?:ask|tell|question\s+for|pregunta\w*)\s+(?:al?\s+|to\s+)?(?:the\s+|my\s+|el\s+|la\s+"
    r"|mi\s+)?(?P<who>[\w -]{0,30}?(?:companion|assistant|asistente))"
    r"\s*[,:]?\s*(?:about|for|whether|if|to\s+tell\s+me|sobre|por|si|qu[eé])?\s*[:,]?\s*(?P<what>.+)$",
    re.IGNORECASE,
)
SAYING = re.compile(
    r"(?:\b(?:saying|that\s+says|telling\s+(?:him|her|them)|to\s+say|to\s+tell\s+(?:him|her|them)"
    r"|diciendo(?:le)?|para\s+decir(?:le)?|explaining|"
    r"asking(?:\s+(?:him|her|them))?|to\s+ask(?:\s+(?:him|her|them))?|pidiendo(?:le)?|about|sobre|for"
    r"|because)\b\s*(?:that\s+|que\s+)?|\bthat\s+|\bque\s+|:\s*)(?P<body>.+)$",
    re.IGNORECASE | re.DOTALL,
)
ASKING = re.compile(r"\b(?:asking|to\s+ask|pidiendo(?:le)?)\b", re.IGNORECASE)
SUBJECT = re.compile(
    r"\b(?:with\s+(?:the\s+)?subject|subject|con\s+(?:el\s+)?asunto|asunto)\s*:?\s*[\"“]?(?P<subject>[^\"”:,.]+)",
    re.IGNORECASE,
)
NEEDS = re.compile(
    r"^\W*(?:the\s+|my\s+|el\s+|la\s+|mi\s+)?(?P<task>.+?)\s+(?:needs?|depends?\s+on|waits?\s+for"
    r"|has\s+to\s+wait|must\s+wait|comes\s+after|can\s+wait)\b",
    re.IGNORECASE,
)
BEFORE_REASON = re.compile(r"^(?P<task>.+?)(?:,|\b(?:because|since|until|porque|ya\s+que)\b)", re.IGNORECASE)
TABLE = re.compile(
    r"\b(?P<name>(?:[\w-]+\s+)?(?:tracker|reading\s+list|database)|(?:seguimiento"
    r"|lista\s+de\s+lecturas?)(?:\s+de\s+\w+)?)\b",
    re.IGNORECASE,
)
ENTRY = re.compile(
    r"\b(?:mark|set|change|update|tick(?:\s+off)?|move|marca|pon|cambia|actualiza)\s+(?:the\s+|my\s+|el\s+"
    r"|la\s+)?(?P<name>.+?)\s+(?:as|to|in|on|off|como|a|en)\b",
    re.IGNORECASE,
)
ADDED = re.compile(
    r"\b(?:add|put|insert|enter|log|anade|añade|agrega|mete|pon)\s+(?:the\s+|an?\s+)?(?P<name>.+?)\s+(?:to|in"
    r"|into|on|a|al|en)\s+(?:my|the|our|mi|la|el)\b",
    re.IGNORECASE,
)
FOR_WHAT = re.compile(
    r"\b(?:for|para)\s+(?P<what>(?:my|the|mi|el|la)\s+[\w ]+?|[\w ]{3,40}?)(?=\s+(?:in|into|on|before|by|this"
    r"|next|until|till|en|antes|hasta|de\s+aqu[ií]|de\s+esta)\b|\s*[.,!?]|\s*$)",
    re.IGNORECASE,
)
TO_STUDY = re.compile(
    r"\b(?P<what>(?:study|review|revise|work\s+on|finish|practi[cs]e|prepare|estudiar|repasar|trabajar\s+en|terminar"
    r"|practicar|preparar)\s+(?!(?:sessions?|blocks?|time)\b)\S.*?)(?=\s*(?:[,.;!?]|$|\b(?:in|on|before|by|this|next|until"
    r"|till|every|each|and|en|antes|hasta|cada|todos|todas|esta|este|y|de\s+aqu[ií]|only|solo)\b))",
    re.IGNORECASE,
)
UNREAD = pattern("unread | new | (haven't|not|have not) (yet )?(read|seen|opened) | sin leer | nuevos?")
TO_DO = pattern("(left|still|remaining|to do|unfinished|not done|missing|todo) | (falta~|pendientes?)")
PASSAGE_END = re.compile(r"\s*[;\n]\s*|\.\s+(?=[A-ZÁÉÍÓÚ¿])")
MODULE = re.compile(r"\b(?P<name>(?:unit|module|week|unidad|modulo|semana)\s+\d+)\b", re.IGNORECASE)
SMALL = word_set(
    "notion canvas not in on of from the my a an this that last latest old new el la los las mi mis un una assignment"
)
DROPPED = word_set(
    """
    discussion discussions forum forums thread post posts posted write wrote written said say says read open show tell
    summarise summarize summary sum document documents doc page pages called named task tasks todo planner notes
    about mark done complete completed notas apuntes pagina mis with finished list
    delete remove drop start started reopen block blocked again doing
    working stuck link links page website address url find where need campus useful important give list foro debate hilo
    escribi dice documento tarea tareas borra elimina marca hecha enlace enlaces donde encuentro web what which look
    resume resumen overview outline gist topic topics dime muestrame ensename hours discuss discussed know how reach
    """
)


def meant(param: Param, intent: Intent) -> str:
    """Words of the title of the existing thing that a parameter of a special tool wants; empty when none were said."""
    if intent.quoted:
        return intent.quoted[0][0]
    if param.thing == "database":
        found = TABLE.search(intent.text)
        words = [word for word in found["name"].split() if fold(word) not in SMALL] if found else []
        return " ".join(words) if len(words) > 1 or "track" not in "".join(words).lower() else "tracker"
    if param.thing == "entry":
        found = ENTRY.search(intent.text)
        return found["name"] if found else left_words(intent)
    if param.thing == "task":
        found = NEEDS.search(intent.text) or BEFORE_REASON.search(intent.text)
        return left_words(intent, found.end("task") if found else None)
    return left_words(intent) or (intent.course[0] if intent.course else "")


def left_words(intent: Intent, end: int | None = None) -> str:
    """What is left of a clause without verbs, dates, course, function words and names of kinds of things."""
    taken = [(span.start, span.end) for span in intent.spans if span.kind != "duration"]
    taken += [(intent.course[1], intent.course[2])] if intent.course else []
    taken += [(intent.order.start, intent.order.end)] if intent.order.end else []
    taken += [match.span() for match in specifics.URL.finditer(intent.text)]
    return " ".join(
        intent.text[token.start : token.end]
        for token in intent.tokens
        if not any(start <= token.start < stop for start, stop in taken)
        and (end is None or token.end <= end)
        and token.word not in lexicon.function_words()
        and token.word not in DROPPED
        and token.word not in intent.services
    )


def _assistant(task: Task, param: Param) -> str | None:
    found = ASKED.search(task.intent.text)
    if found is None:
        return None
    named = fold(found["who"]).replace(" ", "_").replace("-", "_")
    return re.sub(r"_?(?:assistant|asistente)$", "", named) or named


def _question(task: Task, param: Param) -> str | None:
    found = ASKED.search(task.intent.text)
    return found["what"].strip() if found else None


def _subject(task: Task, param: Param) -> str | None:
    if named := SUBJECT.search(task.intent.text):
        return named["subject"].strip()
    body = _said(task)
    body = re.sub(r"(?i)^(?:for|por|about|sobre)\s+(?:(?:an?|the|una?|el|la)\s+)?", "", body)
    return _sentence(" ".join(re.split(r"[.;\n]", body)[0].split()[:8])).rstrip(".,") if body else None


def _body(task: Task, param: Param) -> str | None:
    body = _said(task)
    if not body:
        return None
    lead = "I would like to ask for " if ASKING.search(task.intent.text) and not body.endswith("?") else ""
    text = lead + re.sub(r"^(?:for|por)\s+", "", body) if lead else _sentence(body)
    return text if text[-1] in ".!?" else f"{text}."


def _said(task: Task) -> str:
    after = re.sub(guests.ADDRESS, lambda found: " " * len(found.group()), task.intent.text)
    found = SAYING.search(after)
    return task.intent.text[found.start("body") :].strip() if found else ""


def _points(task: Task, param: Param) -> list[str] | None:
    text = specifics.content(task.intent.text)
    return [part.strip(" -*.") for part in _passages(text) if part.strip(" -*.")] if text else None


def _passages(text: str) -> list[str]:
    parts = PASSAGE_END.split(text)
    # "prophase, metaphase, anaphase": a list of names, and no sentence with commas.
    names = re.split(r"\s*,\s*(?:and\s+|y\s+)?", text)
    is_list = len(parts) == 1 and len(names) > 2 and all(len(name.split()) <= 4 for name in names)
    return names if is_list else parts


def _entries(task: Task, param: Param) -> list[dict[str, Any]] | None:
    text = specifics.CONTENT.search(task.intent.text)
    if text:
        names = re.split(r"\s*[;\n]\s*|\s*,\s+", text["text"])
    else:
        found = ADDED.search(task.intent.text)
        names = [found["name"]] if found else []
    return [{"name": name.strip().strip('"“”')} for name in names if name.strip()] or None


def _campus_topic(task: Task, param: Param) -> str | None:
    words = left_words(task.intent).split()
    return words[0] if words else None


def _module(task: Task, param: Param) -> str | None:
    found = MODULE.search(task.intent.text)
    return found["name"] if found else None


def _hour(task: Task, param: Param) -> str | None:
    # A part of the day is a preference, only an hour is a bound.
    return timing.FILLERS[param.role](task, param) if task.intent.when.has_time else None


def _session_title(task: Task, param: Param) -> str:
    if task.intent.quoted:
        return task.intent.quoted[0][0].strip()
    text = task.intent.text
    for span in sorted(task.intent.spans, key=lambda span: -span.start):
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    found = next((one for one in FOR_WHAT.finditer(text) if one["what"].strip()), None)
    if to_do := TO_STUDY.search(text):
        return _sentence(" ".join(to_do["what"].split())).rstrip(" ,.;!?")
    is_spanish = found is not None and found.group().lower().startswith("para")
    what = f" {'para' if is_spanish else 'for'} {' '.join(found['what'].split())}" if found else ""
    what = re.sub(r"(?i)\s+(?:al?|de)$", "", what)
    return f"{'Estudiar' if is_spanish else 'Study'}{what}".rstrip(" .!?")


def _nothing(task: Task, param: Param) -> None:
    return None


FILLERS: Mapping[tuple[str, str], Callable[[Task, Param], Any]] = {
    ("assistant", "assistant"): _assistant,
    ("assistant", "question"): _question,
    ("mail", "subject"): _subject,
    ("mail", "body"): _body,
    ("study_notes", "key_points"): _points,
    ("study_notes", "summary"): _nothing,
    ("add_entries", "entries"): _entries,
    ("campus_links", "topic"): _campus_topic,
    ("modules", "module"): _module,
    ("query_database", "text"): _nothing,
    ("discussions", "only"): lambda task, param: "unread" if UNREAD.search(fold(task.intent.text)) else None,
    ("modules", "only"): lambda task, param: "to_do" if TO_DO.search(fold(task.intent.text)) else None,
    ("github", "query"): lambda task, param: None,
    ("edit_document", "passage"): _nothing,
    ("tracker", "title"): _nothing,
    ("notes_plan", "goal"): _nothing,
    ("study_sessions", "starts"): _nothing,
    ("suggest_times", "start"): lambda task, param: (
        timing.FILLERS[param.role](task, param) if task.intent.when.has_day else None
    ),
    ("suggest_times", "end"): lambda task, param: (
        timing.FILLERS[param.role](task, param) if task.intent.when.has_day or task.intent.when.is_deadline else None
    ),
    ("suggest_times", "day_start"): _hour,
    ("suggest_times", "day_end"): _hour,
    ("study_sessions", "title"): _session_title,
    ("discussion", "topic"): lambda task, param: meant(param, task.intent) or None,
}
"""By speciality and parameter."""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
