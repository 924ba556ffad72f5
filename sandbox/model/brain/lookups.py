"""The calls that find an existing thing before it can be read, changed or added to."""

from datetime import timedelta
from typing import Any

from sandbox.model.brain.arguments import LOOK_AHEAD_DAYS, written
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.plan import Goal
from sandbox.model.brain.resolve import is_place, under, words_for
from sandbox.model.brain.schema import Param, Role
from sandbox.model.brain.toolbox import Profile
from sandbox.model.reply import Call

FURTHER_DAYS = 120


def open_params(goal: Goal) -> list[Param]:
    """The ids and references that the goal needs: the required ones, and optional ones that the clause speaks of."""
    wanted = goal.profile.required_ids
    optional = [
        param
        for param in goal.profile.params
        if not param.required and param.role in (Role.ID, Role.REFERENCE) and is_place(param)
    ]
    return [*wanted, *(optional if under(goal.intent.text) else [])]


def look_up(mind: Mind, goal: Goal, param: Param, tool: Profile, *, attempt: int) -> Call | None:
    """The first or the second, wider look; None when a second one would be the same as the first."""
    first = _arguments(mind, goal, param, tool, wide=False)
    if attempt == 0:
        return Call(name=tool.name, input=first)
    second = _arguments(mind, goal, param, tool, wide=True)
    return Call(name=tool.name, input=second) if second != first else None


def _arguments(mind: Mind, goal: Goal, param: Param, tool: Profile, *, wide: bool) -> dict[str, Any]:
    located, now = goal.intent.located, mind.now
    start, end = now, now + timedelta(days=FURTHER_DAYS if wide else LOOK_AHEAD_DAYS)
    if located.start is not None and not wide:
        start, end = located.start, located.end or located.start.replace(hour=23, minute=59)
    given: dict[str, Any] = {}
    has_end = tool.param(Role.END) is not None
    for name in tool.params:
        if name.role is Role.START:
            given[name.name] = written(start, name.shape)
        elif name.role is Role.END:
            given[name.name] = written(end, name.shape)
        elif name.role is Role.DAYS and not has_end:
            given[name.name] = min((end.date() - now.date()).days + 1, name.schema.get("maximum", 366))
        elif name.role is Role.QUERY and (name.required or tool.param(Role.START) is None):
            searched = "" if wide else words_for(param, goal.intent)
            if searched or name.required:
                given[name.name] = searched
        elif name.role is Role.COURSE and goal.intent.course is not None:
            given[name.name] = goal.intent.course[0]
    return given
