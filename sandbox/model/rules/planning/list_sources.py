"""Writes that take their time from a list: "add my essay deadline to my calendar" reads the deadlines first."""

import re
from collections.abc import Sequence
from datetime import timedelta

from sandbox.model.reply import Call
from sandbox.model.rules.dialogue.conversation import Step
from sandbox.model.rules.dialogue.memory import Thing, thing_of
from sandbox.model.rules.dialogue.references import by_words
from sandbox.model.rules.dialogue.rephrasing_rows import IS_DONE
from sandbox.model.rules.dialogue.tool_results import Item
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.planning.planner import Goal
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses import phrases, remarks
from sandbox.model.rules.responses.no_results import nothing_fits
from sandbox.model.rules.slots.filling import fill
from sandbox.model.rules.slots.slot_context import Hints
from sandbox.model.rules.slots.time_slots import written
from sandbox.model.rules.slots.title_words import telling_stems
from sandbox.model.rules.tools.actions import Action
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Role

MOST_AT_ONCE = 8
ALL = re.compile(
    r"\b(?:all|every|each|everything|these|those|them|todos|todas|cada|deadlines|assignments|due dates|exams|"
    r"entregas|tareas|plazos|examenes)\b"
)
FOR_IT = re.compile(
    r"\b(?:for|on|to\s+(?:do|finish|work\s+on|study))\s+(?:it|that|them|those|this|these)\b(?!\s+\w+day)"
    r"|\bpara\s+(?:ello|eso|esas?|esos|esto|hacerl[oa]s?|terminarl[oa]s?)\b"
)
FOR_WORK = re.compile(
    r"\b(?:stud(?:y|ying)|sessions?|review|revise|work(?:ing)?\s+on|time|block|estudi\w+|sesion(?:es)?|repas\w+|tiempo"
    r"|trabajar)\b"
)
"""Who sets time aside for homework does not mean the minute it is due."""
LENGTH = timedelta(minutes=30)


def source_tool(state: RequestState, goal: Goal) -> Profile | None:
    """The list from which a new event takes its time; None when the goal has its own or is about nothing listed."""
    lacks_time = any(param.role is Role.START for param in goal.missing)
    if goal.profile.specialty == "study_sessions" or FOR_WORK.search(fold(goal.intent.text)):
        return None
    if goal.intent.when.minutes:
        return None
    if goal.profile.action is not Action.CREATE or not lacks_time or goal.intent.objects.get("assignment", 0) < 0.6:
        return None
    readers = [
        tool
        for tool in state.tools.values()
        if tool.action is Action.READ and not tool.required_ids and not tool.specialty
    ]
    return max(readers, key=lambda tool: tool.objects.get("assignment", 0), default=None)


def read_source(state: RequestState, goal: Goal, tool: Profile) -> Call:
    """The call that reads the list."""
    asked = fill(tool, goal.intent, Hints(now=state.now)).arguments
    # "All my due dates" are those to come: what is over needs no place in the calendar.
    coming = {p.name: "upcoming" for p in tool.params if p.role is Role.CHOICE and "upcoming" in p.choices}
    return Call(name=tool.name, input=asked | (coming if "all" in asked.values() else {}))


def events_from(state: RequestState, goal: Goal, tool: Profile, steps: Sequence[Step]) -> list[Goal]:
    """One goal for each listed thing that is meant and has a time; it ends when the thing is due."""
    return [_event(goal, thing) for thing in _meant_to_come(state, goal, tool, steps)[:MOST_AT_ONCE]]


def more_to_come(state: RequestState, goal: Goal, tool: Profile, steps: Sequence[Step]) -> str:
    """That not all of the listed things were taken at once; empty when they were."""
    count = len(_meant_to_come(state, goal, tool, steps))
    return state.say(*remarks.FIRST_OF_MANY).format(n=MOST_AT_ONCE, all=count) if count > MOST_AT_ONCE else ""


def _meant_to_come(state: RequestState, goal: Goal, tool: Profile, steps: Sequence[Step]) -> list[Thing]:
    items = [item for step in steps for item in step.items]
    things = [thing for item in items if (thing := thing_of(item, tool, state.now)).start is not None]
    coming = [thing for thing in things if thing.start and thing.start > state.now and not IS_DONE.search(thing.line)]
    return _meant(goal, items, coming or things)


def is_for_it(goal: Goal) -> bool:
    """Whether a new event is for something that was only pointed at: "two hours for it", "una hora para eso"."""
    lacks_title = any(param.role is Role.TITLE for param in goal.missing)
    return goal.profile.action is Action.CREATE and lacks_title and bool(FOR_IT.search(fold(goal.intent.text)))


def name_after(state: RequestState, goal: Goal, tool: Profile, step: Step) -> str:
    """Call the event after the one thing that a look-up found; words to say where it found none or several."""
    if step.is_error or not step.items:
        return nothing_fits(state, tool, is_write=True)
    things = [thing_of(item, tool, state.now) for item in step.items]
    chosen = by_words(goal.intent, things, extra=goal.answered).thing if goal.answered else None
    if chosen is None and len(things) > 1:
        return state.say(*phrases.WHICH_FOR)
    title = next(param for param in goal.missing if param.role is Role.TITLE)
    goal.arguments[title.name] = state.say(*phrases.WORK_ON).format(title=(chosen or things[0]).title)
    goal.missing = [param for param in goal.missing if param is not title]
    return ""


def _meant(goal: Goal, items: Sequence[Item], things: list[Thing]) -> list[Thing]:
    named = by_words(goal.intent, things, extra=goal.answered) if telling_stems(goal.intent) else None
    if named is not None and named.thing is not None:
        return [named.thing]
    if named is not None and named.others:
        return list(named.others)
    return things if ALL.search(fold(goal.intent.text)) else things[:1] if len(things) == 1 else []


def _event(goal: Goal, thing: Thing) -> Goal:
    due = thing.start
    assert due is not None
    arguments: dict[str, object] = {}
    for param in goal.profile.params:
        if param.name.startswith("repeat"):
            continue
        if param.role is Role.TITLE:
            arguments[param.name] = thing.title
        elif param.role is Role.START:
            arguments[param.name] = written(due - LENGTH, param.shape)
        elif param.role is Role.END:
            arguments[param.name] = written(due, param.shape)
    return Goal(profile=goal.profile, intent=goal.intent, arguments=arguments)
