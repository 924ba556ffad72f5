"""Writes that are filled from a look-up: sessions at good times, due dates, trackers and plans of what is due."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sandbox.model.brain import callings, phrases
from sandbox.model.brain.actions import Action
from sandbox.model.brain.answers import list_of
from sandbox.model.brain.arguments import fill
from sandbox.model.brain.calendar_words import NUMBER, number
from sandbox.model.brain.conversation import Step
from sandbox.model.brain.items import read_items
from sandbox.model.brain.memory import Thing, thing_of
from sandbox.model.brain.mind import Mind
from sandbox.model.brain.plan import Goal
from sandbox.model.brain.resolve import by_words
from sandbox.model.brain.schema import Role
from sandbox.model.brain.task import Hints
from sandbox.model.brain.text import fold
from sandbox.model.brain.timing import written
from sandbox.model.brain.toolbox import Profile
from sandbox.model.brain.when import read_when
from sandbox.model.reply import Call

HOW_MANY = re.compile(
    rf"\b(?P<n>{NUMBER}|some|varias)\s+(?:\w+\s+){{0,3}}?(?:sessions|blocks|times|sesiones|bloques)\b"
)
EXAM = re.compile(
    r"\b(?:(?P<midterm>midterms?|(?:examen\s+)?parcial(?:es)?)|(?P<final>finals?(?:\s+exam)?|examen\s+final)"
    r"|(?P<quiz>quiz(?:zes)?)|exams?|tests?|examen(?:es)?)\b"
)
IN_TITLES = {"midterm": "midterm", "final": "final", "quiz": "quiz"}
"""What a title must say for a kind of exam that was named."""
USUAL_SESSIONS, MOST_SESSIONS, MOST_ENTRIES = 3, 10, 25
LINK = re.compile(r"\[open\]\((?P<url>[^)\s]+)\)")
CODE = re.compile(r"\b[A-Z]{2,5} ?\d{2,4}[A-Z]?\b")
DUE = re.compile(r"\bdue (?P<when>[^—]+)")
AT_WORK = re.compile(r"\bwork (?P<from>\d{1,2}:\d\d [AP]M) – (?P<to>\d{1,2}:\d\d [AP]M)")
FROM_COURSES = re.compile(
    r"\b(?:due|assignments?|deadlines?|homework|courses?|classes|canvas|entregas?|tareas?|cursos?)\b"
)


@dataclass(frozen=True, kw_only=True)
class Preparation:
    """calls: to make first. failed: a look-up that did. says: a question to the student. used: look-ups made."""

    calls: Sequence[Call] = ()
    failed: Step | None = None
    says: str = ""
    used: frozenset[str] = frozenset()


def prepare(mind: Mind, goal: Goal, steps: Sequence[Step]) -> Preparation | None:
    """What must come before a goal's own call; None when it needs nothing, or now has what it needs."""
    if goal.profile.specialty == "study_sessions" and (first := _coming(mind, goal, steps)):
        return first
    recipe = RECIPES.get(goal.profile.specialty) or (SLOT if _wants_slot(goal) else None)
    source = recipe.source(mind, goal) if recipe else None
    if recipe is None or source is None:
        return None
    made = [step for step in steps if step.name == source.name]
    if not made:
        return Preparation(calls=[Call(name=source.name, input=recipe.asks(mind, goal, source))])
    used = frozenset(step.id for step in made)
    if made[-1].is_error:
        return Preparation(failed=made[-1], used=used)
    says = recipe.takes(mind, goal, source, made[-1])
    goal.missing = [param for param in goal.missing if param.name not in goal.arguments]
    return Preparation(says=says, used=used)


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Which tool is read before, with which arguments, and how its result fills the goal; words instead of that."""

    source: Callable[[Mind, Goal], Profile | None]
    asks: Callable[[Mind, Goal, Profile], dict[str, Any]]
    takes: Callable[[Mind, Goal, Profile, Step], str]


def _special(name: str) -> Callable[[Mind, Goal], Profile | None]:
    return lambda mind, goal: next((tool for tool in mind.tools.values() if tool.specialty == name), None)


def _assignments(mind: Mind, goal: Goal) -> Profile | None:
    listing = [
        tool
        for tool in mind.tools.values()
        if tool.action is Action.READ and not tool.required_ids and not tool.specialty
    ]
    return max(listing, key=lambda tool: tool.objects.get("assignment", 0), default=None)


def _of_courses(mind: Mind, goal: Goal) -> Profile | None:
    is_meant = FROM_COURSES.search(fold(goal.intent.text)) or goal.intent.course
    return _assignments(mind, goal) if is_meant else None


def _filled(mind: Mind, goal: Goal, source: Profile) -> dict[str, Any]:
    return fill(source, goal.intent, Hints(now=mind.now)).arguments


def _good_times(mind: Mind, goal: Goal, source: Profile) -> dict[str, Any]:
    asked = {"minutes": goal.intent.when.minutes or 60, "how_many": min(MOST_SESSIONS, 2 * _count(goal))}
    given = {name: value for name, value in _filled(mind, goal, source).items() if name in ("start", "end", "prefer")}
    return {**given, **{name: value for name, value in asked.items() if _takes(source, name)}}


def _one_assignment(mind: Mind, goal: Goal, source: Profile) -> dict[str, Any]:
    searched = next((param.name for param in source.params if param.role is Role.QUERY), None)
    words = [word for word in callings.left_words(goal.intent).split() if fold(word) not in WORDS_OF_DUE]
    course = source.param(Role.COURSE)
    given = {course.name: goal.intent.course[0]} if course and goal.intent.course else {}
    # What is due may be past due as well: "all" is where a title is looked for.
    everything = {
        param.name: "all" for param in source.params if param.role is Role.CHOICE and "upcoming" in param.choices
    }
    return {**given, **everything, searched: words[0]} if searched and words else given


def _wants_slot(goal: Goal) -> bool:
    # "Two hours on Thursday afternoon": how long and about when, but no hour.
    when, profile = goal.intent.when, goal.profile
    lacks_start = any(param.role is Role.START for param in goal.missing)
    is_event = profile.action is Action.CREATE and profile.objects.get("event", 0) >= 0.9 and not profile.specialty
    return is_event and lacks_start and bool(when.minutes) and when.has_day and when.has_end and not when.has_time


def _free(mind: Mind, goal: Goal) -> Profile | None:
    reading = [tool for tool in mind.tools.values() if tool.action is Action.READ and not tool.specialty]
    fitting = [tool for tool in reading if tool.objects.get("free", 0) >= 0.9 and tool.param(Role.START)]
    return max(fitting, key=lambda tool: tool.objects["free"], default=None)


def _in_first_gap(mind: Mind, goal: Goal, source: Profile, step: Step) -> str:
    starts = [thing.start for item in step.items if (thing := thing_of(item, source, mind.now)).start]
    if not starts:
        return mind.say(*phrases.NO_ROOM)
    param = next(param for param in goal.missing if param.role is Role.START)
    goal.arguments[param.name] = written(starts[0], param.shape)
    return ""


def _at_times(mind: Mind, goal: Goal, source: Profile, step: Step) -> str:
    starts = [thing.start for item in step.items if (thing := thing_of(item, source, mind.now)).start]
    by_day = {start.date(): start for start in reversed(starts)}
    chosen = sorted([*by_day.values()], key=starts.index)[: _count(goal)]
    chosen += [start for start in starts if start not in chosen][: _count(goal) - len(chosen)]
    if not chosen:
        return mind.say(*phrases.NONE_FITS)
    goal.arguments["starts"] = [f"{start:%Y-%m-%dT%H:%M}" for start in sorted(chosen)]
    return ""


def _with_due_date(mind: Mind, goal: Goal, source: Profile, step: Step) -> str:
    things = [thing for item in step.items if (thing := thing_of(item, source, mind.now)).start]
    choice = by_words(goal.intent, things, extra=goal.answered)
    thing = choice.thing or (things[0] if len(things) == 1 else None)
    if thing is None:
        several = [item for item in step.items if item.title in {other.title for other in choice.others}]
        listed = f"{list_of(mind, several[:6])}\n\n" if several else ""
        return listed + mind.say(*(phrases.SEVERAL if several else phrases.NONE_FITS))
    goal.arguments.update(_fields(mind, thing.line, thing, "assignment"))
    return ""


def _with_entries(mind: Mind, goal: Goal, source: Profile, step: Step) -> str:
    entries = [_fields(mind, item.line, thing_of(item, source, mind.now), "name") for item in step.items]
    goal.arguments["items"] = entries[:MOST_ENTRIES]
    return ""


def _with_sessions(mind: Mind, goal: Goal, source: Profile, step: Step) -> str:
    sessions: list[dict[str, Any]] = []
    day = ""
    for line in step.result.splitlines()[1:]:
        items = read_items(line)
        if not items:
            when, _ = read_when(line, mind.now)
            day = when.start.date().isoformat() if when.has_day and when.start else day
        elif day and (work := AT_WORK.search(line)):
            sessions.append({"day": day, "what": items[0].title, "minutes": _minutes(work)})
    goal.arguments["sessions"] = sessions
    return "" if sessions else mind.say(*phrases.NONE_FITS)


def _fields(mind: Mind, line: str, thing: Thing, name: str) -> dict[str, Any]:
    found = {name: thing.title}
    if course := CODE.search(line.replace(thing.title, "")):
        found["course"] = course.group()
    due = DUE.search(line.replace(thing.title, ""))
    when = read_when(due["when"], mind.now)[0] if due else None
    if when is not None and when.start is not None:
        found["due"] = f"{when.start:%Y-%m-%dT%H:%M}"
    if link := LINK.search(line):
        found["link"] = link["url"]
    return found


def _coming(mind: Mind, goal: Goal, steps: Sequence[Step]) -> Preparation | None:
    """The look at what sessions are for, when that is an exam; words when none of them is still to come."""
    named = EXAM.search(fold(goal.intent.text))
    is_of_course = goal.intent.objects.get("assignment", 0) >= 0.6
    source = _assignments(mind, goal) if named and is_of_course else None
    if named is None or source is None:
        return None
    made = [step for step in steps if step.name == source.name]
    if not made:
        asked = _filled(mind, goal, source)
        when = {param.name for param in source.params if param.role in (Role.START, Role.END)}
        # The days are those of the sessions; the exam may be later.
        asked = {name: value for name, value in asked.items() if name not in when}
        asked |= {
            param.name: "upcoming"
            for param in source.params
            if param.role is Role.CHOICE and "upcoming" in param.choices
        }
        return Preparation(calls=[Call(name=source.name, input=asked)])
    used = frozenset(step.id for step in made)
    if made[-1].is_error:
        return Preparation(failed=made[-1], used=used)
    things = [thing_of(item, source, mind.now) for item in made[-1].items]
    coming = [thing for thing in things if thing.start and thing.start > mind.now and _is_called(thing, named)]
    return None if coming else Preparation(says=mind.say(*phrases.NO_COMING), used=used)


def _is_called(thing: Thing, named: re.Match[str]) -> bool:
    title = fold(thing.title)
    return next((word in title for part, word in IN_TITLES.items() if named[part]), True)


def fewer_than_asked(mind: Mind, goal: Goal, done: Step) -> str:
    """That not all sessions that were asked for found a place; empty when they did."""
    planned, asked = len(done.input.get("starts") or ()), _asked_for(goal)
    is_fewer = goal.profile.specialty == "study_sessions" and asked is not None and planned < asked
    if not is_fewer or done.is_changed or done.is_error or "declined" in done.result:
        return ""
    return mind.say(*phrases.FEWER).format(n=planned, asked=asked)


def _asked_for(goal: Goal) -> int | None:
    found = HOW_MANY.search(fold(goal.intent.text))
    if found is None or found["n"] in ("some", "varias", "a", "an", "un", "una"):
        return None
    return min(MOST_SESSIONS, max(1, int(number(found["n"]))))


def _count(goal: Goal) -> int:
    return _asked_for(goal) or USUAL_SESSIONS


def _minutes(work: re.Match[str]) -> int:
    first, last = (_of_day(work[name]) for name in ("from", "to"))
    return max(5, last - first)


def _of_day(clock: str) -> int:
    hour, minute = int(clock.split(":")[0]), int(clock.split(":")[1][:2])
    return hour % 12 * 60 + minute + (720 if clock.endswith("PM") else 0)


def _takes(source: Profile, name: str) -> bool:
    return any(param.name == name for param in source.params)


WORDS_OF_DUE = frozenset(
    ("due", "date", "deadline", "homework", "calendar", "fecha", "entrega", "limite", "calendario")
)
RECIPES: Mapping[str, Recipe] = {
    "study_sessions": Recipe(source=_special("suggest_times"), asks=_good_times, takes=_at_times),
    "add_due_date": Recipe(source=_assignments, asks=_one_assignment, takes=_with_due_date),
    "tracker": Recipe(source=_of_courses, asks=_filled, takes=_with_entries),
    "notes_plan": Recipe(source=_special("study_plan"), asks=_filled, takes=_with_sessions),
}
"""By the speciality of the tool that writes."""
SLOT = Recipe(source=_free, asks=_filled, takes=_in_first_gap)
"""For an event in a part of a day: the first gap that is long enough."""
