"""Decides which tools a message asks for, and fills what can be filled."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sandbox.model.brain import memory
from sandbox.model.brain.arguments import Filled, Hints, fill, telling_stems
from sandbox.model.brain.accepting import accepted
from sandbox.model.brain.clauses import split_clauses
from sandbox.model.brain.conversation import Turn
from sandbox.model.brain.intent import Action, Intent
from sandbox.model.brain.memory import Thing
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.phrases import asks_content, asks_which
from sandbox.model.brain.resolve import by_ordinal
from sandbox.model.brain.schema import Param, Role
from sandbox.model.brain.text import fold
from sandbox.model.brain.thesaurus import SERVICES
from sandbox.model.brain.toolbox import Profile, score

WORTH_CALLING = 0.34
GOES_ON = re.compile(
    r"^\W*(?:and|what about|how about|and for|and in|what of|same for|also|ok and|y|que tal|y que|y en|y para|y la|y el|and the)\b"
)
AGREES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|ok|okay|do it|do that|go ahead|please do|sounds good|perfect|great|si|dale|claro|vale|hazlo|adelante|book it|go for it|bueno)"
    r"(?:[\s,!.]+(?:yes|please|do it|do that|go ahead|thanks|then|por favor|hazlo|gracias|it|that|sounds good|perfect|great))*\W*$"
)
REPEATS = re.compile(r"^\W*(?:(?:please|ok|por favor)\W+)?(?:retry|try (?:it |that )?again|again|once more|otra vez|intentalo (?:de nuevo|otra vez)|prueba otra vez)(?:\W+(?:please|por favor|now))?\W*$")
WRITES_DOWN = re.compile(r"^(?:write|jot|note|escrib|anot|apunt|save|guard)")
TO_DO = re.compile(r"\b(?:tengo que|hay que|tenemos que|i (?:have|need|must|ought) to|i should|to remember)\b")


@dataclass(kw_only=True)
class Goal:
    """One thing to be done: a tool, what it is asked with, and which existing thing it is about, if that is known."""

    profile: Profile
    intent: Intent
    arguments: dict[str, Any]
    missing: list[Param] = field(default_factory=list)
    thing: Thing | None = None
    answered: str = ""


def plan(mind: Mind) -> list[Goal]:
    """The goals of the student's last message; empty when it needs no tool."""
    text, answered = _with_question(mind)
    clauses = split_clauses(text, lambda piece: _stands_alone(mind, piece))
    goals: list[Goal] = []
    for clause in clauses:
        goals += _goals_of(mind, mind.read(clause), answered, goals)
    return _distinct(goals)


def wanted_objects(mind: Mind, intent: Intent) -> dict[str, float]:
    """What a clause is about, with what its verb, its hour or the conversation implies."""
    objects = _with_service(_sharpened(intent.objects), intent)
    if intent.action is Action.CREATE:
        return _to_create(mind, intent, objects)
    if max(objects.values(), default=0.0) >= (0.6 if intent.action in (Action.CHANGE, Action.DELETE) else 0.5):
        return objects
    asks = intent.action is Action.READ or intent.verb in ("where", "donde")
    if asks and max(intent.aspects.get(name, 0) for name in ("unsubmitted", "overdue", "submitted")) >= 0.8:
        return {**objects, "assignment": 0.7}
    if asks and intent.when.is_said and intent.has_own and (intent.is_question or intent.has_order):
        return {**objects, "event": 0.65}
    if intent.action is Action.APPEND and intent.is_pronoun:
        return {**objects, "note": 0.8}
    if intent.action in (Action.CHANGE, Action.DELETE):
        thing = memory.latest_thing(mind.conversation, mind.tools, mind.now, objects)
        if thing is not None and (intent.is_pronoun or not objects):
            return {**dict(thing.objects), **objects} or {"event": 0.6}
        return {**objects, "event": 0.6}
    if intent.action in (Action.SEARCH, Action.OPEN) and not objects and len(intent.tokens) <= 8:
        return {"note": 0.6}
    return objects


def _last_was_about_time(mind: Mind) -> bool:
    last = memory.last_read(mind.conversation, mind.tools)
    return last is not None and any(last[0].objects.get(name, 0) > 0.8 for name in ("event", "free"))


def _listed(mind: Mind) -> list[Thing]:
    return memory.last_list(mind.conversation, mind.tools, mind.now)


