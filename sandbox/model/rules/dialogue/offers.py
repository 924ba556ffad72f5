"""Offers to put something into a free gap that was found."""

import re

from sandbox.model.rules.dialogue.conversation import Step
from sandbox.model.rules.dialogue.memory import thing_of
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.planning.planner import Goal
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.slots import titles
from sandbox.model.rules.tools.actions import Action
from sandbox.model.rules.tools.schema import Role

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
    gap, title = thing_of(step.items[0], goal.profile, state.now), _purpose(goal)
    if gap.start is None or not title or not can_add:
        return ""
    moment = state.told(f"{gap.start:%a} {gap.start.day} {gap.start:%b %Y}, {gap.start:%I:%M %p}")
    return state.say("offer").format(title=title, moment=moment, minutes=goal.intent.when.minutes or 60)


def _purpose(goal: Goal) -> str:
    text = goal.intent.text
    for span in sorted(goal.intent.spans, key=lambda span: -span.start):
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    found = PURPOSE.search(fold(text).rstrip(" ?.!"))
    return titles.tidy(text[found.start("what") : found.end("what")]) if found else ""
