"""Planner: which tools a message asks for, filled as far as its words allow."""

import re
from dataclasses import replace

from sandbox.model.rules.dates import recurrence as repeating
from sandbox.model.rules.dates.when import When
from sandbox.model.rules.dialogue.next_days import AFTER_THAT, days_after
from sandbox.model.rules.dialogue.references import by_ordinal
from sandbox.model.rules.dialogue.rephrasing import rephrase
from sandbox.model.rules.dialogue.tool_ranking import (
    WORTH_CALLING,
    best_tool,
    is_own_business,
    is_serious,
    likely_tool,
    special_tool,
    wanted_objects,
)
from sandbox.model.rules.language.courses import courses_in
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.planning.goals import Goal
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.search.fallback_search import fallback_search_for
from sandbox.model.rules.slots import titles
from sandbox.model.rules.slots.slot_context import Filled, SlotContext
from sandbox.model.rules.slots.slot_filling import fill
from sandbox.model.rules.slots.title_words import telling_stems
from sandbox.model.rules.tools.abilities import abilities
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Action, Role
from sandbox.model.rules.understanding import memory
from sandbox.model.rules.understanding.clauses import several_tasks, split_clauses
from sandbox.model.rules.understanding.intent import Intent
from sandbox.model.rules.understanding.memory import Entity
from sandbox.model.rules.understanding.mentions import only_invites

GOES_ON = re.compile(
    r"^\W*(?:and|what about|how about|and for|and in|what of|same for|also|ok and|y|que tal|y que|y en|y para|y la|"
    r"y el)\b"
)
TIMES = (Role.START, Role.END, Role.DAY, Role.DAYS, Role.CLOCK_START, Role.CLOCK_END, Role.CHOICE)
LONGEST_FOLLOW_UP = 9
NOT_COMING = ("overdue", "unsubmitted", "past", "graded", "all")
MOST_COURSES = 5
THAT_DAY = re.compile(r"\b(?:on\s+)?(?:that|the\s+same)\s+day\b|\b(?:ese|aquel|el)\s+(?:mismo\s+)?dia\b(?!\s+\d)")
HAS_TIME = re.compile(r"^\W*(?:i(?:'ve|\s+have)(?:\s+got)?|i\s+got|tengo)\b(?!.*\?)")
"""Time that one has goes with the question after it: "I've got two hours tonight, what should I do?"."""
REPEATS = re.compile(r"\brepeats\b|\bse repite\b")
"""In the line of a series as a whole; one of its events is told as "one of a series"."""


def plan(state: RequestState) -> list[Goal]:
    """The goals of the student's last message; empty when it needs no tool."""
    told = rephrase(state)
    text, answered = told.text, told.answered
    listed = several_tasks(text)
    clauses = (
        listed or [text]
        if listed or _is_whole(state, text)
        else split_clauses(text, lambda piece: _stands_alone(state, piece))
    )
    goals = [
        _goal_of(state, intent, answered)
        for clause in _with_days(state, clauses)
        for intent in _for_each_course(state, state.read(clause))
    ]
    return _distinct([goal for goal in goals if goal is not None])


def _is_whole(state: RequestState, text: str) -> bool:
    special = special_tool(state, text)
    if special is None or not abilities()[special.known_for].whole:
        return False
    # "Does anything clash next week? And what is due?" are two, whatever the first is about.
    questions = [part for part in re.findall(r"[^?]+\?", text) if re.search(r"\w", part)]
    return len(questions) < 2 or any(special_tool(state, part) is special for part in questions[1:])


def _with_days(state: RequestState, clauses: list[str]) -> list[str]:
    # "Am I free on Wednesday? And what is due that day?"
    told: list[str] = []
    for clause in clauses:
        before = state.read(told[-1]).when if told else None
        found = THAT_DAY.search(fold(clause))
        if found and before is not None and before.start is not None and before.has_day:
            clause = f"{clause[: found.start()]}{before.start.date().isoformat()}{clause[found.end() :]}"
        elif before is not None and before.has_day and _is_on_no_day(state.read(clause)):
            clause = f"{clause.rstrip(' ?')} {_the_day(before)}".rstrip()
        told.append(clause)
    return told


def _is_on_no_day(intent: Intent) -> bool:
    # "What is due tomorrow and am I free in the evening?": the evening is that day's; "what do I have tomorrow, and
    # is anything due?".
    if intent.action.is_write or intent.when.has_day:
        return False
    is_due = (
        intent.objects.get("assignment", 0.0) >= 0.9
        and max((intent.aspects.get(name, 0.0) for name in NOT_COMING), default=0.0) < 0.9
    )
    return intent.objects.get("free", 0.0) >= 0.9 or (is_due and intent.course is None)


