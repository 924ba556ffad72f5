"""Entity search: the existing thing that a goal is about, in what was shown before or by looking it up."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sandbox.model.reply import Call
from sandbox.model.rules.dates import recurrence as repeating
from sandbox.model.rules.dialogue.references import (
    by_ordinal,
    by_words,
    id_for,
    is_place,
    lookup_tool,
    under,
    words_for,
)
from sandbox.model.rules.language.translation import in_english, without_accents
from sandbox.model.rules.planning.goals import Goal
from sandbox.model.rules.planning.planner import is_series_of
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import list_of, nothing_fits
from sandbox.model.rules.slots.ability_slots import meant
from sandbox.model.rules.slots.time_slots import IS_DUE, LOOK_AHEAD_DAYS, written
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Action, Param, Role
from sandbox.model.rules.understanding import memory
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.memory import Entity, entity_of
from sandbox.model.rules.understanding.tool_results import Item

FURTHER_DAYS = 120
EDGES = (Role.START, Role.END)


def open_params(goal: Goal) -> list[Param]:
    """The ids and references that the goal needs: the required ones, and optional ones that the clause speaks of."""
    wanted = goal.profile.required_ids
    optional = [
        param
        for param in goal.profile.params
        if not param.required and param.role in (Role.ID, Role.REFERENCE) and is_place(param)
    ]
    return [*wanted, *(optional if under(goal.intent.text) else [])]


def look_up(state: RequestState, goal: Goal, param: Param, tool: Profile, *, wide: bool) -> Call:
    """The call that looks for the thing; a wide one looks further ahead and without words."""
    return Call(name=tool.name, input=_arguments(state, goal, param, tool, wide=wide))


def _arguments(state: RequestState, goal: Goal, param: Param, tool: Profile, *, wide: bool) -> dict[str, Any]:
    start, end = _days(state, goal, wide=wide)
    # A thing that is looked up may have no due day, so that edges of such days would hide it.
    params = [
        given for given in tool.params if given.required or given.role not in EDGES or not IS_DUE.search(given.name)
    ]
    is_window = any(given.role is Role.START for given in params)
    given: dict[str, Any] = {}
    for wanted in params:
        if wanted.role is Role.START:
            given[wanted.name] = written(start, wanted.shape)
        elif wanted.role is Role.END and is_window:
            given[wanted.name] = written(end, wanted.shape)
        elif wanted.role is Role.DAYS and tool.param(Role.END) is None:
            given[wanted.name] = min((end.date() - state.now.date()).days + 1, wanted.schema.get("maximum", 366))
        elif wanted.role is Role.QUERY and (wanted.required or not is_window):
            searched = "" if wide else words_for(param, goal.intent)
            if searched or wanted.required:
                given[wanted.name] = searched or goal.intent.text
        elif wanted.role is Role.COURSE and goal.intent.course is not None:
            given[wanted.name] = goal.intent.course[0]
    return given


def _days(state: RequestState, goal: Goal, *, wide: bool) -> tuple[datetime, datetime]:
    located = goal.intent.located
    if goal.intent.action is Action.DELETE and repeating.part_of_series(goal.intent.text) == "following":
        start = located.start or state.now
        return start, start + timedelta(days=LOOK_AHEAD_DAYS)
    if located.start is not None and not wide:
        return located.start, located.end or located.start.replace(hour=23, minute=59)
    return state.now, state.now + timedelta(days=FURTHER_DAYS if wide else LOOK_AHEAD_DAYS)


MOST_SHOWN = 6
TURNS_BACK = 3
MOST_LOOKS = 3


@dataclass(frozen=True, kw_only=True)
class EntityMatch:
    """An id, or what to do without one: calls to make, words to say, failed look-ups to report.
    used: ids of steps that were only look-ups."""

    id: str = ""
    entity: Entity | None = None
    calls: Sequence[Call] = ()
    says: str = ""
    failed: Sequence[Step] = ()
    used: frozenset[str] = frozenset()


def find_entity(state: RequestState, goal: Goal, param: Param, steps: Sequence[Step]) -> EntityMatch:
    """The thing whose id the parameter wants; `steps` are those of the running turn."""
    tool = lookup_tool(param, goal.profile, state.tools)
    known = _known(state, goal, tool)
    if known is not None:
        return EntityMatch(id=id_for(param, known) or "", entity=known)
    if tool is None:
        return EntityMatch(says=state.say("ask.thing"))
    made = [step for step in steps if step.name == tool.name]
    if not made:
        return EntityMatch(calls=[look_up(state, goal, param, tool, wide=False)])
    return _among(state, goal, param, tool, made)


def _known(state: RequestState, goal: Goal, tool: Profile | None) -> Entity | None:
    # What an earlier answer has shown, when the words fit it and it is to be changed.
    if not goal.profile.action.is_write or goal.intent.is_pronoun:
        return None
    listed = memory.listed_entities(state.conversation.before[-TURNS_BACK:], state.tools, state.now)
    listed = [entity for entity in listed if not is_series_of(goal.intent, entity)]
    alike = [entity for entity in listed if any(entity.objects.get(name, 0) > 0.5 for name in goal.profile.objects)]
    read = memory.last_read(state.conversation, state.tools)
    last = memory.last_list(state.conversation, state.tools, state.now) if read and read[0] is tool else []
    return by_ordinal(goal.intent, last) or by_words(goal.intent, alike, extra=goal.answered).entity


def _among(state: RequestState, goal: Goal, param: Param, tool: Profile, made: Sequence[Step]) -> EntityMatch:
    used = frozenset(step.id for step in made)
    failed = [step for step in made if step.is_error]
    if failed:
        return EntityMatch(failed=failed[-1:], used=used)
    items = list({item.id: item for step in made for item in step.items if item.ids}.values())
    entities = [entity_of(item, tool, state.now) for item in items]
    named = words_for(param, goal.intent)
    only = meant(param, goal.intent) if goal.profile.ability else ""
    choice = by_words(goal.intent, entities, extra=goal.answered if only else f"{goal.answered} {named}", only=only)
    if only and choice.entity is None and not choice.others:
        choice = by_words(goal.intent, entities, extra=named)
    has_name = bool(named) or (goal.intent.located.is_said and not is_place(param))
    is_only_one = len(entities) == 1 and (not has_name or tool.action is Action.SEARCH)
    entity = choice.entity or (entities[0] if is_only_one else None)
    if entity is not None and _is_over(state, goal, entity):
        return EntityMatch(says=state.say("is_over").format(line=f"- {state.translated_line(entity.line)}"), used=used)
    if entity is not None:
        return EntityMatch(id=id_for(param, entity) or "", entity=entity, used=used)
    if choice.others:
        fitting = [item for item in items if item.title in {other.title for other in choice.others}]
        return EntityMatch(says=_which(state, goal, param, tool, fitting, is_choice=True), used=used)
    first = look_up(state, goal, param, tool, wide=False)
    other = {name: _in_other_words(value) for name, value in first.input.items()}
    if len(made) == 1 and tool.action is Action.SEARCH and other != first.input and not items:
        return EntityMatch(calls=[Call(name=tool.name, input=other)], used=used)
    again = look_up(state, goal, param, tool, wide=True)
    if len(made) < MOST_LOOKS and all(again.input != step.input for step in made):
        return EntityMatch(calls=[again], used=used)
    titles = {other.title for other in choice.others}
    fitting = [item for item in items if not titles or item.title in titles]
    return EntityMatch(
        says=_which(state, goal, param, tool, fitting, is_choice=bool(titles) or not has_name), used=used
    )


def _is_over(state: RequestState, goal: Goal, entity: Entity) -> bool:
    # "Cancel robotics club this week only", said on Friday of Tuesday's.
    if goal.intent.action not in (Action.CHANGE, Action.DELETE) or entity.start is None:
        return False
    asked = goal.intent.located
    if asked.start is None or asked.end is None or asked.start.date() == asked.end.date():
        return False
    return asked.start < state.now <= asked.end and (entity.end or entity.start) < state.now


def _in_other_words(value: object) -> object:
    # "Recursión" is "Recursion" on a page in English.
    return in_english(value) or without_accents(value) if isinstance(value, str) else value


def _which(
    state: RequestState, goal: Goal, param: Param, tool: Profile, items: Sequence[Item], *, is_choice: bool
) -> str:
    if not items or not (is_choice or is_place(param)):
        named = words_for(param, goal.intent)
        return nothing_fits(state, tool, words=named, is_write=goal.profile.action.is_write)
    asked = "ask.place" if is_place(param) else "several"
    return f"{list_of(state, items[:MOST_SHOWN])}\n\n{state.say(asked)}"
