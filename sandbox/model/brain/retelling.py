"""Messages that mean a plain request without saying it: worries, corrections, "undo that", days around a holiday.

Each is told again in words that the other rules know; a remark says to the student how it was taken.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sandbox.model.brain import holidays, phrases, remarks, retold
from sandbox.model.brain.accepting import to_understand
from sandbox.model.brain.actions import Action
from sandbox.model.brain.conversation import Step
from sandbox.model.brain.memory import NOT_DONE, last_read, thing_of
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.text import fold
from sandbox.model.reply import Call

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


def retell(mind: Mind) -> Retold:
    """The last message of the student as the other rules are to understand it."""
    said, answered = to_understand(mind)
    if (undone := _undone(mind, said)) is not None:
        return undone
    if holidays.spoken_of(said) is not None:
        return _around_a_holiday(mind, said)
    if (added := _due_date_of_listed(mind, said, answered)) is not None:
        return added
    folded = fold(said)
    for row in retold.ROWS:
        if (match := re.search(row.said, folded, re.VERBOSE)) and not re.search(row.unless, folded, re.VERBOSE):
            told = _filled(mind, mind.say(*row.told), folded, match) if row.told else said
            return Retold(text=told, answered=answered, remark=mind.say(*row.remark) if row.remark else "")
    return Retold(text=said, answered=answered)


def _filled(mind: Mind, told: str, folded: str, match: re.Match[str]) -> str:
    """The words of a row with the day and the kind of work that the message names."""
    day, kind = DAY_WORDS.search(folded), KIND.search(folded)
    several = PLURALS.get(kind.group(), f"{kind.group()}s") if kind else mind.say("assignments", "entregas")
    rest = next((part for part in match.groups() if part), "")
    soon = mind.say("in the next seven days", "los próximos siete días")
    span = mind.say("on {day}", "el {day}").format(day=day.group()) if day else soon
    return told.format(
        span=span, day=day.group() if day else mind.say("today", "hoy"), works=several, rest=rest.strip()
    )


def _around_a_holiday(mind: Mind, said: str) -> Retold:
    steps = mind.conversation.now.steps
    if (call := holidays.look_for_it(mind, said, steps)) is not None:
        return Retold(text=said, call=call)
    text, told = holidays.with_its_days(mind, said, steps)
    used = holidays.used(mind, said, steps)
    if not text:
        return Retold(text=said, says=mind.say(*remarks.NO_HOLIDAY), used=used)
    return Retold(text=text, remark=told, used=used)


def _undone(mind: Mind, said: str) -> Retold | None:
    """What takes the last change back; words that tell where to do it, when no tool can."""
    if not retold.UNDO.match(fold(said)) or not mind.conversation.before:
        return None
    last = mind.conversation.before[-1]
    for step in reversed(last.steps):
        profile = mind.tools.get(step.name)
        if profile is None or not profile.action.is_write or step.is_error or NOT_DONE.search(step.result):
            continue
        if profile.action is Action.CREATE:
            return Retold(text=mind.say("delete it", "bórralo"))
        if profile.action is Action.CHANGE and (moment := _former(mind, step, last.steps)):
            return Retold(text=mind.say("move it to {at}", "muévelo a {at}").format(at=moment))
        return Retold(text=said, says=mind.say(*remarks.UNDO_THERE))
    return Retold(text=said, says=mind.say(*remarks.NOTHING_TO_UNDO))


def _due_date_of_listed(mind: Mind, said: str, answered: str) -> Retold | None:
    """What "add it to my calendar" means after a list of what is due: its one open item, or the question which."""
    last = last_read(mind.conversation, mind.tools)
    if not retold.PUT_IT.match(fold(said)) or last is None or last[0].objects.get("assignment", 0) < 0.9:
        return None
    if any(tool.action.is_write for step in _steps_before(mind) if (tool := mind.tools.get(step.name))):
        return None
    order = mind.say(
        "add the due date of “{title}” to my calendar", "pon la fecha de entrega de «{title}» en mi calendario"
    )
    if answered:
        return Retold(text=order.format(title=answered.strip(" .")))
    items = [item for item in last[1].items if not item.is_remark and not retold.IS_DONE.search(item.line)]
    if len(items) == 1:
        return Retold(text=order.format(title=items[0].title))
    if not items:
        return None
    listed = "\n".join(f"- {mind.told(item.line)}" for item in items[:MOST_LISTED])
    return Retold(text=said, says=f"{listed}\n\n{mind.say(*phrases.SEVERAL)}")


def _steps_before(mind: Mind) -> Sequence[Step]:
    return mind.conversation.before[-1].steps if mind.conversation.before else ()


def _former(mind: Mind, changed: Step, steps: Sequence[Step]) -> str:
    """When something was before it was moved, as a look-up of the same turn showed it."""
    if not any(name.startswith("start") for name in changed.input):
        return ""
    ids = {str(value) for name, value in changed.input.items() if name.endswith("id")}
    for step in steps:
        for item in step.items if step.id != changed.id else ():
            thing = thing_of(item, mind.tools.get(step.name), mind.now)
            if ids & set(item.ids.values()) and thing.start:
                return f"{thing.start:%Y-%m-%d %H:%M}"
    return ""