def _to_create(mind: Mind, intent: Intent, objects: Mapping[str, float]) -> dict[str, float]:
    # Only some things can be made; "finish my history reading" says what an event is for, not what it is.
    made = {name: weight for name, weight in objects.items() if name in ("event", "note", "task")}
    others = {name: weight * 0.3 for name, weight in objects.items() if name not in made}
    if max(made.values(), default=0.0) >= 0.5:
        return {**others, **made}
    if WRITES_DOWN.match(intent.verb):
        is_task = bool(TO_DO.search(fold(intent.text))) and ":" not in intent.text
        if is_task or not intent.when.has_time:
            return {**made, "task" if is_task else "note": 0.8}
    is_slot = _last_was_about_time(mind) and (intent.is_pronoun or by_ordinal(intent, _listed(mind)) is not None)
    if intent.when.is_said or intent.when.minutes or is_slot:
        return {**others, **made, "event": 0.8}
    return dict(objects)


def _with_service(objects: Mapping[str, float], intent: Intent) -> dict[str, float]:
    # "My Canvas to-do list" is what Canvas has, whatever lists there are elsewhere.
    kept = dict(objects)
    for _, things in (SERVICES[name] for name in intent.services):
        if not any(objects.get(thing, 0) >= 0.6 for thing in things):
            kept[things[0]] = 0.8
    return kept


def _sharpened(objects: Mapping[str, float]) -> dict[str, float]:
    # "What score did I get on the quiz": the quiz only says on what, when something else is asked about it.
    asked = max((weight for name, weight in objects.items() if name != "assignment"), default=0.0)
    is_only_named = objects.get("assignment", 0.0) < 0.75 and asked >= 0.6
    return {name: weight * (0.5 if name == "assignment" and is_only_named else 1) for name, weight in objects.items()}


def best_tool(mind: Mind, intent: Intent) -> tuple[Profile | None, float]:
    """The tool that fits a clause best and how well."""
    objects = wanted_objects(mind, intent)
    ranked = sorted(mind.tools.values(), key=lambda tool: -score(tool, intent, objects))
    if not ranked:
        return None, 0.0
    return ranked[0], score(ranked[0], intent, objects)


def _goals_of(mind: Mind, intent: Intent, answered: str, earlier: list[Goal]) -> list[Goal]:
    if intent.is_about_the_world and not _is_own_business(intent):
        return []
    followed = _follow_up(mind, intent)
    if followed is not None:
        return [followed]
    best, points = best_tool(mind, intent)
    if best is None or points < WORTH_CALLING or not _is_serious(mind, intent, best):
        return []
    return [_goal(mind, best, intent, answered, earlier)]


def _is_own_business(intent: Intent) -> bool:
    if intent.has_own and intent.when.is_said and not intent.objects.get("web"):
        return True
    is_theirs = intent.has_own or intent.when.is_said or bool(intent.services) or intent.course is not None
    return is_theirs and intent.strength >= 0.75 or intent.aspects.get("detail", 0) >= 0.7 and intent.strength >= 0.6


def _is_serious(mind: Mind, intent: Intent, best: Profile) -> bool:
    # A single weak hint ("late", "paper") in a sentence that neither asks nor orders is talk.
    objects = wanted_objects(mind, intent)
    met = max((weight for name, weight in objects.items() if best.objects.get(name, 0) > 0.3), default=0.0)
    if best.action.is_write:
        return intent.has_order or intent.action in (Action.CHANGE, Action.DELETE) or intent.when.has_time or intent.when.shift is not None
    return met >= 0.4 and (
        met >= 0.6 or intent.has_own or intent.is_question or intent.when.is_said or intent.has_order
    )


def _goal(mind: Mind, profile: Profile, intent: Intent, answered: str, earlier: list[Goal]) -> Goal:
    thing = _thing(mind, profile, intent)
    filled = fill(profile, intent, _hints(mind, intent, thing, earlier))
    return Goal(
        profile=profile,
        intent=intent,
        arguments=filled.arguments,
        missing=filled.missing,
        thing=thing,
        answered=answered,
    )


def refilled(mind: Mind, goal: Goal, thing: Thing) -> Filled:
    """The goal's arguments once it is known which thing is meant."""
    return fill(goal.profile, goal.intent, _hints(mind, goal.intent, thing, []))


def _thing(mind: Mind, profile: Profile, intent: Intent) -> Thing | None:
    if not profile.required_ids:
        return None
    named = by_ordinal(intent, [thing for thing in _listed(mind) if thing.ids])
    if named is not None:
        return named
    if not intent.is_pronoun:
        return None
    return memory.latest_thing(mind.conversation, mind.tools, mind.now, profile.objects)


