"""The tools of Google Calendar, in the order in which they are offered."""

from services.integrations.google_calendar.creating import calendar_create_event
from services.integrations.google_calendar.deleting import calendar_delete_event
from services.integrations.google_calendar.reading import calendar_find_free_time, calendar_list_events
from services.integrations.google_calendar.updating import calendar_update_event

CALENDAR_TOOLS = (
    calendar_list_events,
    calendar_find_free_time,
    calendar_create_event,
    calendar_update_event,
    calendar_delete_event,
)