def _the_day(when: When) -> str:
    is_one_day = when.start is not None and (when.end is None or when.end.date() == when.start.date())
    return when.start.date().isoformat() if when.start is not None and is_one_day else ""


def _for_each_course(state: RequestState, intent: Intent) -> list[Intent]:
    # "What is new in biology, and in calculus?": the same question once for each.
    best, _ = best_tool(state, intent)
    named = courses_in(intent.text) if intent.course is not None else []
    takes_one = best is not None and not best.action.is_write and best.param(Role.COURSE) is not None
    if len(named) < 2 or not takes_one:
        return [intent]
    return [replace(intent, course=course) for course in named[:MOST_COURSES]]


def refilled(state: RequestState, goal: Goal, entity: Entity) -> Filled:
    """The goal's arguments once it is known which thing is meant."""
    return fill(goal.profile, goal.intent, _slot_context(state, goal.intent, entity))


def _goal_of(state: RequestState, intent: Intent, answered: str) -> Goal | None:
    fallback = fallback_search_for(intent, state.tools, state.now.date())
    if fallback is not None:
        first = fallback.sources[0].profile if fallback.sources else None
        return first and Goal(profile=first, intent=intent, arguments={}, fallback=fallback)
    is_special = special_tool(state, intent.text) is not None
    is_worldly = intent.is_about_the_world and not is_own_business(intent) and not is_special
    if is_worldly and likely_tool(state, intent) is None:
        return None
    followed = None if is_special else _follow_up(state, intent)
    if followed is not None:
        return followed
    best, points = best_tool(state, intent)
    is_sure = best is not None and points >= WORTH_CALLING and is_serious(state, intent, best)
    if not is_sure:
        best = likely_tool(state, intent)
    elif best is not None and best.name not in state.loaded:
        likely = likely_tool(state, intent, instead=best)
        best = likely if likely and not fill(likely, intent, _slot_context(state, intent, None)).missing else best
    if best is None:
        return None
    entity = _entity(state, best, intent)
    if entity is not None and is_series_of(intent, entity):
        # The series itself is not what is meant: its title leads to the one on that day.
        entity, answered = None, answered or entity.title
    filled = fill(best, intent, _slot_context(state, intent, entity))
    _name_by_ordinal(state, best, intent, filled)
    return Goal(
        profile=best,
        intent=intent,
        arguments=filled.arguments,
        missing=filled.missing,
        entity=entity,
        answered=answered,
    )


def _name_by_ordinal(state: RequestState, profile: Profile, intent: Intent, filled: Filled) -> None:
    # "Put time for the first one into my calendar" after a list of what is due.
    title = profile.param(Role.TITLE)
    is_event = profile.action is Action.CREATE and profile.objects.get("event", 0) >= 0.9
    listed = memory.last_read(state.conversation, state.tools) if title is not None and is_event else None
    if title is None or listed is None or listed[0].objects.get("assignment", 0) < 0.9 or intent.quoted:
        return
    if (named := by_ordinal(intent, _listed(state))) is not None:
        filled.arguments[title.name] = state.say("work_on").format(title=named.title)
        filled.missing = [param for param in filled.missing if param is not title]


def _follow_up(state: RequestState, intent: Intent) -> Goal | None:
    # "and next week?", "what about chem?": the last look-up again, with what is new.
    last = memory.last_read(state.conversation, state.tools)
    is_new_order = intent.has_order and not GOES_ON.match(fold(intent.text))
    if last is None or intent.action.is_write or is_new_order:
        return None
    says_something = intent.when.is_said or intent.course is not None or AFTER_THAT.search(fold(intent.text))
    if intent.strength >= 0.45 or not says_something or len(intent.tokens) > LONGEST_FOLLOW_UP:
        return None
    profile, step = last
    filled = fill(profile, intent, _slot_context(state, intent, None))
    roles = {param.name: param.role for param in profile.params}
    kept = {
        name: value for name, value in step.input.items() if not intent.when.is_said or roles.get(name) not in TIMES
    }
    return Goal(
        profile=profile, intent=intent, arguments={**kept, **filled.arguments, **days_after(intent, profile, step)}
    )


