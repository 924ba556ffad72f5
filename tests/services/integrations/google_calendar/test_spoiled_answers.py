"""An answer of Google's that is none is "unavailable" and never "there is nothing"; a write is read back then."""

import pytest

from services.connections.connector import Grant
from services.errors import ServiceUnavailable
from services.integrations.google_calendar.client import GoogleTimeouts
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.calendar.tools.test_every_tool import ARGUMENTS, WRITES, ours, written
from tests.services.integrations.google_calendar.conftest import connect, grant_of, put_in
from tests.spoiled_bodies import SPOILED, called_unavailable, fault_of, spoiled_bodies

READS = [name for name in ARGUMENTS if name not in WRITES]
PLACES = ("/calendar/v3/*", "/calendar/v3/users/me/calendarList*", "/calendar/v3/calendars/*/events*")


@pytest.fixture
def impatient(campus: CampusServer) -> Calendars:
    """Maya's calls without time for a second try."""
    google = connect(campus, GoogleTimeouts(request_s=0.6, call_s=0.6))
    return Calendars(integrations={"google_calendar": google}, grants={"google_calendar": grant_of(campus)})


@spoiled_bodies()
def test_no_tool_takes_a_spoiled_answer_for_an_empty_calendar(
    campus: CampusServer, maya: Calendars, impatient: Calendars, body: str
) -> None:
    put_in(maya, summary="Dinner")
    for place in PLACES:
        campus.fault(service="google", method="GET", path=place, **fault_of(body))

        for name in READS:
            if name == "calendar_list_calendars" and "events" in place:
                continue
            with called_unavailable(f"{name}, {body!r} of {place}"):
                impatient.run(name, ARGUMENTS[name])
        campus.clear_faults()


@spoiled_bodies()
@pytest.mark.parametrize("name", WRITES)
def test_a_write_whose_answer_is_spoiled_is_read_back_and_done_once(
    campus: CampusServer, maya: Calendars, name: str, body: str
) -> None:
    put_in(maya, summary="Dinner")
    before = written(campus)
    method = {"calendar_update_event": "PATCH", "calendar_delete_event": "DELETE"}.get(name, "POST")
    spoiled = {"body": SPOILED[body], "path": "/calendar/v3/*"}
    campus.fault(service="google", method=method, fault="replace_response", **spoiled)

    result = maya.run(name, ARGUMENTS[name], operation_id="op")

    assert written(campus) - before == (2 if name == "calendar_create_study_sessions" else 1)
    maya.undo(name, result)
    assert [event["title"] for event in ours(maya)] == ["Dinner"]


@spoiled_bodies()
def test_a_sign_in_is_neither_made_nor_ended_by_a_spoiled_answer(
    campus: CampusServer, maya: Calendars, body: str
) -> None:
    campus.fault(service="google", path="/token", **fault_of(body))
    oauth, origin = maya.integrations["google_calendar"].oauth, f"{campus.url}/google"
    assert oauth is not None

    with pytest.raises(ServiceUnavailable):
        oauth.exchange(origin=origin, redirect_uri="https://x.example", code="y", verifier="z" * 43)
    with pytest.raises(ServiceUnavailable):
        oauth.refresh(Grant(origin=origin, access_token="a", refresh_token="b"))
