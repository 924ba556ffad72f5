"""Goals that become several once a list is read: events for all deadlines, citations of what a search finds."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from sandbox.model.reply import Call
from sandbox.model.rules.dialogue.references import by_words
from sandbox.model.rules.dialogue.rephrasing import IS_DONE
from sandbox.model.rules.language.lexicon import function_words
from sandbox.model.rules.language.patterns import pattern
from sandbox.model.rules.language.text import fold, stem, stems
from sandbox.model.rules.planning.goals import Goal
from sandbox.model.rules.planning.preparation import LINK
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import nothing_fits
from sandbox.model.rules.slots.slot_context import SlotContext
from sandbox.model.rules.slots.slot_filling import fill
from sandbox.model.rules.slots.time_slots import written
from sandbox.model.rules.slots.title_words import telling_stems
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Action, Role
from sandbox.model.rules.understanding.conversation import Step
from sandbox.model.rules.understanding.memory import Entity, entity_of
from sandbox.model.rules.understanding.tool_results import Item

MOST_AT_ONCE, MOST_CITED = 8, 3
LENGTH = timedelta(minutes=30)
ALL = pattern(
    "all|every|each|everything|these|those|them|todos|todas|cada|deadlines|assignments|exams|entregas|tareas|plazos"
    " | examenes | due dates"
)
FOR_IT = pattern(
    r"""
    (for|on|to (do|finish|work on|study)) (it|that|them|those|this|these)\b(?!\s+\w+day)
    para (ello|eso|esas?|esos|esto|hacerl[oa]s?|terminarl[oa]s?)
    """
)
FOR_WORK = pattern(
    "stud(y|ying) | sessions? | review | revise | work(ing)? on | time | block | estudi~ | sesion(es)? | repas~ "
    "| tiempo | trabajar"
)
"""Who sets time aside for homework does not mean the minute it is due."""
SEARCHED = re.compile(
    r"(?i)\b(?:search|look|find|busca\w*|encuentra\w*)\b(?>.{0,200}?\b(?:sources?|articles?|pages?|fuentes|art[ií]culos|web|internet)\b)"
    r"(?>.{0,200}?\b(?:on|about|for|sobre|de)\s+(?:good\s+)?(?!(?:good\s+)?sources?\b))(?P<topic>.{1,200}?)\s*(?:,|\band\b|\by\b)\s*"
    r"(?:then\s+)?(?:cite|c[ií]ta\w*|give|make|write|haz|dame)\b"
)


def source_tool(state: RequestState, goal: Goal) -> Profile | None:
    """The list from which a new event takes its time; None when the goal has its own or is about nothing listed."""
    lacks_time = any(param.role is Role.START for param in goal.missing)
    is_for_work = goal.profile.ability == "study_sessions" or FOR_WORK.search(fold(goal.intent.text))
    if is_for_work or goal.intent.when.minutes or goal.profile.action is not Action.CREATE or not lacks_time:
        return None
    return state.listing() if goal.intent.objects.get("assignment", 0) >= 0.6 else None


def read_source(state: RequestState, goal: Goal, tool: Profile) -> Call:
    """The call that reads the list."""
    asked = fill(tool, goal.intent, SlotContext(now=state.now)).arguments
    # "All my due dates" are those to come: what is over needs no place in the calendar.
    coming = {param.name: "upcoming" for param in tool.params if "upcoming" in param.choices}
    return Call(name=tool.name, input=asked | (coming if "all" in asked.values() else {}))


def events_from(state: RequestState, goal: Goal, tool: Profile, steps: Sequence[Step]) -> tuple[list[Goal], str]:
    """One goal for each listed thing that is meant and has a time, and that not all were taken, where that is so."""
    items = [item for step in steps for item in step.items]
    entities = [entity for item in items if (entity := entity_of(item, tool, state.now)).start is not None]
    coming = [
        entity for entity in entities if entity.start and entity.start > state.now and not IS_DONE.search(entity.line)
    ]
    meant = _meant(goal, items, coming or entities)
    left = state.say("first_of_many").format(n=MOST_AT_ONCE, all=len(meant)) if len(meant) > MOST_AT_ONCE else ""
    return [_event(goal, entity) for entity in meant[:MOST_AT_ONCE]], left


def is_for_it(goal: Goal) -> bool:
    """Whether a new event is for something that was only pointed at: "two hours for it", "una hora para eso"."""
    lacks_title = any(param.role is Role.TITLE for param in goal.missing)
    return goal.profile.action is Action.CREATE and lacks_title and bool(FOR_IT.search(fold(goal.intent.text)))


def name_after(state: RequestState, goal: Goal, tool: Profile, step: Step) -> str:
    """Call the event after the one thing that a look-up found; words to say where it found none or several."""
    if step.is_error or not step.items:
        return nothing_fits(state, tool, is_write=True)
    entities = [entity_of(item, tool, state.now) for item in step.items]
    chosen = by_words(goal.intent, entities, extra=goal.answered).entity if goal.answered else None
    if chosen is None and len(entities) > 1:
        return state.say("which_for")
    goal.give(Role.TITLE, state.say("work_on").format(title=(chosen or entities[0]).title))
    return ""


def search_first(state: RequestState, goal: Goal) -> tuple[Profile, Call] | None:
    """The search whose finds are to be cited; None for an entry of a page that is named."""
    web, asked = state.special("web_search"), SEARCHED.search(goal.intent.text)
    query = web.param(Role.QUERY) if web else None
    if goal.profile.known_for != "bibliography" or "url" in goal.arguments or web is None or query is None or not asked:
        return None
    return web, Call(name=web.name, input={query.name: asked["topic"].strip()})


def entries_of(goal: Goal, found: Step) -> Sequence[Goal]:
    """One goal for each of the first finds."""
    asked = SEARCHED.search(goal.intent.text)
    wanted = set(stems(asked["topic"])) - {stem(word) for word in function_words()} if asked else set()
    alike = [item for item in found.items if wanted & set(stems(item.title))]
    links = [link["url"] for item in alike or found.items if (link := LINK.search(item.line))]
    return [replace(goal, arguments={**goal.arguments, "url": url}, missing=[]) for url in links[:MOST_CITED]]


def _meant(goal: Goal, items: Sequence[Item], entities: list[Entity]) -> list[Entity]:
    named = by_words(goal.intent, entities, extra=goal.answered) if telling_stems(goal.intent) else None
    if named is not None and (named.entity is not None or named.others):
        return [named.entity] if named.entity else list(named.others)
    return entities if ALL.search(fold(goal.intent.text)) or len(entities) == 1 else []


def _event(goal: Goal, entity: Entity) -> Goal:
    due = entity.start
    assert due is not None
    times = {Role.START: due - LENGTH, Role.END: due}
    params = [param for param in goal.profile.params if not param.name.startswith("repeat")]
    arguments = {param.name: written(times[param.role], param.shape) for param in params if param.role in times}
    title = next((param for param in params if param.role is Role.TITLE), None)
    return Goal(
        profile=goal.profile, intent=goal.intent, arguments=({title.name: entity.title} if title else {}) | arguments
    )
