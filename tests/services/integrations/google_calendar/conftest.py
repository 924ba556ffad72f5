"""A student whose Google Calendar is connected to the campus."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from services.connections.connection import Grant
from services.integrations.base import Integration
from services.integrations.google_calendar import integration
from services.integrations.google_calendar.client import Limits
from tests.campus_server import CampusServer
from tests.tool_calls import ToolCalls

CHICAGO = ZoneInfo("America/Chicago")


def connect(campus: CampusServer, limits: Limits | None = None) -> Integration:
    made = integration(
        {
            "CLIENT_ID": "homeroom",
            "CLIENT_SECRET": "homeroom-demo-secret",
            "API_BASE_URL": f"{campus.url}/google",
        },
        limits or Limits(),
    )
    assert made is not None
    return made


@pytest.fixture
def google(campus: CampusServer) -> Integration:
    return connect(campus)


@pytest.fixture
def maya(campus: CampusServer, google: Integration) -> ToolCalls:
    """Maya's calls to the calendar's tools."""
    return ToolCalls(integration=google, grant=grant_of(campus))


@pytest.fixture
def hasty(campus: CampusServer) -> ToolCalls:
    """The same with little patience."""
    return ToolCalls(integration=connect(campus, Limits(request_s=0.4, call_s=2.0)), grant=grant_of(campus))


def grant_of(campus: CampusServer, person: str = "maya") -> Grant:
    return Grant(origin=f"{campus.url}/google", access_token=campus.token("google", person))


def in_days(days: int) -> date:
    """A day seen from today in Chicago, where the campus is."""
    return datetime.now(UTC).astimezone(CHICAGO).date() + timedelta(days=days)
