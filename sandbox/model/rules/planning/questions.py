"""Questions for what a tool needs and the student did not say, and offers to use a free gap."""

import re

from sandbox.model.rules.language.text import fold
from sandbox.model.rules.planning.goals import Goal
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.slots import titles
from sandbox.model.rules.tools.schema import Action, Param, Role
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.memory import entity_of
from sandbox.model.rules.understanding.mentions import invitations

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
    if goal.profile.ability == "bibliography" and not {"url", "doi", "isbn"} & set(goal.arguments):
        asked.append(state.say("ask.page"))
    if goal.arguments.get("action") == "get_readme" and LISTS.search(fold(goal.intent.text)):
        return state.say("no_lists")
    if goal.profile.ability == "github" and not {"repo", "query"} & set(goal.arguments):
        asked.append(state.say("ask.repository"))
    if is_invited(goal):
        asked.append(state.say("ask.address"))
    return " ".join(dict.fromkeys(asked[:2]))


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


MENDS = re.compile(r"\b(?:fix|solve|resolve|sort|move|arregl\w+|resuelv\w+|soluciona\w*|mueve\w*)\b")
PURPOSE = re.compile(r"\b(?:for|to|para)\s+(?P<what>(?!(?:me|my|it|do|be|have|this|the (?:next|rest))\b)[a-z].*)$")


def offer(state: RequestState, goal: Goal, step: Step) -> str:
    """The offer after a look for free time that said what for; empty otherwise."""
    if goal.profile.known_for == "conflicts" and step.items and MENDS.search(fold(goal.intent.text)):
        return state.say("which_moves")
    is_about_time = goal.profile.objects.get("free", 0) >= 0.9 and goal.profile.known_for != "study_plan"
    if step.is_error or not step.items or not is_about_time or (goal.intent.course and not _purpose(goal)):
        return ""
    can_add = any(
        tool.action is Action.CREATE and tool.objects.get("event", 0) >= 0.9 and tool.param(Role.START)
        for tool in state.tools.values()
    )
    gap, title = entity_of(step.items[0], goal.profile, state.now), _purpose(goal)
    if gap.start is None or not title or not can_add:
        return ""
    moment = state.translated_line(f"{gap.start:%a} {gap.start.day} {gap.start:%b %Y}, {gap.start:%I:%M %p}")
    return state.say("offer").format(title=title, moment=moment, minutes=goal.intent.when.minutes or 60)


def _purpose(goal: Goal) -> str:
    text = goal.intent.text
    for span in sorted(goal.intent.spans, key=lambda span: -span.start):
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    found = PURPOSE.search(fold(text).rstrip(" ?.!"))
    return titles.tidy(text[found.start("what") : found.end("what")]) if found else ""
