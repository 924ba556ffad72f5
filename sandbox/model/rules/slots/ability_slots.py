"""Slots of tools with an ability of their own, in the student's words: whom to ask, what to write, which thing."""

import re
from collections.abc import Mapping
from typing import Any

from sandbox.model.rules.language.lexicon import function_words
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold, word_set
from sandbox.model.rules.slots import named_slots, time_slots
from sandbox.model.rules.slots.named_slots import Filler
from sandbox.model.rules.slots.slot_context import CallDraft
from sandbox.model.rules.slots.titles import capital
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Param
from sandbox.model.rules.understanding import mentions
from sandbox.model.rules.understanding.intent import Intent

SAYING = re.compile(
    r"(?:\b(?:saying|that\s+says|telling\s+(?:him|her|them)|to\s+say|to\s+tell\s+(?:him|her|them)"
    r"|diciendo(?:le)?|para\s+decir(?:le)?|explaining|asking(?:\s+(?:him|her|them))?|to\s+ask(?:\s+(?:him|her|them))?"
    r"|pidiendo(?:le)?|about|sobre|for|because)\b\s*(?:that\s+|que\s+)?|\bthat\s+|\bque\s+|:\s*)(?P<body>.+)$",
    re.IGNORECASE | re.DOTALL,
)
ASKING = pattern("asking | to ask | pidiendo(le)?")
SUBJECT = pattern(r"(with (the )?subject|subject|con (el )?asunto|asunto)\s*:?\s*[\"“]?(?P<subject>[^\"”:,.]+)")
NEEDS = pattern(
    "^ ((the|my|el|la|mi) )?(?P<task>.+?) (needs?|depends? on|waits? for|(has to|must|can) wait|comes after)"
)
BEFORE_REASON = pattern(r"^(?P<task>.+?)(?:,|\b(?:because|since|until|porque|ya que)\b)")
TABLE = pattern(r"(?P<name>([\w-]+ )?(tracker|reading list|database)|(seguimiento|lista de lecturas?)( de \w+)?)")
ENTRY = pattern(
    "(mark|set|change|update|tick( off)?|move|marca|pon|cambia|actualiza) ((the|my|el|la) )?(?P<name>.+?)"
    " (as|to|in|on|off|como|a|en)"
)
ADDED = pattern(
    "(add|put|insert|enter|log|anade|agrega|mete|pon) (the |an? )?(?P<name>.+?) (to|in|into|on|al?|en) (my|the"
    "|our|mi|la|el)"
)
FOR_WHAT = pattern(
    r"(for|para) (?P<what>((my|the|mi|el|la) [\w ]+?|[\w ]{3,40}?))(?=\s+(in|into|on|before|by|this|next|until|till|en"
    r"|antes|hasta|de aqui|de esta)\b|\s*[.,!?]|\s*$)"
)
TO_STUDY = pattern(
    "(?P<what>(study|review|revise|work on|finish|practi[cs]e|prepare|estudiar|repasar|trabajar en|terminar|practicar"
    r"|preparar) (?!(sessions?|blocks?|time)\b)\S.*?)(?=\s*([,.;!?]|$|\b(in|on|before|by|this|next|until|till|every"
    r"|each|and|en|antes|hasta|cada|todos|todas|esta|este|y|de aqui|only|solo)\b))"
)
PASSAGE_END = re.compile(r"\s*[;\n]\s*|\.\s+(?=[A-ZÁÉÍÓÚ¿])")
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


def filler_of(profile: Profile, param: Param) -> Filler | None:
    """Filler of a parameter with a way of its own; None for those that are filled by their role."""
    key = f"{profile.ability}.{param.name}"
    by_name = profile.ability or param.name in named_slots.EVERYWHERE
    return FILLERS.get(key) or named_slots.filler_of(key) or (named_slots.filler_of(param.name) if by_name else None)


def meant(param: Param, intent: Intent) -> str:
    """Words of the title of the existing thing that a parameter of a special tool wants; empty when none were said."""
    text, folded = intent.text, fold(intent.text)
    if intent.quoted:
        return intent.quoted[0][0]
    if param.entity == "database":
        found = TABLE.search(folded)
        words = [word for word in found["name"].split() if word not in SMALL] if found else []
        return " ".join(words) if len(words) > 1 or "track" not in "".join(words) else "tracker"
    if param.entity == "entry":
        found = ENTRY.search(folded)
        return text[found.start("name") : found.end("name")] if found else left_words(intent)
    if param.entity == "task":
        found = NEEDS.search(folded) or BEFORE_REASON.search(folded)
        return left_words(intent, found.end("task") if found else None)
    return left_words(intent) or (intent.course[0] if intent.course else "")


