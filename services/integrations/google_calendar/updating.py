"""The tool that changes an event, its approval card and its undo."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments
from services.integrations.google_calendar.access import (
    ID,
    calendar_of,
    find_present_event,
    place_rows,
    refuse_if_unlike_the_card,
    sources,
)
from services.integrations.google_calendar.creating import (
    APPROVAL_GRACE,
    DEFAULT_MINUTES,
    Location,
    Notes,
    Reminder,
    Title,
    day_edges,
    refuse_past_start,
    time_edges,
)
from services.integrations.google_calendar.events import Event, Json, has, read_event, reminders_at, split_id
from services.integrations.google_calendar.problems import changed
from services.integrations.google_calendar.reading import as_data, line
from services.integrations.calendar.times import after, parse_day, parse_moment
from services.integrations.wording import elapsed
from services.tools.base import Effect, PreviewRow, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

TEXT_FIELDS = {"title": "summary", "location": "location", "description": "description"}


def preview_update(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """The event as it is, with every field that would change shown before and after."""
    given = calendar_update_event.validate(arguments)
    event = find_present_event(calendar_of(context), given["event_id"], context)
    changes = _changes(event, given, context)
    if not changes:
        raise BadArguments("The event already is like that; nothing would change.")
    _refuse_the_past(event, changes, context, grace=timedelta(0))
    return _rows(event, changes)


def undo_update(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Put the changed fields back as they were, unless the event was changed since."""
    calendar = calendar_of(context)
    event = find_present_event(calendar, undo["event_id"], context)
    if not has(dict(event.json), undo["before"]):
        if event.etag != undo["etag"]:
            raise changed()
        calendar.patch(*split_id(event.id), undo["before"], etag=event.etag)
    return ToolResult(output=f"“{_merged(event, undo['before']).title}” is as it was before.")


@tool(
    label="Changing your calendar",
    title="Change an event in your calendar",
    category="calendar",
    contexts=("calendar", "schedule", "study"),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_update,
    undo=undo_update,
    timeout_s=30.0,
)
def calendar_update_event(
    context: ToolExecutionContext,
    *,
    event_id: Annotated[
        str, Field(min_length=1, max_length=1200, description="The id that calendar_list_events gave.")
    ],
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
) -> ToolResult:
    """Change one event of the student's Google calendars. The student sees before and after, and approves it first.

    Give the event's id and only the fields that change. List the events first to find the id. Of a recurring event
    only the one occurrence changes. It cannot change guests or how an event repeats.
    """
    given = {
        "title": title,
        "start": start,
        "end": end,
        "duration_minutes": duration_minutes,
        "all_day": all_day,
        "location": location,
        "description": description,
        "reminders_minutes": reminders_minutes,
    }
    calendar = calendar_of(context)
    event = find_present_event(calendar, event_id, context)
    changes = _changes(event, given, context)
    if not changes:
        return _changed(
            event, f"“{event.title}” is like that in your calendar now: {event.when} (Google Calendar).\n{line(event)}"
        )
    refuse_if_unlike_the_card(context, _rows(event, changes))
    _refuse_the_past(event, changes, context, grace=APPROVAL_GRACE)
    json = calendar.patch(*split_id(event.id), changes, etag=event.etag)
    new = _read(json, event)
    return _changed(
        new,
        f"Changed “{new.title}” in your calendar: {new.when} (Google Calendar).\n{line(new)}",
        undo={"event_id": event.id, "etag": new.etag, "before": _before(event, changes)},
    )


def _changed(event: Event, output: str, *, undo: Mapping[str, Any] | None = None) -> ToolResult:
    return ToolResult(output=output, data={"event": as_data(event)}, sources=sources(event), undo=undo)


