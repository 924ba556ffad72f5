"""The tool that changes an event, or a recurring one from some day on or as a whole; its card and its undo."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound, PermissionMissing
from services.integrations.calendar.event import Event, as_data, line, reminders_in_words, sources
from services.integrations.calendar.provider import WRITE, Changes, Done, Scope, WritableCalendars
from services.integrations.calendar.reading import CONTEXTS
from services.integrations.calendar.routing import holder, kept, place_rows, writing
from services.integrations.calendar.times import after, parse_day, parse_moment
from services.integrations.calendar.writing import (
    APPROVAL_GRACE,
    DEFAULT_MINUTES,
    Edges,
    EventId,
    Location,
    Notes,
    Reminder,
    Title,
    conflict_rows,
    day_edges,
    refuse_past,
    refuse_strange_links,
    take_back,
    time_edges,
    undo_of,
)
from services.integrations.card import is_unlike_the_card
from services.integrations.wording import elapsed
from services.tools.base import Effect, Example, PreviewRow, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

_SCOPES = {Scope.FOLLOWING: "this and all following ones", Scope.ALL: "all of them"}
EDGES = ("start", "end", "duration_minutes", "all_day")

WhichOnes = Annotated[
    Scope,
    Field(
        description="Of a recurring event: this one occurrence, this and all following ones, or all. Ask the student "
        "when it is not clear; give the id of the occurrence they mean."
    ),
]


def preview_update(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """The event as it is, with every field that would change shown before and after."""
    given = calendar_update_event.validate(arguments)
    refuse_strange_links(context, given["location"], given["description"])

    def look(_: ToolExecutionContext, provider: WritableCalendars) -> tuple[Event, Event]:
        event = present(provider, given["event_id"], context)
        changes = _changes(event, given, context)
        new = provider.changed(event, changes)
        if new == event:
            raise BadArguments("The event already is like that; nothing would change.")
        _refuse_the_past(event, new, context, grace=timedelta(0))
        provider.changing(event, changes, scope_of(event, given["applies_to"]), key="preview")
        return event, new

    event, new = writing(context, holder(context, given["event_id"]), look)
    moved = [(new.start, new.end)] if (new.start, new.end) != (event.start, event.end) else []
    clashes = conflict_rows(context, [] if new.is_all_day else moved, but=(event.id, event.series))
    return (*_rows(event, new, given["applies_to"]), *clashes)


def undo_update(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Put the changed fields back as they were, unless the event was changed since."""
    return take_back(context, undo, "{titles} is as it was before.")


@tool(
    label="Changing your calendar",
    title="Change an event in your calendar",
    category="calendar",
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    capabilities=(WRITE,),
    preview=preview_update,
    undo=undo_update,
    timeout_s=30.0,
    examples=(
        Example(
            description="Move my dentist appointment to Monday at 4.",
            arguments={"event_id": "google_calendar/abc123", "start": "2026-11-30T16:00"},
        ),
        Example(
            description="From next week on, robotics club starts at 7.",
            arguments={
                "event_id": "google_calendar/abc123_20261203T003000Z",
                "start": "2026-12-02T19:00",
                "applies_to": "following",
            },
        ),
    ),
)
def calendar_update_event(
    context: ToolExecutionContext,
    *,
    event_id: EventId,
    title: Annotated[Title | None, Field(description="A new title.")] = None,
    start: Annotated[
        str | None,
        Field(
            description="A new start, in the student's own time zone, like 2026-11-27T15:00 (2026-11-27 for a "
            "whole-day event). With start alone the event moves and keeps its length."
        ),
    ] = None,
    end: Annotated[
        str | None, Field(description="A new end, like 2026-11-27T16:30; for a whole-day event its last day, included.")
    ] = None,
    duration_minutes: Annotated[
        int | None, Field(ge=1, le=20160, description="A new length instead of a new end, like 90.")
    ] = None,
    all_day: Annotated[
        bool | None, Field(description="True makes it a whole-day event, false one with times (give start then).")
    ] = None,
    location: Annotated[Location | None, Field(description='A new place; "" takes it away.')] = None,
    description: Annotated[
        Notes | None, Field(description='New notes, instead of the old ones; "" takes them away.')
    ] = None,
    reminders_minutes: Annotated[
        tuple[Reminder, ...] | None, Field(max_length=5, description="New reminders, like [1440, 60]; [] for none.")
    ] = None,
    applies_to: WhichOnes = Scope.THIS,
) -> ToolResult:
    """Change an event in the student's calendars. The student sees before and after, and approves it first.

    Give the event's id and only the fields that change. List the events first to find the id. Of a recurring event
    say with applies_to whether this one, this and the following, or all change. It cannot change guests, or on which
    days something repeats.
    """
    given = {
        "event_id": event_id,
        "title": title,
        "start": start,
        "end": end,
        "duration_minutes": duration_minutes,
        "all_day": all_day,
        "location": location,
        "description": description,
        "reminders_minutes": reminders_minutes,
        "applies_to": applies_to,
    }
    integration = holder(context, event_id)

    def act(current: ToolExecutionContext, provider: WritableCalendars) -> Done:
        plan = kept(current, lambda key: _plan(current, provider, given, key))
        return provider.carry_out(plan, current.timezone)

    done = writing(context, integration, act)
    event = done.events[0]
    label = context.container.integrations[integration].label
    verb = (
        f"Changed “{event.title}” in your calendar" if done.undo else f"“{event.title}” is like that in your calendar"
    )
    now = f" ({_SCOPES[applies_to]})" if applies_to is not Scope.THIS else ""
    return ToolResult(
        output=f"{verb}{now}: {event.when} ({label}).\n{line(event)}",
        data={"event": as_data(event)},
        sources=sources(event),
        undo=undo_of(integration, done.undo, event.title),
    )


