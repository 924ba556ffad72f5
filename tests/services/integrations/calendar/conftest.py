"""A student whose calendars are on the campus."""

from tests.services.integrations.google_calendar.conftest import google, hasty, maya

__all__ = ["google", "hasty", "maya"]
