"""Calendar category: one set of tools for whichever calendars a student has connected."""

from services.integrations.calendar.tools import CALENDAR_TOOLS

TOOLS = CALENDAR_TOOLS
