"""Rephrasing of messages that mean a plain request without saying it: worries, corrections, "undo that", holidays.
Each is put into words that the other rules know; a remark says to the student how it was taken."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sandbox.model.reply import Call
from sandbox.model.rules.dialogue.follow_ups import to_understand
from sandbox.model.rules.language.patterns import joined, pattern
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.language.vocabulary import sections
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.search import holidays
from sandbox.model.rules.tools.schema import Action
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.memory import NOT_DONE, entity_of, last_read

DAY = (
    "(today|tonight|tomorrow|(mon|tues|wednes|thurs|fri|satur|sun)day|hoy|manana|lunes|martes|miercoles|jueves"
    "|viernes|sabado|domingo)"
)
END = "( (right now|today|this week|coming up|for me|hoy|ahora|esta semana|para mi))* $"
KIND = pattern(
    "essay|paper|lab( report)?|report|project|problem set|homework|quiz|exam|midterm|final|draft|discussion|ensayo"
    "|informe|laboratorio|proyecto|tarea|examen|parcial"
)
UNDO = pattern(
    r"^ ((ok|okay|no|wait|please|actually|oops|can you|could you|hmm|espera|ups|por favor)\W+)*(undo|revert|take (it"
    r"|that) back|(put|change|move|bring|get) (it|that) back|restore|recupera~|traelo de vuelta|deshaz~|deshacer"
    r"|revierte~|dejal[oa] como estaba|ponl[oa] como estaba)\b(\W+(it|that|this|the|last|change|one|please|eso|lo"
    r"|ultimo|cambio|el|por favor|to how it was))* $"
)
PUT_IT = pattern(
    r"^ ((ok|please|can you|could you|por favor|y)\W+)*(add|put|save|pon|agrega|anade|mete|ponl[oa]s?|agregal[oa]s?) "
    "(it|that|this|them|those|these|eso|esa|ese)? *(to|on|in|into|en|a) (my|the|mi|el) (calendar|calendario|agenda) $"
)
IS_DONE = re.compile(r"— (?:graded|handed in|done|excused)\b")
MOST_LISTED = 8
PLURALS = {"quiz": "quizzes", "homework": "homework", "examen": "exámenes", "parcial": "parciales"}


@dataclass(frozen=True, kw_only=True)
class Rephrased:
    """text: what to understand. answered: the part of it that answers a question of ours. remark: said before.
    call: what must be looked up first. says: the whole answer. used: ids of steps that only served to understand."""

    text: str
    answered: str = ""
    remark: str = ""
    call: Call | None = None
    says: str = ""
    used: frozenset[str] = frozenset()


class Row(NamedTuple):
    """One way of saying something. told: the same in plain words, English and Spanish; None keeps the student's."""

    remark: str
    said: re.Pattern[str]
    unless: re.Pattern[str]
    told: tuple[str, str] | None


def rephrase(state: RequestState) -> Rephrased:
    """The last message of the student as the other rules are to understand it."""
    said, answered = to_understand(state)
    if (undone := _undone(state, said)) is not None:
        return undone
    if holidays.spoken_of(said) is not None:
        return _around_a_holiday(state, said)
    if (added := _due_date_of_listed(state, said, answered)) is not None:
        return added
    folded = fold(said)
    for row in _rows():
        if (match := row.said.search(folded)) and not row.unless.search(folded):
            told = _filled(state, state.say(*row.told), folded, match) if row.told else said
            return Rephrased(text=told, answered=answered, remark=state.say(row.remark) if row.remark else "")
    return Rephrased(text=said, answered=answered)


@cache
def _rows() -> list[Row]:
    return [_row(name, lines.splitlines()) for name, lines in sections("rephrasings.txt").items()]


