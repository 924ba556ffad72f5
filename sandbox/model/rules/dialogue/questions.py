"""The short question to ask when something that a tool needs was not said."""

import re

from sandbox.model.rules.language.text import fold
from sandbox.model.rules.planning.planner import Goal
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.slots.guests import invitations
from sandbox.model.rules.tools.schema import Param, Role

LISTS = re.compile(r"\b(?:issues|pull\s+requests|pulls|commits?|branches|contributors|incidencias)\b")
"""What a repository has that the demo's tool does not list."""
KEYS = {
    Role.END: "end",
    Role.DAY: "start",
    Role.TITLE: "title",
    Role.CONTENT: "content",
    Role.COURSE: "course",
    Role.QUERY: "query",
    Role.NAME: "thing",
}


def question(state: RequestState, goal: Goal) -> str:
    """One question for everything that is missing, or nothing."""
    asked = [_one(state, goal, param) for param in goal.missing]
    if goal.arguments.get("repeats") and not {"repeat_until", "repeat_count"} & set(goal.arguments):
        asked.append(state.say("ask.repeats"))
    if goal.profile.specialty == "bibliography" and "url" not in goal.arguments:
        asked.append(state.say("ask.page"))
    if goal.profile.specialty == "github" and LISTS.search(fold(goal.intent.text)) and _is_readme(goal):
        return state.say("no_lists")
    if goal.profile.specialty == "github" and not {"repo", "query"} & set(goal.arguments):
        asked.append(state.say("ask.repository"))
    if is_invited(goal):
        asked.append(state.say("ask.address"))
    return " ".join(dict.fromkeys(asked[:2]))


def _is_readme(goal: Goal) -> bool:
    return goal.arguments.get("action") == "get_readme"


def is_invited(goal: Goal) -> bool:
    """Whether somebody is to be invited whose address was not told."""
    takes_guests = any(param.name == "guests" for param in goal.profile.params)
    return takes_guests and "guests" not in goal.arguments and bool(invitations(goal.intent.text))


def _one(state: RequestState, goal: Goal, param: Param) -> str:
    if param.role is Role.START:
        return state.say("ask.hour" if goal.intent.when.has_day else "ask.start")
    key = KEYS.get(param.role)
    if key is None:
        return state.say("ask.other").format(name=param.name.replace("_", " "))
    return state.say(f"ask.{key}")
