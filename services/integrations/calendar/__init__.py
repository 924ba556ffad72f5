"""The calendar category: one set of tools that speak to whichever calendar a student has connected."""

from collections.abc import Mapping

from services.integrations.calendar.tools import CALENDAR_TOOLS

TOOLS = CALENDAR_TOOLS


def integration(extension: Mapping[str, str]) -> None:
    """Nothing to connect: the calendars themselves are integrations of their own."""
    return