def _row(name: str, lines: Sequence[str]) -> Row:
    written = [line.replace("<day>", DAY).replace("<end>", END) for line in lines]
    said = joined(tuple(line for line in written if not line.startswith(("- ", "= "))))
    unless = joined(tuple(line[2:] for line in written if line.startswith("- ")) or ("(?!)",))
    told = next((line[2:].partition(" => ") for line in lines if line.startswith("= ")), None)
    remark = name.split()[0]
    return Row("" if remark == "-" else remark, said, unless, (told[0], told[2]) if told else None)


def _filled(state: RequestState, told: str, folded: str, match: re.Match[str]) -> str:
    """The words of a row with the day and the kind of work that the message names."""
    day, kind = pattern(DAY).search(folded), KIND.search(folded)
    several = PLURALS.get(kind.group(), f"{kind.group()}s") if kind else state.say("assignments", "entregas")
    rest = match.groupdict().get("rest") or ""
    soon = state.say("in the next seven days", "los próximos siete días")
    span = state.say("on {day}", "el {day}").format(day=day.group()) if day else soon
    return told.format(
        span=span, day=day.group() if day else state.say("today", "hoy"), works=several, rest=rest.strip()
    )


def _around_a_holiday(state: RequestState, said: str) -> Rephrased:
    steps = state.conversation.now.steps
    if (call := holidays.look_for_it(state, said, steps)) is not None:
        return Rephrased(text=said, call=call)
    text, told = holidays.with_its_days(state, said, steps)
    used = holidays.used(state, said, steps)
    return Rephrased(text=text or said, remark=told, says="" if text else state.say("no_holiday"), used=used)


def _undone(state: RequestState, said: str) -> Rephrased | None:
    """What takes the last change back; words that tell where to do it, when no tool can."""
    if not UNDO.match(fold(said)) or not state.conversation.before:
        return None
    last = state.conversation.before[-1]
    for step in reversed(last.steps):
        profile = state.tools.get(step.name)
        if profile is None or not profile.action.is_write or step.is_error or NOT_DONE.search(step.result):
            continue
        if profile.action is Action.CREATE:
            return Rephrased(text=state.say("delete it", "bórralo"))
        if profile.action is Action.CHANGE and (moment := _former(state, step, last.steps)):
            return Rephrased(text=state.say("move it to {at}", "muévelo a {at}").format(at=moment))
        return Rephrased(text=said, says=state.say("undo_there"))
    return Rephrased(text=said, says=state.say("nothing_to_undo"))


def _due_date_of_listed(state: RequestState, said: str, answered: str) -> Rephrased | None:
    """What "add it to my calendar" means after a list of what is due: its one open item, or the question which."""
    last = last_read(state.conversation, state.tools)
    if not PUT_IT.match(fold(said)) or last is None or last[0].objects.get("assignment", 0) < 0.9:
        return None
    steps = state.conversation.before[-1].steps if state.conversation.before else ()
    if any(tool.action.is_write for step in steps if (tool := state.tools.get(step.name))):
        return None
    items = [item for item in last[1].items if not item.is_remark and not IS_DONE.search(item.line)]
    title = answered.strip(" .") or (items[0].title if len(items) == 1 else "")
    if title:
        order = "add the due date of “{title}” to my calendar", "pon la fecha de entrega de «{title}» en mi calendario"
        return Rephrased(text=state.say(*order).format(title=title))
    listed = "\n".join(f"- {state.translated_line(item.line)}" for item in items[:MOST_LISTED])
    return Rephrased(text=said, says=f"{listed}\n\n{state.say('several')}") if items else None


def _former(state: RequestState, changed: Step, steps: Sequence[Step]) -> str:
    """When something was before it was moved, as a look-up of the same turn showed it."""
    if not any(name.startswith("start") for name in changed.input):
        return ""
    ids = {str(value) for name, value in changed.input.items() if name.endswith("id")}
    for step in steps:
        for item in step.items if step.id != changed.id else ():
            entity = entity_of(item, state.tools.get(step.name), state.now)
            if ids & set(item.ids.values()) and entity.start:
                return f"{entity.start:%Y-%m-%d %H:%M}"
    return ""