def _hints(mind: Mind, intent: Intent, thing: Thing | None, earlier: list[Goal]) -> Hints:
    answers = [turn.answer for turn in mind.conversation.before if turn.answer]
    slot = by_ordinal(intent, _listed(mind))
    moment = (slot.start, slot.end) if slot is not None and slot.start is not None else None
    return Hints(
        now=mind.now,
        thing=thing,
        answer=answers[-1] if answers else "",
        course=memory.last_course(mind.conversation, mind.tools),
        moment=moment,
    )


def _follow_up(mind: Mind, intent: Intent) -> Goal | None:
    # "and next week?", "what about chem?": the last look-up again, with what is new.
    last = memory.last_read(mind.conversation, mind.tools)
    if last is None or intent.action.is_write or intent.has_order and not GOES_ON.match(fold(intent.text)):
        return None
    says_something = intent.when.is_said or intent.course is not None
    if intent.strength >= 0.45 or not says_something or len(intent.tokens) > 9:
        return None
    profile, step = last
    filled = fill(profile, intent, _hints(mind, intent, None, []))
    kept = {name: value for name, value in step.input.items() if _stays(profile, name, intent)}
    return Goal(profile=profile, intent=intent, arguments={**kept, **filled.arguments}, missing=[])


def _stays(profile: Profile, name: str, intent: Intent) -> bool:
    roles = {param.name: param.role for param in profile.params}
    times = (Role.START, Role.END, Role.DAY, Role.DAYS, Role.CLOCK_START, Role.CLOCK_END, Role.CHOICE)
    return not (intent.when.is_said and roles.get(name) in times)


def _with_question(mind: Mind) -> tuple[str, str]:
    """The text to understand: the message alone or, when it answers our question, with the message before it."""
    said, before = mind.conversation.now.said, mind.conversation.before
    if not before:
        return said, ""
    last = before[-1]
    if offered := accepted(last.answer):
        return _answer_to_offer(mind, said, offered), ""
    if AGREES.match(fold(said)):
        return "", ""
    if REPEATS.match(fold(said)) and _may_repeat(mind, last):
        return last.said, ""
    asked = last.answer.rstrip().endswith("?") and not last.answer.rstrip().endswith("…?")
    if not asked:
        return said, ""
    if asks_content(last.answer) and len(said) > 3:
        return f"{last.said.rstrip(' .?!:')}: {said}", ""
    if asks_which(last.answer):
        return (last.said, said) if len(said.split()) <= 14 else (said, "")
    intent = mind.read(said)
    is_new = intent.has_order and best_tool(mind, intent)[1] >= WORTH_CALLING and intent.strength >= 0.5
    return (said, "") if is_new or len(said.split()) > 14 else (f"{last.said.rstrip(' .?!')} {said}", said)


def _answer_to_offer(mind: Mind, said: str, offered: str) -> str:
    if AGREES.match(fold(said)):
        return offered
    when = mind.read(said).when
    is_amended = when.has_time and AGREES.match(fold(said).split(",")[0].split(" but ")[0].split(" pero ")[0])
    head, _, moment = offered.rpartition(" on ")
    day = "" if when.has_day else f" on {moment.partition(',')[0]}"
    return f"{head}{day} {said.partition(' ')[2]}" if is_amended else said


def _may_repeat(mind: Mind, last: Turn) -> bool:
    # A write that was done must not be done twice because somebody said "again".
    writes = [step for step in last.steps if (tool := mind.tools.get(step.name)) is not None and tool.action.is_write]
    return all(step.is_error for step in writes)


def _stands_alone(mind: Mind, piece: str) -> bool:
    intent = mind.read(piece)
    best, points = best_tool(mind, intent)
    is_about_the_one_before = intent.is_pronoun and not telling_stems(intent)
    if best is None or points < 0.45 or is_about_the_one_before:
        return False
    if best.action.is_write:
        needs_time = best.param(Role.START) is not None and best.action is Action.CREATE
        return (intent.has_order and not needs_time) or (
            intent.when.has_time and bool(re.search(r"[a-zA-Z]{3}", piece))
        )
    return intent.strength >= 0.6 and (intent.has_order or intent.is_question or intent.has_own)


def _distinct(goals: list[Goal]) -> list[Goal]:
    kept: list[Goal] = []
    for goal in goals:
        twin = next((other for other in kept if other.profile.name == goal.profile.name), None)
        if twin is None or goal.arguments != twin.arguments and goal.profile.action.is_write:
            kept.append(goal)
        elif goal.arguments != twin.arguments and len(goal.arguments) > 0:
            kept.append(goal)
    return kept
