"""Preparation of writes that are filled from a look-up: due dates, trackers, events in free gaps."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sandbox.model.reply import Call
from sandbox.model.rules.dates.when import read_when
from sandbox.model.rules.dialogue.references import by_words
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold, word_set
from sandbox.model.rules.planning.goals import Goal, Preparation
from sandbox.model.rules.planning.sessions import CODE, prepare_sessions
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import list_of, nothing_fits
from sandbox.model.rules.slots.ability_slots import left_words
from sandbox.model.rules.slots.after_event import event_followed, followed
from sandbox.model.rules.slots.slot_context import SlotContext
from sandbox.model.rules.slots.slot_filling import fill
from sandbox.model.rules.slots.time_slots import written
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Action, Role
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.memory import Entity, entity_of

MOST_ENTRIES = 25
LINK = re.compile(r"\[open\]\((?P<url>[^)\s]+)\)")
DUE = re.compile(r"\bdue (?P<when>[^—]+)")
FROM_COURSES = pattern("due|assignments?|deadlines?|homework|courses?|classes|canvas|entregas?|tareas?|cursos?")
WHAT_IS_DUE = pattern(
    r"^ ((a list of|all|everything|una lista de|todas?|todo) )*(what('?s|s| is) due|(the |my )?(assignments?|deadlines?"
    r"|homework|due dates)|(that('?s| is) )?due|(las |mis )?(tareas|entregas)|lo que (tengo|hay) que entregar)"
)
WORDS_OF_DUE = word_set("due date deadline homework calendar fecha entrega limite calendario")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Recipe of a look-up: the tool, its arguments, and how its result fills the goal or says why not."""

    source: Callable[[RequestState, Goal], Profile | None]
    asks: Callable[[RequestState, Goal, Profile], dict[str, Any]]
    takes: Callable[[RequestState, Goal, Profile, Step], str]


def prepare(state: RequestState, goal: Goal, steps: Sequence[Step]) -> Preparation | None:
    """Preparation of a goal's own call; None when it needs nothing, or now has what it needs."""
    if goal.profile.ability == "study_sessions":
        return prepare_sessions(state, goal, steps)
    recipe = RECIPES.get(goal.profile.ability) or _recipe_of_event(goal) or _recipe_of_note(goal)
    source = recipe.source(state, goal) if recipe else None
    if recipe is None or source is None:
        return None
    made = [step for step in steps if step.name == source.name]
    if not made:
        return Preparation(calls=[Call(name=source.name, input=recipe.asks(state, goal, source))])
    used = frozenset(step.id for step in made)
    if made[-1].is_error:
        return Preparation(failed=made[-1], used=used)
    says = recipe.takes(state, goal, source, made[-1])
    goal.missing = [param for param in goal.missing if param.name not in goal.arguments]
    return Preparation(says=says, used=used)


def _filled(state: RequestState, goal: Goal, source: Profile) -> dict[str, Any]:
    return fill(source, goal.intent, SlotContext(now=state.now)).arguments


def _one_assignment(state: RequestState, goal: Goal, source: Profile) -> dict[str, Any]:
    words = [word for word in left_words(goal.intent).split() if fold(word) not in WORDS_OF_DUE]
    course, searched = source.param(Role.COURSE), source.param(Role.QUERY)
    given = {course.name: goal.intent.course[0]} if course and goal.intent.course else {}
    # What is due may be past due as well: "all" is where a title is looked for.
    given |= {param.name: "all" for param in source.params if "upcoming" in param.choices}
    return {**given, searched.name: words[0]} if searched and words else given


def _recipe_of_event(goal: Goal) -> Recipe | None:
    """For an event without an hour: after something else of that day, or in the first gap that is long enough."""
    when, profile = goal.intent.when, goal.profile
    lacks_start = any(param.role is Role.START for param in goal.missing)
    is_event = profile.action is Action.CREATE and profile.objects.get("event", 0) >= 0.9 and not profile.ability
    if not (is_event and lacks_start) or when.has_time:
        return None
    if followed(goal.intent.text):
        return AFTER
    return SLOT if when.minutes and when.has_day and when.end is not None else None