def _changes(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Json:
    """The fields that would really change, as Google takes them in a patch; raises `BadArguments`."""
    wanted: Json = {field: given[name] for name, field in TEXT_FIELDS.items() if given[name] is not None}
    if given["reminders_minutes"] is not None:
        wanted["reminders"] = reminders_at(given["reminders_minutes"])
    if any(given[name] is not None for name in ("start", "end", "duration_minutes", "all_day")):
        wanted |= _new_edges(event, given, context)
    if not wanted:
        raise BadArguments("Say what should change: give at least one field besides event_id.")
    return {field: value for field, value in wanted.items() if not has(dict(event.json), {field: value})}


def _new_edges(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Json:
    if given["end"] and given["duration_minutes"]:
        raise BadArguments("Give end or duration_minutes, not both.", field="duration_minutes")
    is_all_day = event.is_all_day if given["all_day"] is None else given["all_day"]
    edges = _new_days(event, given, context) if is_all_day else _new_times(event, given, context)
    # A patch merges, so what an edge must not keep is named as null: https://developers.google.com/workspace/calendar/api/guides/performance#patch-semantics
    blank = dict.fromkeys(("date", "dateTime", "timeZone")) if is_all_day != event.is_all_day else {}
    return {name: {**blank, **edge} for name, edge in edges.items()}


def _new_days(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Json:
    if given["duration_minutes"]:
        raise BadArguments("A whole-day event has no duration_minutes; give the last day as end.", field="end")
    first: date = parse_day(given["start"], "start") if given["start"] else event.start.date()
    length = event.end.date() - event.start.date() - timedelta(days=1) if event.is_all_day else timedelta(0)
    return day_edges(first, parse_day(given["end"], "end") if given["end"] else first + length, context)


def _new_times(event: Event, given: Mapping[str, Any], context: ToolExecutionContext) -> Json:
    if event.is_all_day and not given["start"]:
        raise BadArguments("Give start with a time of day, like 2026-11-27T15:00.", field="start")
    starts = parse_moment(given["start"], context.timezone, "start") if given["start"] else event.start
    if given["end"]:
        return time_edges(starts, parse_moment(given["end"], context.timezone, "end"), context)
    return time_edges(starts, after(starts, given["duration_minutes"] or _minutes(event)), context)


def _minutes(event: Event) -> int:
    return DEFAULT_MINUTES if event.is_all_day else int(elapsed(event.start, event.end).total_seconds() // 60)


def _rows(event: Event, changes: Json) -> tuple[PreviewRow, ...]:
    """Title and time always, so that the student knows which event it is; the rest where it changes."""
    new = _merged(event, changes)
    texts = (
        ("Title", event.title, new.title),
        ("When", event.when, new.when),
        ("Location", str(event.json.get("location", "")), str(new.json.get("location", ""))),
        ("Notes", event.description, new.description),
        ("Reminders", event.reminders, new.reminders),
    )
    shown = [_row(*text) for text in texts if text[0] in ("Title", "When") or text[1] != text[2]]
    return (*shown, PreviewRow(label="Time zone", value=event.zone.key), *place_rows(event))


def _row(label: str, old: str, new: str) -> PreviewRow:
    return PreviewRow(label=label, value=new or "(none)", before=None if old == new else old or "(none)")


def _before(event: Event, changes: Json) -> Json:
    """What to patch to have the changed fields as they are in `event`."""
    old: Json = {}
    for field in changes:
        if field in ("start", "end"):
            old[field] = {**dict.fromkeys(("date", "dateTime", "timeZone")), **event.json[field]}
        elif field == "reminders":
            old[field] = {"useDefault": False, "overrides": None, **event.json.get("reminders", {"useDefault": True})}
        else:
            old[field] = event.json.get(field, "")
    return old


def _refuse_the_past(event: Event, changes: Json, context: ToolExecutionContext, *, grace: timedelta) -> None:
    if "start" in changes and not context.is_repeat:
        refuse_past_start(_merged(event, changes), context, grace=grace)


def _merged(event: Event, changes: Json) -> Event:
    return _read({**event.json, **changes}, event)


def _read(json: Json, like: Event) -> Event:
    calendar_id, _ = split_id(like.id)
    return read_event(json, calendar_id=calendar_id, calendar=like.calendar, zone=like.zone)
