"""Looking for time asks Google only when time is taken, once for all calendars, where the consent covers that."""

from typing import Any

import pytest

from services.errors import ServiceUnavailable
from services.integrations.base import Integration
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import api_of, in_days, put_in

REDIRECT = "http://localhost:8501/connections"
VERIFIER = "a-verifier-that-is-long-enough-for-rfc-7636-indeed"
BUSY = "/calendar/v3/freeBusy"


@pytest.fixture
def open_maya(campus: CampusServer, google: Integration) -> Calendars:
    """Maya, whose consent covers free/busy too, as every new one does."""
    assert google.oauth is not None
    where = {"origin": google.origins[0], "redirect_uri": REDIRECT}
    address = google.oauth.authorize_url(**where, state="s", verifier=VERIFIER)
    grant = google.oauth.exchange(**where, code=campus.consent(address), verifier=VERIFIER)
    return Calendars(integrations={"google_calendar": google}, grants={"google_calendar": grant})


def asked(campus: CampusServer, since: int) -> list[str]:
    return [entry["path"].rpartition("/")[2] for entry in campus.log(service="google", since=since)]


@pytest.mark.parametrize("name", ["calendar_find_free_time", "calendar_suggest_times"])
def test_free_time_is_the_same_by_either_way_and_costs_two_requests(
    campus: CampusServer, maya: Calendars, open_maya: Calendars, name: str
) -> None:
    put_in(
        maya,
        summary="Declined",
        attendees=[{"email": "maya.chen@campus.example", "self": True, "responseStatus": "declined"}],
    )
    api_of(maya).insert("primary", {**_edges(4), "id": "handmade02", "summary": "Free", "transparency": "transparent"})
    by_events = maya.run(name, {"minutes": 30})
    since = campus.log()[-1]["id"]

    by_busy = open_maya.run(name, {"minutes": 30})

    assert by_busy.data == by_events.data
    assert asked(campus, since) == ["calendarList", "freeBusy"]


def test_a_whole_day_that_is_taken_is_still_explained_by_name(campus: CampusServer, open_maya: Calendars) -> None:
    day = str(in_days(20))
    open_maya.run("calendar_create_event", {"title": "Field trip", "start": day, "all_day": True}, operation_id="op")

    output = open_maya.run("calendar_find_free_time", {"start": day, "end": day}).output

    assert "counted as busy: “Field trip”" in output


def test_longer_times_than_google_answers_for_are_read_as_events(campus: CampusServer, open_maya: Calendars) -> None:
    since = campus.log()[-1]["id"]

    open_maya.run("calendar_find_free_time", {"start": str(in_days(1)), "end": str(in_days(60))})

    assert "freeBusy" not in asked(campus, since)


def test_a_calendar_that_google_keeps_closed_is_named(campus: CampusServer, open_maya: Calendars) -> None:
    entries = [("primary" if entry.get("primary") else entry["id"]) for entry in api_of(open_maya).calendar_entries()]
    body: dict[str, Any] = {"calendars": {id: {"busy": []} for id in entries}}
    shared = next(id for id in entries if "campusevents" in id)
    body["calendars"][shared] = {"errors": [{"reason": "notFound"}], "busy": []}
    campus.fault(service="google", path=BUSY, fault="status", status=200, body=body)

    result = open_maya.run("calendar_find_free_time")

    assert "would not show the calendar “Campus events”" in result.output
    assert result.is_partial


@pytest.mark.parametrize("status", [500, 503])
def test_trouble_is_no_free_time(campus: CampusServer, open_maya: Calendars, status: int) -> None:
    campus.fault(service="google", path=BUSY, fault="status", status=status, times=0)

    with pytest.raises(ServiceUnavailable):
        open_maya.run("calendar_find_free_time")


def _edges(days: int) -> dict[str, Any]:
    hours = (("start", "10"), ("end", "11"))
    return {name: {"dateTime": f"{in_days(days)}T{hour}:00:00", "timeZone": "America/Chicago"} for name, hour in hours}
