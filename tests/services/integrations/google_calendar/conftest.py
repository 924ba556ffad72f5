"""A student whose Google Calendar is connected to the campus."""

import hashlib
import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from services.connections.connector import Grant
from services.integrations.base import Integration
from services.integrations.google_calendar import integration
from services.integrations.google_calendar.client import GoogleCalendarClient, GoogleTimeouts
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer

CHICAGO = ZoneInfo("America/Chicago")
LECTURE = hashlib.sha256(b"maya.chen@campus.example/MATH 221 Calculus II: lecture").hexdigest()[:26]
"""As the campus makes ids for what is in a calendar from the beginning."""


def connect(campus: CampusServer, limits: GoogleTimeouts | None = None) -> Integration:
    made = integration(
        {
            "CLIENT_ID": "homeroom",
            "CLIENT_SECRET": "homeroom-demo-secret",
            "API_BASE_URL": f"{campus.url}/google",
        },
        limits or GoogleTimeouts(),
    )
    assert made is not None
    return made


@pytest.fixture
def google(campus: CampusServer) -> Integration:
    return connect(campus)


@pytest.fixture
def maya(campus: CampusServer, google: Integration) -> Calendars:
    """Maya's calls to the calendar's tools."""
    return Calendars(integrations={"google_calendar": google}, grants={"google_calendar": grant_of(campus)})


@pytest.fixture
def hasty(campus: CampusServer) -> Calendars:
    """The same with little patience."""
    google = connect(campus, GoogleTimeouts(request_s=0.4, call_s=2.0))
    return Calendars(integrations={"google_calendar": google}, grants={"google_calendar": grant_of(campus)})


def grant_of(campus: CampusServer, person: str = "maya") -> Grant:
    return Grant(origin=f"{campus.url}/google", access_token=campus.token("google", person))


def in_days(days: int) -> date:
    """A day seen from today in Chicago, where the campus is."""
    return datetime.now(UTC).astimezone(CHICAGO).date() + timedelta(days=days)


def occurrences(calls: Calendars) -> list[str]:
    """The ids of the coming occurrences of the student's lecture of four mornings a week."""
    ids = [event["id"] for event in calls.run("calendar_list_events", {"days": 10}).data["events"]]
    return [id for id in ids if re.fullmatch(rf"google_calendar/{LECTURE}_\d{{8}}T\d{{6}}Z", id)]


def put_in(calls: Calendars, **event: object) -> str:
    """The id of an event that the student made in Google Calendar itself."""
    day = in_days(3)
    edges = {
        name: {"dateTime": f"{day}T{hour}:00:00", "timeZone": CHICAGO.key}
        for name, hour in (("start", 10), ("end", 11))
    }
    json, _ = api_of(calls).insert("primary", {"id": "handmade00", **edges, **event})
    return f"google_calendar/{json['id']}"


def api_of(calls: Calendars) -> GoogleCalendarClient:
    """Google Calendar itself, as the student uses it without us."""
    client = calls.connections.client(calls.student.id, "google_calendar", None)
    return client.google  # type: ignore[no-any-return]
