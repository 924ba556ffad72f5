"""Calendar category: one set of tools for whichever calendars a student has connected.

The tools are in the order in which they are offered.
"""

from services.integrations.calendar.tools.event_creation import calendar_create_event
from services.integrations.calendar.tools.event_deletion import calendar_delete_event
from services.integrations.calendar.tools.event_list import calendar_list_calendars, calendar_list_events
from services.integrations.calendar.tools.event_update import calendar_update_event
from services.integrations.calendar.tools.free_time import (
    calendar_find_conflicts,
    calendar_find_free_time,
    calendar_suggest_times,
)
from services.integrations.calendar.tools.study_sessions import calendar_add_due_date, calendar_create_study_sessions

TOOLS = (
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
