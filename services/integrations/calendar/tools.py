"""The tools of the calendar category, in the order in which they are offered."""

from services.integrations.calendar.creating import calendar_create_event
from services.integrations.calendar.deleting import calendar_delete_event
from services.integrations.calendar.free import (
    calendar_find_conflicts,
    calendar_find_free_time,
    calendar_suggest_times,
)
from services.integrations.calendar.reading import calendar_list_calendars, calendar_list_events
from services.integrations.calendar.sessions import calendar_add_due_date, calendar_create_study_sessions
from services.integrations.calendar.updating import calendar_update_event

CALENDAR_TOOLS = (
    calendar_list_events,
    calendar_list_calendars,
    calendar_find_free_time,
    calendar_suggest_times,
    calendar_find_conflicts,
    calendar_create_event,
    calendar_create_study_sessions,
    calendar_add_due_date,
    calendar_update_event,
    calendar_delete_event,
)