def present(provider: WritableCalendars, event_id: str, context: ToolExecutionContext) -> Event:
    """The event behind an id; raises `ItemNotFound` for a deleted one too."""
    event = provider.event(event_id, context.timezone)
    if event.is_deleted:
        raise ItemNotFound(provider.label, f"That event has been deleted in {provider.label}.")
    if not event.can_change:
        raise PermissionMissing(
            provider.label,
            f"The calendar “{event.calendar}” may only be looked at.",
            next_step="Ask its owner to change it, or choose an event of your own.",
        )
    return event


def _plan(
    context: ToolExecutionContext, provider: WritableCalendars, given: Mapping[str, Any], key: str
) -> Mapping[str, Any]:
    """What to do, read from the event as it is now; raises `ChangedElsewhere` for another one than the card's (R32)."""
    event = present(provider, given["event_id"], context)
    changes = _changes(event, given, context)
    new = provider.changed(event, changes)
    if new != event:
        if is_unlike_the_card(context, _rows(event, new, given["applies_to"])):
            raise changed_meanwhile(provider.label)
        _refuse_the_past(event, new, context, grace=APPROVAL_GRACE)
    return provider.changing(event, changes, scope_of(event, given["applies_to"]), key=key)


def changed_meanwhile(label: str) -> ChangedElsewhere:
    return ChangedElsewhere(label, f"This event was changed in {label} meanwhile, so Homeroom left it alone.")


def scope_of(event: Event, wanted: Scope) -> Scope:
    """What a change applies to; an event that does not repeat is always only itself."""
    if event.is_series:
        return Scope.ALL
    return wanted if event.series else Scope.THIS


def scope_rows(event: Event, wanted: Scope) -> tuple[PreviewRow, ...]:
    """A line of the card that says how far a change of a recurring event goes."""
    scope = scope_of(event, wanted)
    if scope is Scope.THIS and not event.series:
        return ()
    words = {Scope.THIS: "only this one of the series", **_SCOPES}[scope]
    repeats = f" (it repeats {event.repeats})" if event.repeats else ""
    return (PreviewRow(label="Applies to", value=words + repeats),)


def _changes(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Changes:
    """What the arguments ask to be different; raises `BadArguments`."""
    texts = {name: given[name] for name in ("title", "location", "description")}
    reminders = given["reminders_minutes"]
    moves = any(given[name] is not None for name in EDGES)
    if not moves and reminders is None and all(text is None for text in texts.values()):
        raise BadArguments("Say what should change: give at least one field besides event_id.")
    start, end = _new_edges(event, given, context) if moves else (None, None)
    return Changes(**texts, reminders=None if reminders is None else tuple(reminders), start=start, end=end)


def _new_edges(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Edges:
    if given["end"] and given["duration_minutes"]:
        raise BadArguments("Give end or duration_minutes, not both.", field="duration_minutes")
    is_all_day = event.is_all_day if given["all_day"] is None else given["all_day"]
    return _new_days(event, given) if is_all_day else _new_times(event, given, context)


def _new_days(event: Event, given: Mapping[str, Any]) -> Edges:
    if given["duration_minutes"]:
        raise BadArguments("A whole-day event has no duration_minutes; give the last day as end.", field="end")
    first: date = parse_day(given["start"], "start") if given["start"] else event.start.date()
    length = event.end.date() - event.start.date() - timedelta(days=1) if event.is_all_day else timedelta(0)
    return day_edges(first, parse_day(given["end"], "end") if given["end"] else first + length)


def _new_times(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Edges:
    if event.is_all_day and not given["start"]:
        raise BadArguments("Give start with a time of day, like 2026-11-27T15:00.", field="start")
    starts = parse_moment(given["start"], context.timezone, "start") if given["start"] else event.start
    if given["end"]:
        return time_edges(starts, parse_moment(given["end"], context.timezone, "end"))
    return time_edges(starts, after(starts, given["duration_minutes"] or _minutes(event)))


def _minutes(event: Event) -> int:
    return DEFAULT_MINUTES if event.is_all_day else int(elapsed(event.start, event.end).total_seconds() // 60)


def _rows(event: Event, new: Event, wanted: Scope) -> tuple[PreviewRow, ...]:
    """Title and time always, so that the student knows which event it is; the rest where it changes."""
    texts = (
        ("Title", event.title, new.title),
        ("When", event.when, new.when),
        ("Location", event.location, new.location),
        ("Notes", event.description, new.description),
        ("Reminders", reminders_in_words(event.reminders), reminders_in_words(new.reminders)),
    )
    shown = [_row(*text) for text in texts if text[0] in ("Title", "When") or text[1] != text[2]]
    zone = PreviewRow(label="Time zone", value=event.zone.key)
    return (*shown, *scope_rows(event, wanted), zone, *place_rows(event))


def _row(label: str, old: str, new: str) -> PreviewRow:
    return PreviewRow(label=label, value=new or "(none)", before=None if old == new else old or "(none)")


def _refuse_the_past(event: Event, new: Event, context: ToolExecutionContext, *, grace: timedelta) -> None:
    if new.start != event.start:
        refuse_past(new, context, grace=grace)