def left_words(intent: Intent, end: int | None = None) -> str:
    """Rest of a clause without verbs, dates, course, function words and names of kinds of things."""
    taken = [(span.start, span.end) for span in intent.spans if span.kind != "duration"]
    taken += [(intent.course[1], intent.course[2])] if intent.course else []
    taken += [(intent.order.start, intent.order.end)] if intent.order.end else []
    taken += [match.span() for match in named_slots.URL.finditer(intent.text)]
    dropped = function_words() | DROPPED | intent.services
    told = named_slots.CONTENT.search(intent.text)
    taken += [told.span()] if told else []
    return " ".join(
        intent.text[token.start : token.end]
        for token in intent.tokens
        if not any(start <= token.start < stop for start, stop in taken)
        and (end is None or token.end <= end)
        and token.word not in dropped
    )


def _assistant(draft: CallDraft, param: Param) -> str | None:
    named = fold(named_slots.said_slot("assistant.assistant", draft.intent.text) or "").replace(" ", "_")
    return re.sub(r"_?(?:assistant|asistente)$", "", named.replace("-", "_")) or named or None


def _subject(draft: CallDraft, param: Param) -> str | None:
    if named := SUBJECT.search(fold(draft.intent.text)):
        return draft.intent.text[named.start("subject") : named.end("subject")].strip()
    body = re.sub(r"(?i)^(?:for|por|about|sobre)\s+(?:(?:an?|the|una?|el|la)\s+)?", "", _said(draft))
    return capital(" ".join(re.split(r"[.;\n]", body)[0].split()[:8])).rstrip(".,") if body else None


def _body(draft: CallDraft, param: Param) -> str | None:
    body = _said(draft)
    if not body:
        return None
    is_asking = ASKING.search(fold(draft.intent.text)) and not body.endswith("?")
    text = "I would like to ask for " + re.sub(r"^(?:for|por)\s+", "", body) if is_asking else capital(body)
    return text if text[-1] in ".!?" else f"{text}."


def _said(draft: CallDraft) -> str:
    after = mentions.ADDRESS.sub(lambda found: " " * len(found.group()), draft.intent.text)
    found = SAYING.search(after)
    return draft.intent.text[found.start("body") :].strip() if found else ""


def _points(draft: CallDraft, param: Param) -> list[str] | None:
    text = named_slots.content(draft.intent.text) or ""
    parts, names = PASSAGE_END.split(text), re.split(r"\s*,\s*(?:and\s+|y\s+)?", text)
    # "prophase, metaphase, anaphase": a list of names, and no sentence with commas.
    is_list = len(parts) == 1 and len(names) > 2 and all(len(name.split()) <= 4 for name in names)
    return [point for part in (names if is_list else parts) if (point := part.strip(" -*."))] or None


def _entries(draft: CallDraft, param: Param) -> list[dict[str, Any]] | None:
    text, added = named_slots.CONTENT.search(draft.intent.text), ADDED.search(fold(draft.intent.text))
    single = draft.intent.text[added.start("name") : added.end("name")] if added else ""
    names = re.split(r"\s*[;\n]\s*|\s*,\s+", text["text"]) if text else [single]
    return [{"name": name.strip().strip('"“”')} for name in names if name.strip()] or None


def _session_title(draft: CallDraft, param: Param) -> str:
    if draft.intent.quoted:
        return draft.intent.quoted[0][0].strip()
    text = draft.intent.text
    for span in sorted(draft.intent.spans, key=lambda span: -span.start):
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    found = next((match for match in FOR_WHAT.finditer(fold(text)) if match["what"].strip()), None)
    if to_do := TO_STUDY.search(fold(text)):
        return capital(" ".join(text[to_do.start("what") : to_do.end("what")].split())).rstrip(" ,.;!?")
    is_spanish = found is not None and found.group().startswith("para")
    said = " ".join(text[found.start("what") : found.end("what")].split()) if found else ""
    what = re.sub(r"(?i)(?<!\s)\s++(?:al?|de)$", "", f" {'para' if is_spanish else 'for'} {said}") if said else ""
    return f"{'Estudiar' if is_spanish else 'Study'}{what}".rstrip(" .!?")


def _if_said(draft: CallDraft, param: Param) -> Any:
    # Days bound a suggestion where they were named; a part of the day is a preference, only an hour is a bound.
    when = draft.intent.when
    is_said = when.has_time if "day" in param.name else when.has_day or (when.is_deadline and param.name == "end")
    return time_slots.FILLERS[param.role](draft, param) if is_said else None


FILLERS: Mapping[str, Filler] = {
    "assistant.assistant": _assistant,
    "mail.subject": _subject,
    "mail.body": _body,
    "study_notes.key_points": _points,
    "add_entries.entries": _entries,
    "campus_links.topic": lambda draft, param: next(iter(left_words(draft.intent).split()), None),
    **dict.fromkeys((f"suggest_times.{name}" for name in ("start", "end", "day_start", "day_end")), _if_said),
    "study_sessions.title": _session_title,
    "discussion.topic": lambda draft, param: meant(param, draft.intent) or None,
}
"""By ability and parameter."""
