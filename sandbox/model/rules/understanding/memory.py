"""Conversation memory: the thing just created or named, the last look-up, the last course."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sandbox.model.rules.dates.when import read_when
from sandbox.model.rules.tools.profile import Profile
from sandbox.model.rules.tools.schema import Action, Role
from sandbox.model.rules.understanding.conversation import Conversation, Step, Turn
from sandbox.model.rules.understanding.tool_results import Item, ids_in

NOT_DONE = re.compile(r"\bdeclined\b|\bnothing was changed\b|\bstill waits?\b|\bnot decided\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Entity:
    """Entity with a title and ids that "it" may mean; start and end are known when the conversation shows them."""

    title: str
    ids: Mapping[str, str]
    objects: Mapping[str, float] = field(default_factory=dict)
    line: str = ""
    start: datetime | None = None
    end: datetime | None = None

    @property
    def length(self) -> timedelta | None:
        """Length from start to end."""
        return self.end - self.start if self.start and self.end else None


def entity_of(item: Item, profile: Profile | None, now: datetime) -> Entity:
    """An item of a list as a thing; its times are read from its line."""
    when, _ = read_when(item.line.replace(item.title, " ", 1), now)
    if not when.has_day:
        when, _ = read_when(item.line, now)
    return Entity(
        title=item.title,
        ids=item.ids,
        objects=profile.objects if profile else {},
        line=item.line,
        start=when.start if when.has_time else None,
        end=when.end if when.has_time else None,
    )


def latest_entity(
    conversation: Conversation, tools: Mapping[str, Profile], now: datetime, objects: Mapping[str, float]
) -> Entity | None:
    """The thing that the talk was last about; `objects`, when not empty, says of what kind it must be."""
    for step, profile in _steps(conversation.before, tools):
        if objects and profile and not any(profile.objects.get(name, 0) > 0.3 for name in objects):
            continue
        entity = (
            _written(step, profile, now) if profile and profile.action.is_write else _singled_out(step, profile, now)
        )
        if entity is not None:
            return _with_length(entity, listed_entities(conversation.before, tools, now))
    return None


def _with_length(entity: Entity, known: Sequence[Entity]) -> Entity:
    # What was moved is told with its new start alone; it lasts as long as it did before.
    if entity.start is None or entity.end is not None:
        return entity
    ids = set(entity.ids.values())
    length = next((other.length for other in known if other.length and ids & set(other.ids.values())), None)
    return replace(entity, end=entity.start + length) if length else entity


def listed_entities(turns: Sequence[Turn], tools: Mapping[str, Profile], now: datetime) -> list[Entity]:
    """Entities with an id that results have listed, the newest result first."""
    return [entity_of(item, profile, now) for step, profile in _steps(turns, tools) for item in step.items if item.ids]


def last_list(conversation: Conversation, tools: Mapping[str, Profile], now: datetime) -> list[Entity]:
    """The items of the most recent result that listed any, in its order; for "the second one"."""
    for step, profile in _steps(conversation.before, tools):
        if step.items:
            return [entity_of(item, profile, now) for item in step.items]
    return []


def last_read(conversation: Conversation, tools: Mapping[str, Profile]) -> tuple[Profile, Step] | None:
    """The last look-up and the tool it used."""
    for step, profile in _steps(conversation.before, tools):
        if profile is not None and not profile.action.is_write:
            return profile, step
    return None


def last_course(conversation: Conversation, tools: Mapping[str, Profile]) -> str | None:
    """The course that a call was last made for."""
    for step, profile in _steps(conversation.turns, tools):
        param = profile.param(Role.COURSE) if profile else None
        if param is not None and step.input.get(param.name):
            return str(step.input[param.name])
    return None


def last_work(conversation: Conversation, tools: Mapping[str, Profile]) -> str:
    """The item that a grade was last worked out for; empty when none was."""
    for step, profile in _steps(conversation.before, tools):
        if profile is not None and profile.known_for == "forecast":
            scores = step.input.get("scores")
            return str(step.input.get("item") or (next(iter(scores), "") if isinstance(scores, dict) else ""))
    return ""


def known_courses(conversation: Conversation, tools: Mapping[str, Profile]) -> list[str]:
    """Names of courses that a list of courses has shown: one that is of a course lists other things."""
    return [
        item.title
        for step, profile in _steps(conversation.turns, tools)
        if profile is not None and profile.objects.get("course", 0) >= 1 and profile.param(Role.COURSE) is None
        for item in step.items
    ]


def _steps(turns: Sequence[Turn], tools: Mapping[str, Profile]) -> Iterator[tuple[Step, Profile | None]]:
    for turn in reversed(turns):
        for step in reversed(turn.steps):
            if not step.is_error:
                yield step, tools.get(step.name)


def _written(step: Step, profile: Profile, now: datetime) -> Entity | None:
    if profile.action.value == "delete" or NOT_DONE.search(step.result):
        return None
    if step.items:
        return entity_of(step.items[0], profile, now)
    ids = ids_in(step.result) or {
        param.name: str(step.input[param.name]) for param in profile.required_ids if param.name in step.input
    }
    title = _given(step.input, profile, Role.TITLE)
    return (
        Entity(title=title, ids=ids, objects=profile.objects, start=_time(step.input, profile, Role.START, now))
        if ids
        else None
    )


def _singled_out(step: Step, profile: Profile | None, now: datetime) -> Entity | None:
    with_ids = [item for item in step.items if item.ids]
    is_search = profile is not None and profile.action is Action.SEARCH
    if len(with_ids) == 1 or (with_ids and is_search):
        # Of what a search found the first is the best.
        return entity_of(with_ids[0], profile, now)
    if profile is not None and not step.items:
        ids = {
            param.entity or "id": str(step.input[param.name])
            for param in profile.required_ids
            if param.name in step.input
        }
        if ids:
            return Entity(title="", ids={**ids, "id": next(iter(ids.values()))}, objects=profile.objects)
    return None


def _given(given: Mapping[str, Any], profile: Profile, role: Role) -> str:
    param = profile.param(role)
    return str(given.get(param.name, "")) if param else ""


def _time(given: Mapping[str, Any], profile: Profile, role: Role, now: datetime) -> datetime | None:
    try:
        read = datetime.fromisoformat(_given(given, profile, role))
    except ValueError:
        return None
    return read.astimezone(now.tzinfo) if read.tzinfo else read.replace(tzinfo=now.tzinfo)
