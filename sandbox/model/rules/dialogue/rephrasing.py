"""Messages that mean a plain request without saying it: worries, corrections, "undo that", days around a holiday.

Each is told again in words that the other rules know; a remark says to the student how it was taken.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.model.reply import Call
from sandbox.model.rules.dates import holidays
from sandbox.model.rules.dialogue import rephrasing_rows as retold
from sandbox.model.rules.dialogue.conversation import Step
from sandbox.model.rules.dialogue.follow_ups import to_understand
from sandbox.model.rules.dialogue.memory import NOT_DONE, last_read, thing_of
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses import phrases, remarks
from sandbox.model.rules.tools.actions import Action

DAY_WORDS = re.compile(rf"\b{retold.DAY_NAMED}\b")
KIND = re.compile(
    r"\b(?:essay|paper|lab(?:\s+report)?|report|project|problem\s+set|homework|quiz|exam|midterm|final|draft|discussion"
    r"|ensayo|informe|laboratorio|proyecto|tarea|examen|parcial)\b"
)
MOST_LISTED = 8
PLURALS = {"quiz": "quizzes", "homework": "homework", "examen": "exámenes", "parcial": "parciales"}


@dataclass(frozen=True, kw_only=True)
class Retold:
    """text: what to understand. answered: the part of it that answers a question of ours. remark: said before.

    call: what must be looked up first. says: the whole answer. used: ids of steps that only served to understand.
    """

    text: str
    answered: str = ""
    remark: str = ""
    call: Call | None = None
    says: str = ""
    used: frozenset[str] = frozenset()


def retell(state: RequestState) -> Retold:
    """The last message of the student as the other rules are to understand it."""
    said, answered = to_understand(state)
    if (undone := _undone(state, said)) is not None:
        return undone
    if holidays.spoken_of(said) is not None:
        return _around_a_holiday(state, said)
    if (added := _due_date_of_listed(state, said, answered)) is not None:
        return added
    folded = fold(said)
    for row in retold.ROWS:
        if (match := re.search(row.said, folded, re.VERBOSE)) and not re.search(row.unless, folded, re.VERBOSE):
            told = _filled(state, state.say(*row.told), folded, match) if row.told else said
            return Retold(text=told, answered=answered, remark=state.say(*row.remark) if row.remark else "")
    return Retold(text=said, answered=answered)


def _filled(state: RequestState, told: str, folded: str, match: re.Match[str]) -> str:
    """The words of a row with the day and the kind of work that the message names."""
    day, kind = DAY_WORDS.search(folded), KIND.search(folded)
    several = PLURALS.get(kind.group(), f"{kind.group()}s") if kind else state.say("assignments", "entregas")
    rest = next((part for part in match.groups() if part), "")
    soon = state.say("in the next seven days", "los próximos siete días")
    span = state.say("on {day}", "el {day}").format(day=day.group()) if day else soon
    return told.format(
        span=span, day=day.group() if day else state.say("today", "hoy"), works=several, rest=rest.strip()
    )


def _around_a_holiday(state: RequestState, said: str) -> Retold:
    steps = state.conversation.now.steps
    if (call := holidays.look_for_it(state, said, steps)) is not None:
        return Retold(text=said, call=call)
    text, told = holidays.with_its_days(state, said, steps)
    used = holidays.used(state, said, steps)
    if not text:
        return Retold(text=said, says=state.say(*remarks.NO_HOLIDAY), used=used)
    return Retold(text=text, remark=told, used=used)


def _undone(state: RequestState, said: str) -> Retold | None:
    """What takes the last change back; words that tell where to do it, when no tool can."""
    if not retold.UNDO.match(fold(said)) or not state.conversation.before:
        return None
    last = state.conversation.before[-1]
    for step in reversed(last.steps):
        profile = state.tools.get(step.name)
        if profile is None or not profile.action.is_write or step.is_error or NOT_DONE.search(step.result):
            continue
        if profile.action is Action.CREATE:
            return Retold(text=state.say("delete it", "bórralo"))
        if profile.action is Action.CHANGE and (moment := _former(state, step, last.steps)):
            return Retold(text=state.say("move it to {at}", "muévelo a {at}").format(at=moment))
        return Retold(text=said, says=state.say(*remarks.UNDO_THERE))
    return Retold(text=said, says=state.say(*remarks.NOTHING_TO_UNDO))


def _due_date_of_listed(state: RequestState, said: str, answered: str) -> Retold | None:
    """What "add it to my calendar" means after a list of what is due: its one open item, or the question which."""
    last = last_read(state.conversation, state.tools)
    if not retold.PUT_IT.match(fold(said)) or last is None or last[0].objects.get("assignment", 0) < 0.9:
        return None
    if any(tool.action.is_write for step in _steps_before(state) if (tool := state.tools.get(step.name))):
        return None
    order = state.say(
        "add the due date of “{title}” to my calendar", "pon la fecha de entrega de «{title}» en mi calendario"
    )
    if answered:
        return Retold(text=order.format(title=answered.strip(" .")))
    items = [item for item in last[1].items if not item.is_remark and not retold.IS_DONE.search(item.line)]
    if len(items) == 1:
        return Retold(text=order.format(title=items[0].title))
    if not items:
        return None
    listed = "\n".join(f"- {state.told(item.line)}" for item in items[:MOST_LISTED])
    return Retold(text=said, says=f"{listed}\n\n{state.say(*phrases.SEVERAL)}")


def _steps_before(state: RequestState) -> Sequence[Step]:
    return state.conversation.before[-1].steps if state.conversation.before else ()


def _former(state: RequestState, changed: Step, steps: Sequence[Step]) -> str:
    """When something was before it was moved, as a look-up of the same turn showed it."""
    if not any(name.startswith("start") for name in changed.input):
        return ""
    ids = {str(value) for name, value in changed.input.items() if name.endswith("id")}
    for step in steps:
        for item in step.items if step.id != changed.id else ():
            thing = thing_of(item, state.tools.get(step.name), state.now)
            if ids & set(item.ids.values()) and thing.start:
                return f"{thing.start:%Y-%m-%d %H:%M}"
    return ""
