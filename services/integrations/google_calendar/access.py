"""How the calendar's tools reach the calendar, and the words they share."""

from services.errors import ItemNotFound, RequestRefused
from services.integrations.card import is_unlike_the_card
from services.integrations.google_calendar.client import GoogleCalendar
from services.integrations.google_calendar.events import (
    PRIMARY,
    Event,
    calendar_name,
    guests_in_words,
    read_event,
    split_id,
)
from services.integrations.google_calendar.problems import LABEL, changed
from services.tools.base import PreviewRow, Source, ToolExecutionContext

ID = "google_calendar"


def calendar_of(context: ToolExecutionContext) -> GoogleCalendar:
    """The student's calendars, with a fresh deadline for this call."""
    calendar: GoogleCalendar = context.client(ID).started()
    return calendar


def find_event(calendar: GoogleCalendar, id: str, context: ToolExecutionContext) -> Event:
    """The event behind an id as tools give it, deleted ones too; raises `ItemNotFound`, and `RequestRefused` for a
    whole series."""
    calendar_id, event_id = split_id(id)
    json = calendar.event(calendar_id, event_id)
    name = "" if calendar_id == PRIMARY else calendar_name(calendar.listed(calendar_id))
    event = read_event(json, calendar_id=calendar_id, calendar=name, zone=context.timezone)
    if event.is_series:
        raise RequestRefused(
            LABEL,
            "This is a whole series of events, and Homeroom changes single ones only.",
            next_step="Use the id of one occurrence from the list of events, or change the series in Google Calendar.",
        )
    return event


def find_present_event(calendar: GoogleCalendar, id: str, context: ToolExecutionContext) -> Event:
    """The same, but a deleted event raises `ItemNotFound`."""
    event = find_event(calendar, id, context)
    if event.is_deleted:
        raise ItemNotFound(LABEL, "That event has been deleted in Google Calendar.")
    return event


def refuse_if_unlike_the_card(context: ToolExecutionContext, rows: tuple[PreviewRow, ...]) -> None:
    """Raise `ChangedElsewhere` when the event no longer is what the student's card showed (R32)."""
    if is_unlike_the_card(context, rows):
        raise changed()


def place_rows(event: Event) -> tuple[PreviewRow, ...]:
    """Which calendar an event is in, and who else is in it, where that is worth saying."""
    calendar = () if "/" not in event.id else (PreviewRow(label="Calendar", value=event.calendar),)
    guests = () if not event.guests else (PreviewRow(label="Guests", value=guests_in_words(event)),)
    return (*calendar, *guests)


def sources(event: Event) -> tuple[Source, ...]:
    return (Source(title=event.title, url=event.url),) if event.url else ()