def _entity(state: RequestState, profile: Profile, intent: Intent) -> Entity | None:
    if not profile.required_ids:
        return None
    named = by_ordinal(intent, [entity for entity in _listed(state) if entity.ids and _is_kind_of(entity, profile)])
    if named is not None or not (intent.is_pronoun or _names_nothing(intent)):
        return named
    return memory.latest_entity(state.conversation, state.tools, state.now, profile.objects)


def _is_kind_of(entity: Entity, profile: Profile) -> bool:
    return profile.objects.get(max(entity.objects, key=lambda name: entity.objects[name], default=""), 0) >= 0.9


def is_series_of(intent: Intent, entity: Entity) -> bool:
    """Whether a thing repeats as a whole while the clause means one of it, or those from some day on."""
    if intent.action not in (Action.CHANGE, Action.DELETE) or not REPEATS.search(entity.line):
        return False
    part = repeating.part_of_series(intent.text)
    days = intent.located if intent.action is Action.CHANGE else intent.when
    return part in ("this", "following") or (part is None and days.has_day)


def _names_nothing(intent: Intent) -> bool:
    # "skip this Thursday", "cancela la del lunes": what was spoken of last, on that day.
    is_known = intent.action in (Action.CHANGE, Action.DELETE) and intent.has_order and not intent.objects
    stems = set(titles.target_stems(intent))
    words = {token.word for token in intent.tokens if token.stem in stems and token.start >= intent.order.end}
    return is_known and not intent.quoted and not words - repeating.SCOPE_WORDS


def _slot_context(state: RequestState, intent: Intent, entity: Entity | None) -> SlotContext:
    answers = [turn.answer for turn in state.conversation.before if turn.answer]
    slot = by_ordinal(intent, _listed(state))
    return SlotContext(
        now=state.now,
        entity=entity,
        answer=answers[-1] if answers else "",
        course=memory.last_course(state.conversation, state.tools),
        moment=(slot.start, slot.end) if slot is not None and slot.start is not None else None,
        work=memory.last_work(state.conversation, state.tools),
    )


def _listed(state: RequestState) -> list[Entity]:
    return memory.last_list(state.conversation, state.tools, state.now)


def _stands_alone(state: RequestState, piece: str) -> bool:
    if only_invites(piece) or repeating.REMIND.search(fold(piece)) or repeating.NO_REMINDER.search(fold(piece)):
        return False
    if found := THAT_DAY.search(fold(piece)):
        piece = f"{piece[: found.start()]}today{piece[found.end() :]}"
    intent = state.read(piece)
    if fallback_search_for(intent, state.tools, state.now.date()) is not None:
        return True
    best, points = best_tool(state, intent)
    is_about_the_one_before = intent.is_pronoun and not telling_stems(intent) and not _says_when_itself(intent)
    if best is None or points < 0.45 or is_about_the_one_before:
        return False
    is_asked = "?" in piece or intent.has_order
    if best.ability and is_asked and not best.action.is_write and not abilities()[best.ability].whole:
        return True
    if not best.action.is_write:
        strength = max(intent.strength, wanted_objects(state, intent).get("event", 0.0))
        if (intent.when.minutes or best.objects.get("free", 0) >= 0.9) and HAS_TIME.search(fold(piece)):
            return False
        return strength >= 0.6 and (intent.has_order or intent.is_question or intent.has_own)
    # Two events need two hours: "with Ana and Luis tomorrow at 3" is one.
    needs_time = best.action is Action.CREATE and best.param(Role.START) is not None
    has_own_time = intent.when.has_time and bool(re.search(r"[a-zA-Z]{3}", piece))
    has_length = intent.has_order and bool(intent.when.minutes) and intent.when.has_day
    return has_own_time or has_length or (intent.has_order and not needs_time)


def _says_when_itself(intent: Intent) -> bool:
    # "do I have time for it tonight", "put two hours for it on Thursday": a clause of its own, whatever "it" is.
    is_said = intent.when.is_said and (intent.is_question or intent.has_order)
    return is_said and intent.action in (Action.READ, Action.CREATE)


def _distinct(goals: list[Goal]) -> list[Goal]:
    kept: list[Goal] = []
    for goal in goals:
        if goal.fallback is not None:
            kept.append(goal)
            continue
        is_twin = any(goal.profile.name == other.profile.name and goal.arguments == other.arguments for other in kept)
        is_vaguer = any(goal.profile.name == other.profile.name for other in kept) and not goal.arguments
        if not is_twin and not is_vaguer:
            kept.append(goal)
    return kept
