"""Text slots: titles, searches, contents, choices, courses and limits."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from sandbox.model.rules.dates.vocabulary import NUMBER, number
from sandbox.model.rules.language import courses as subjects
from sandbox.model.rules.language.text import fold, stem, stems
from sandbox.model.rules.language.translation import in_english
from sandbox.model.rules.slots import titles
from sandbox.model.rules.slots.slot_context import CallDraft
from sandbox.model.rules.slots.time_slots import range_choice
from sandbox.model.rules.slots.title_words import reference_words, refers_to_course
from sandbox.model.rules.tools.schema import Action, Param, Role
from sandbox.model.rules.understanding import mentions

COUNTED = re.compile(
    rf"\b(?:top|first|last|latest|next|ultim[oa]s|primer[oa]s"
    rf"|proxim[oa]s)\s+(?P<n1>{NUMBER})\b(?!\s*(?:days?|weeks?|months?|hours?|minutes|dias?|semanas?|mes|meses|horas?))"
    r"|\b(?P<n2>\d{1,3})\s+(?:most|latest|newest|results|announcements|anuncios|resultados|notes|pages)\b"
)
ALSO_CALLED = {
    "exam": {stem(word) for word in ("tests", "midterms", "finals", "parciales", "examenes")},
    "quiz": {stem(word) for word in ("quizzes", "cuestionarios", "controles")},
    "essay": {stem(word) for word in ("essays", "papers", "ensayos")},
    "lab": {stem(word) for word in ("labs", "laboratorios")},
    "project": {stem(word) for word in ("projects", "proyectos")},
}
"""Other words for choices of a kind of work."""
NOTED = re.compile(r"\b(?:notes?|description|details|notas?|descripcion)\s*:\s*(?P<text>.+)$", re.IGNORECASE)
NOT_IN_FLAGS = ("include", "only", "show", "with", "is", "has", "")


def _limit(draft: CallDraft, param: Param) -> int | None:
    found = COUNTED.search(fold(draft.intent.text))
    return int(number(found["n1"] or found["n2"])) if found else None


def _choice(draft: CallDraft, param: Param) -> Any:
    ranged = range_choice(draft)
    if ranged is not None and ranged in param.choices:
        return ranged
    objects = draft.intent.objects
    if "due_dates" in param.choices and objects.get("assignment", 0.0) >= max(0.6, objects.get("event", 0.0)):
        return "due_dates"
    weights = [_weight(draft, str(choice)) for choice in param.choices]
    best = max(weights, default=0.0)
    if best >= 0.5:
        return param.choices[weights.index(best)]
    return param.choices[0] if param.required and param.choices else None


def _weight(draft: CallDraft, choice: str) -> float:
    words = fold(choice).replace("_", " ").split()
    said = {token.stem for token in draft.intent.tokens}
    is_said = bool(words) and ({stem(word) for word in words} <= said or bool(ALSO_CALLED.get(choice, set()) & said))
    return max([draft.intent.aspects.get(word, 0.0) for word in words] + [0.9 if is_said else 0.0])


def _flag(draft: CallDraft, param: Param) -> bool | None:
    name = fold(param.name)
    if "all" in name and "day" in name:
        return True if draft.is_all_day else (False if param.required else None)
    words = [word for word in re.split(r"[_\W]+", name) if word not in NOT_IN_FLAGS]
    said = {token.stem for token in draft.intent.tokens}
    is_met = bool(words) and all(stem(word) in said or draft.intent.aspects.get(word, 0) >= 0.5 for word in words)
    return True if is_met else (False if param.required else None)


def _course(draft: CallDraft, param: Param) -> str | None:
    if draft.intent.course is not None:
        return draft.intent.course[0]
    if param.required and (named := subjects.any_subject(draft.intent.text)):
        return named
    return draft.context.course if param.required or refers_to_course(draft.intent.text) else None


def _name(draft: CallDraft, param: Param) -> str | None:
    if not param.required:
        return None
    if draft.profile.action is Action.CREATE:
        return titles.content(draft.intent, "") or draft.intent.text.strip()
    kind = stem(fold(param.name))
    named = [word for word in reference_words(draft.intent).split() if kind not in stems(f"{word} {in_english(word)}")]
    return " ".join(named) or (draft.context.entity.title if draft.context.entity else "") or None


def _query(draft: CallDraft, param: Param) -> str | None:
    if draft.is_write:
        return (_to_write(draft) or titles.task_title(draft.intent) or None) if param.required else None
    if not param.required and draft.profile.action is not Action.SEARCH:
        return draft.intent.quoted[0][0] if draft.intent.quoted else None
    return titles.search_words(draft.intent) or (draft.intent.course[0] if draft.intent.course else None)


def _title(draft: CallDraft, param: Param) -> str | None:
    if draft.is_change:
        return titles.new_name(draft.intent) or None
    if not draft.is_write:
        return _name(draft, param)
    if draft.profile.objects.get("task", 0) >= 1:
        return titles.task_title(draft.intent) or None
    if draft.profile.objects.get("note", 0) >= 1:
        return titles.page_title(draft.intent, _to_write(draft)) or None
    return titles.event_title(draft.intent) or None


def _content(draft: CallDraft, param: Param) -> str | None:
    if not draft.is_write:
        return None
    if draft.profile.objects.get("note", 0) >= 0.9:
        return _to_write(draft) or None
    noted = NOTED.search(draft.intent.text)
    return noted["text"].strip() if noted else None


def _to_write(draft: CallDraft) -> str:
    return titles.content(draft.intent, draft.context.answer)


def _place(draft: CallDraft, param: Param) -> str | None:
    return mentions.place(draft.intent.text) or None


FILLERS: Mapping[Role, Callable[[CallDraft, Param], Any]] = {
    Role.LIMIT: _limit,
    Role.CHOICE: _choice,
    Role.FLAG: _flag,
    Role.COURSE: _course,
    Role.NAME: _name,
    Role.QUERY: _query,
    Role.TITLE: _title,
    Role.CONTENT: _content,
    Role.PLACE: _place,
}
