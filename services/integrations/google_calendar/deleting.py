"""The tool that deletes an event, its approval card and its undo."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from services.errors import ItemNotFound, RequestRefused
from services.integrations.google_calendar.access import (
    ID,
    calendar_of,
    find_event,
    find_present_event,
    place_rows,
    refuse_if_unlike_the_card,
)
from services.integrations.google_calendar.client import GoogleCalendar
from services.integrations.google_calendar.creating import event_id_for
from services.integrations.google_calendar.events import Event, Json, split_id
from services.tools.base import Effect, PreviewRow, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

KEPT = ("summary", "description", "location", "start", "end", "reminders", "transparency", "visibility", "colorId")


def preview_deletion(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """The event that would go."""
    given = calendar_delete_event.validate(arguments)
    return _rows(find_present_event(calendar_of(context), given["event_id"], context))


def undo_deletion(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Bring the event back; as a new copy when Google has forgotten the old one."""
    calendar = calendar_of(context)
    calendar_id, event_id = split_id(undo["event_id"])
    try:
        json = calendar.event(calendar_id, event_id)
        if json.get("status") == "cancelled":
            calendar.patch(calendar_id, event_id, {"status": "confirmed"}, etag=json["etag"])
    except (ItemNotFound, RequestRefused):
        _add_copy(calendar, calendar_id, undo)
    return ToolResult(output="The event is back in your calendar.")


@tool(
    label="Deleting from your calendar",
    title="Delete from your calendar",
    category="calendar",
    contexts=("calendar", "schedule", "study"),
    effect=Effect.WRITE,
    integration=ID,
    preview=preview_deletion,
    undo=undo_deletion,
    timeout_s=30.0,
)
def calendar_delete_event(
    context: ToolExecutionContext,
    *,
    event_id: Annotated[
        str, Field(min_length=1, max_length=1200, description="The id that calendar_list_events gave.")
    ],
) -> ToolResult:
    """Delete one event from the student's Google calendars. The student sees it and approves it first.

    List the events first to find the id. Of a recurring event only the one occurrence goes.
    """
    calendar = calendar_of(context)
    try:
        event = find_event(calendar, event_id, context)
    except ItemNotFound:
        return ToolResult(output="The event is not in your calendar any more (Google Calendar).")
    if event.is_deleted:
        return _deleted(event, context, was_there=context.is_repeat)
    refuse_if_unlike_the_card(context, _rows(event))
    calendar.delete(*split_id(event.id), etag=event.etag)
    return _deleted(event, context, was_there=True)


def _deleted(event: Event, context: ToolExecutionContext, *, was_there: bool) -> ToolResult:
    """What to say; only what this operation deleted can be brought back by its undo."""
    if not was_there:
        return ToolResult(output="The event had been deleted from your calendar already (Google Calendar).")
    copy = {name: event.json[name] for name in KEPT if name in event.json}
    return ToolResult(
        output=f"Deleted “{event.title}”, {event.when}, from your calendar (Google Calendar).",
        data={"id": event.id, "title": event.title},
        undo={"event_id": event.id, "copy": copy, "copy_id": event_id_for(f"{context.operation_id}/undo")},
    )


def _add_copy(calendar: GoogleCalendar, calendar_id: str, undo: Mapping[str, Any]) -> Json:
    json, _ = calendar.insert(calendar_id, {"id": undo["copy_id"], **undo["copy"]})
    return json


def _rows(event: Event) -> tuple[PreviewRow, ...]:
    texts = {"Title": event.title, "When": event.when, "Location": event.location, "Notes": event.description.strip()}
    rows = (PreviewRow(label=label, value=value) for label, value in texts.items() if value)
    return (*rows, PreviewRow(label="Time zone", value=event.zone.key), *place_rows(event))
