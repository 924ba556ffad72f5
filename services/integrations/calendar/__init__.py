"""The calendar category: one set of tools that speak to whichever calendars a student has connected."""

from services.integrations.calendar.tools import CALENDAR_TOOLS

TOOLS = CALENDAR_TOOLS
