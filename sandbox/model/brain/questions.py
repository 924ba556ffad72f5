"""The short question to ask when something that a tool needs was not said."""

from sandbox.model.brain import phrases
from sandbox.model.brain.guests import invitations
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.plan import Goal
from sandbox.model.brain.schema import Param, Role

KEYS = {
    Role.END: "end",
    Role.DAY: "start",
    Role.TITLE: "title",
    Role.CONTENT: "content",
    Role.COURSE: "course",
    Role.QUERY: "query",
    Role.NAME: "thing",
}


def question(mind: Mind, goal: Goal) -> str:
    """One question for everything that is missing, or nothing."""
    asked = [_one(mind, goal, param) for param in goal.missing]
    if goal.arguments.get("repeats") and not {"repeat_until", "repeat_count"} & set(goal.arguments):
        asked.append(mind.say(*phrases.ASK["repeats"]))
    if goal.profile.specialty == "github" and not {"repo", "query"} & set(goal.arguments):
        asked.append(mind.say(*phrases.ASK["repository"]))
    if is_invited(goal):
        asked.append(mind.say(*phrases.ASK["address"]))
    return " ".join(dict.fromkeys(asked[:2]))


def is_invited(goal: Goal) -> bool:
    """Whether somebody is to be invited whose address was not told."""
    takes_guests = any(param.name == "guests" for param in goal.profile.params)
    return takes_guests and "guests" not in goal.arguments and bool(invitations(goal.intent.text))


def _one(mind: Mind, goal: Goal, param: Param) -> str:
    if param.role is Role.START:
        return mind.say(*phrases.ASK["hour" if goal.intent.when.has_day else "start"])
    key = KEYS.get(param.role)
    if key is None:
        return mind.say(*phrases.ASK["other"]).format(name=param.name.replace("_", " "))
    return mind.say(*phrases.ASK[key])
