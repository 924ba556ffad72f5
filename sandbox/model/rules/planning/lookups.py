"""The calls that find an existing thing before it can be read, changed or added to."""

from datetime import datetime, timedelta
from typing import Any

from sandbox.model.reply import Call
from sandbox.model.rules.dates import recurrence as repeating
from sandbox.model.rules.dialogue.references import is_place, under, words_for
from sandbox.model.rules.planning.planner import Goal
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.slots.time_slots import IS_DUE, LOOK_AHEAD_DAYS, written
from sandbox.model.rules.tools.actions import Action
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Param, Role

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
    params = [one for one in tool.params if one.required or one.role not in EDGES or not IS_DUE.search(one.name)]
    is_window = any(one.role is Role.START for one in params)
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
                given[wanted.name] = searched
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