def _recipe_of_note(goal: Goal) -> Recipe | None:
    """For a new note "with what's due this week": what is to stand in it is looked up."""
    content = goal.profile.param(Role.CONTENT)
    is_note = goal.profile.action is Action.CREATE and goal.profile.objects.get("note", 0) >= 0.9
    said = str(goal.arguments.get(content.name, "")) if content else ""
    is_asked = is_note and not goal.profile.ability and ":" not in goal.intent.text
    return DUE_NOTE if is_asked and WHAT_IS_DUE.search(fold(said)) else None


def _with_what_is_due(state: RequestState, goal: Goal, source: Profile, step: Step) -> str:
    content = goal.profile.param(Role.CONTENT)
    if not step.items or content is None:
        return nothing_fits(state, source, is_write=True)
    goal.arguments[content.name] = list_of(state, step.items[:MOST_ENTRIES])
    return ""


def _starting(goal: Goal, moment: Any) -> str:
    param = next(param for param in goal.missing if param.role is Role.START)
    goal.arguments[param.name] = written(moment, param.shape)
    return ""


def _in_first_gap(state: RequestState, goal: Goal, source: Profile, step: Step) -> str:
    start = next((entity.start for item in step.items if (entity := entity_of(item, source, state.now)).start), None)
    return _starting(goal, start) if start else state.say("no_room")


def _of_that_day(state: RequestState, goal: Goal, source: Profile) -> dict[str, Any]:
    day = goal.intent.when.start or state.now
    edges = {Role.START: day.replace(hour=0, minute=0), Role.END: day.replace(hour=23, minute=59)}
    return {param.name: written(edges[param.role], param.shape) for param in source.params if param.role in edges}


def _after_it(state: RequestState, goal: Goal, source: Profile, step: Step) -> str:
    found = event_followed(goal.intent.text, [entity_of(item, source, state.now) for item in step.items])
    return _starting(goal, found.end) if found and found.end else state.say("ask.hour")


def _with_due_date(state: RequestState, goal: Goal, source: Profile, step: Step) -> str:
    entities = [entity for item in step.items if (entity := entity_of(item, source, state.now)).start]
    # Of several drafts and essays those that are over are not meant.
    entities = [entity for entity in entities if entity.start and entity.start > state.now] or entities
    choice = by_words(goal.intent, entities, extra=goal.answered)
    entity = choice.entity or (entities[0] if len(entities) == 1 else None)
    if entity is not None:
        goal.arguments.update(_fields(state, entity.line, entity, "assignment"))
        return ""
    several = [item for item in step.items if item.title in {other.title for other in choice.others}]
    if not several:
        return nothing_fits(state, source, is_write=True)
    return f"{list_of(state, several[:6])}\n\n{state.say('several')}"


def _with_entries(state: RequestState, goal: Goal, source: Profile, step: Step) -> str:
    entries = [_fields(state, item.line, entity_of(item, source, state.now), "name") for item in step.items]
    goal.arguments["items"] = entries[:MOST_ENTRIES]
    return ""


def _fields(state: RequestState, line: str, entity: Entity, name: str) -> dict[str, Any]:
    found, rest = {name: entity.title}, line.replace(entity.title, "")
    if course := CODE.search(rest):
        found["course"] = course.group()
    due = DUE.search(rest)
    when = read_when(due["when"], state.now)[0] if due else None
    if when is not None and when.start is not None:
        found["due"] = f"{when.start:%Y-%m-%dT%H:%M}"
    if link := LINK.search(line):
        found["link"] = link["url"]
    return found


RECIPES: Mapping[str, Recipe] = {
    "add_due_date": Recipe(source=lambda state, goal: state.listing(), asks=_one_assignment, takes=_with_due_date),
    "tracker": Recipe(
        source=lambda state, goal: (
            state.listing() if FROM_COURSES.search(fold(goal.intent.text)) or goal.intent.course else None
        ),
        asks=_filled,
        takes=_with_entries,
    ),
}
"""By the ability of the tool that writes."""
SLOT = Recipe(source=lambda state, goal: state.listing("free", of_days=True), asks=_filled, takes=_in_first_gap)
DUE_NOTE = Recipe(source=lambda state, goal: state.listing(), asks=_filled, takes=_with_what_is_due)
AFTER = Recipe(source=lambda state, goal: state.listing("event", of_days=True), asks=_of_that_day, takes=_after_it)
