"""The tool that adds an event, its approval card and its undo."""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound
from services.integrations.card import is_unlike_the_card
from services.integrations.google_calendar.access import ID, calendar_of, sources
from services.integrations.google_calendar.events import (
    PRIMARY,
    Event,
    Json,
    edges,
    has,
    read_event,
    reminders_at,
)
from services.integrations.google_calendar.problems import LABEL, changed
from services.integrations.google_calendar.reading import as_data, line
from services.integrations.calendar.times import after, parse_day, parse_moment
from services.integrations.wording import day, moment
from services.tools.base import Effect, PreviewRow, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

DEFAULT_MINUTES = 60
# An approved card may be acted on a little after the start it shows; a new one may not be made then.
APPROVAL_GRACE = timedelta(hours=1)

Reminder = Annotated[int, Field(ge=0, le=40320)]
Title = Annotated[
    str, Field(min_length=1, max_length=300, description='What the event is called, like "Study for Biology".')
]
Location = Annotated[str, Field(max_length=500, description='Where it takes place, like "Main Library, room 204".')]
Notes = Annotated[str, Field(max_length=4000, description="Notes of the event, as plain text.")]


def preview_creation(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Every field that would be written."""
    body = _body(context, **calendar_create_event.validate(arguments))
    _refuse_the_past(body, context, grace=timedelta(0))
    event = _as_event({"id": "new", **body}, context)
    rows = (
        PreviewRow(label="Title", value=body["summary"]),
        PreviewRow(label="When", value=event.when),
        _zone_row(context),
        PreviewRow(label="Calendar", value="your main calendar"),
        PreviewRow(label="Location", value=body.get("location", "")),
        PreviewRow(label="Notes", value=body.get("description", "")),
        PreviewRow(label="Reminders", value=event.reminders),
    )
    return tuple(row for row in rows if row.value)


def undo_creation(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Delete the event, unless it was changed since."""
    calendar = calendar_of(context)
    try:
        json = calendar.event(PRIMARY, undo["event_id"])
    except ItemNotFound:
        json = {"status": "cancelled"}
    if json.get("status") == "cancelled":
        return ToolResult(output="The event is not in your calendar any more.")
    if json["etag"] != undo["etag"]:
        raise changed()
    calendar.delete(PRIMARY, undo["event_id"], etag=undo["etag"])
    return ToolResult(output=f"Took “{_as_event(json, context).title}” out of your calendar again.")


@tool(
    label="Adding to your calendar",
    title="Add to your calendar",
    category="calendar",
    contexts=("calendar", "schedule", "study"),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_creation,
    undo=undo_creation,
    timeout_s=30.0,
)
def calendar_create_event(
    context: ToolExecutionContext,
    *,
    title: Title,
    start: Annotated[
        str,
        Field(
            description="When it starts, in the student's own time zone, like 2026-11-27T15:00; only the day, "
            "like 2026-11-27, when all_day is true. Must not be in the past."
        ),
    ],
    end: Annotated[
        str | None,
        Field(
            description="When it ends, like 2026-11-27T16:30; when all_day is true the last day, included. "
            "Give end or duration_minutes, not both."
        ),
    ] = None,
    duration_minutes: Annotated[
        int | None,
        Field(ge=1, le=20160, description="How long it lasts, like 90. 60 when neither this nor end is given."),
    ] = None,
    all_day: Annotated[bool, Field(description="True for an event without times of day.")] = False,
    location: Location = "",
    description: Notes = "",
    reminders_minutes: Annotated[
        tuple[Reminder, ...],
        Field(
            max_length=5, description="Minutes before the start, like [1440, 60] for one day and one hour. [] for none."
        ),
    ] = (1440, 60),
) -> ToolResult:
    """Add one event to the student's main Google calendar. The student sees it and approves it first.

    Use it when the student asks to put something into their calendar, or agrees to a time you proposed. Propose a
    free time (calendar_find_free_time) when they leave the time to you. It cannot invite guests or repeat an event.
    """
    body = _body(
        context,
        title=title,
        start=start,
        end=end,
        duration_minutes=duration_minutes,
        all_day=all_day,
        location=location,
        description=description,
        reminders_minutes=reminders_minutes,
    )
    if is_unlike_the_card(context, (_zone_row(context),)):
        raise ChangedElsewhere(LABEL, "Your time zone was changed since this was proposed, so nothing was added.")
    if not context.is_repeat:
        _refuse_the_past(body, context, grace=APPROVAL_GRACE)
    json, is_new = calendar_of(context).insert(PRIMARY, {"id": event_id_for(context.operation_id), **body})
    is_untouched = is_new or has(json, {"location": "", "description": "", **body})
    return _added(_as_event(json, context), is_untouched=is_untouched)


def event_id_for(operation_id: str | None) -> str:
    """The same Google event id for every try of one operation: digits and a–v, unique to the operation.

    https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
    """
    digest = hashlib.sha256((operation_id or secrets.token_hex(16)).encode()).digest()
    return base64.b32hexencode(digest).decode().rstrip("=").lower()


def _added(event: Event, *, is_untouched: bool) -> ToolResult:
    if event.is_deleted:
        raise ChangedElsewhere(LABEL, "The event was added, and has been deleted in Google Calendar since.")
    if not is_untouched:
        return ToolResult(
            output=f"“{event.title}” is in your calendar and was changed since (Google Calendar).\n{line(event)}",
            data={"event": as_data(event)},
            sources=sources(event),
        )
    return ToolResult(
        output=f"Added “{event.title}” to your calendar: {event.when} (Google Calendar).\n{line(event)}",
        data={"event": as_data(event)},
        sources=sources(event),
        undo={"event_id": event.id, "etag": event.etag},
    )


def _body(context: ToolExecutionContext, **given: Any) -> Json:
    """The event as Google takes it; raises `BadArguments`."""
    body = {"summary": given["title"], **_edges(context, given), "reminders": reminders_at(given["reminders_minutes"])}
    texts = {"location": given["location"], "description": given["description"]}
    return body | {name: text for name, text in texts.items() if text}


def _edges(context: ToolExecutionContext, given: Mapping[str, Any]) -> Json:
    start, end, minutes = given["start"], given["end"], given["duration_minutes"]
    if end and minutes:
        raise BadArguments("Give end or duration_minutes, not both.", field="duration_minutes")
    if given["all_day"]:
        if minutes:
            raise BadArguments("A whole-day event has no duration_minutes; give the last day as end.", field="end")
        first = parse_day(start, "start")
        return day_edges(first, parse_day(end, "end") if end else first, context)
    begins = parse_moment(start, context.timezone, "start")
    ends = parse_moment(end, context.timezone, "end") if end else after(begins, minutes or DEFAULT_MINUTES)
    return time_edges(begins, ends, context)


def day_edges(first: date, last: date, context: ToolExecutionContext) -> Json:
    """Start and end of a whole-day event from its first and last day; raises `BadArguments`."""
    if last < first:
        raise BadArguments("end is before start.", field="end")
    return edges(first, last + timedelta(days=1), context.timezone)


def time_edges(start: datetime, end: datetime, context: ToolExecutionContext) -> Json:
    """Start and end of an event with times; raises `BadArguments`."""
    if end.astimezone(UTC) <= start.astimezone(UTC):
        raise BadArguments("end is not after start.", field="end")
    return edges(start, end, context.timezone)


def refuse_past_start(event: Event, context: ToolExecutionContext, *, grace: timedelta) -> None:
    """Raise `BadArguments` with the reason when an event would start in the past."""
    now = context.now()
    if event.is_all_day and event.start.date() < now.date():
        raise BadArguments(f"start: {day(event.start)} is in the past; today is {day(now)}.", field="start")
    if not event.is_all_day and event.start.astimezone(UTC) < now.astimezone(UTC) - grace:
        when, present = moment(event.start, context.timezone), moment(now, context.timezone)
        raise BadArguments(f"start: {when} is in the past; it is {present} now.", field="start")


def _refuse_the_past(body: Json, context: ToolExecutionContext, *, grace: timedelta) -> None:
    refuse_past_start(_as_event({"id": "new", **body}, context), context, grace=grace)


def _zone_row(context: ToolExecutionContext) -> PreviewRow:
    return PreviewRow(label="Time zone", value=context.timezone.key)


def _as_event(json: Json, context: ToolExecutionContext) -> Event:
    return read_event(json, calendar_id=PRIMARY, calendar="", zone=context.timezone)
