"""Deadline conflicts: due times that fall into something in the calendar."""

import re
from datetime import datetime, timedelta

from sandbox.model.reply import Call, Reply, calls, words
from sandbox.model.rules.language.text import fold
from sandbox.model.rules.request_state import RequestState
from sandbox.model.rules.responses.answers import opening
from sandbox.model.rules.tools.schema import Role
from sandbox.model.rules.understanding.memory import Entity, entity_of
from sandbox.model.rules.understanding.tool_results import Item

AHEAD_DAYS = 13
CLASHES = r"(?:clash\w*|conflict\w*|overlap\w*|collid\w*|same\s+time|choca\w*|choque\w*|coincid\w*|solap\w*)"
DUE = r"(?:deadlines?|due\s+(?:dates?|times?)|assignments?|entregas?|plazos?|fechas\s+limite)"
ASKS = re.compile(rf"\b{DUE}\b.*\b{CLASHES}\b|\b{CLASHES}\b.*\b{DUE}\b")
IS_FREE = re.compile(r"marked as free")


def deadlines_in_events(state: RequestState) -> Reply | None:
    """The look at what is due and at the calendar, then what meets; None when something else is asked."""
    listing, calendar = state.listing(), state.listing("event", of_days=True)
    if not ASKS.search(fold(state.conversation.now.said)) or listing is None or calendar is None:
        return None
    if listing.objects.get("assignment", 0) < 0.9:
        return None
    steps = state.conversation.now.steps
    due = next((step for step in steps if step.name == listing.name), None)
    events = next((step for step in steps if step.name == calendar.name), None)
    if due is None or events is None:
        edges = {Role.START: state.now, Role.END: state.now + timedelta(days=AHEAD_DAYS)}
        given = {param.name: f"{edges[param.role]:%Y-%m-%d}" for param in calendar.params if param.role in edges}
        return calls(Call(name=listing.name, input={}), Call(name=calendar.name, input=given))
    if due.is_error or events.is_error:
        return None
    taken = [(item, entity_of(item, calendar, state.now)) for item in events.items if not IS_FREE.search(item.line)]
    met = [
        _line(state, item, event)
        for item in due.items
        if (moment := entity_of(item, listing, state.now).start)
        for event, entity in taken
        if _covers(entity, moment)
    ]
    said = "due_during" if met else "none_during"
    head = state.say(said).format(n=len(met), all=len(due.items))
    return words(opening(state) + "\n\n".join(filter(None, [head, "\n".join(met)])))


def _covers(entity: Entity, moment: datetime) -> bool:
    return bool(entity.start and entity.end and entity.start <= moment < entity.end)


def _line(state: RequestState, item: Item, event: Item) -> str:
    when = state.translated_line([*event.line.split(" — "), ""][1])
    return f"- {state.translated_line(item.line)} — {state.say('during', 'durante')} **{event.title}**, {when}"
