import time

import pytest

from services.errors import (
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    Throttled,
)
from services.integrations.google_calendar.client import GoogleCalendarClient
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import api_of


@pytest.fixture
def calendar(maya: Calendars) -> GoogleCalendarClient:
    return api_of(maya)


def refuse(campus: CampusServer, status: int, reason: str, *, times: int = 0, **more: object) -> None:
    error = {"code": status, "message": "SECRET words", "errors": [{"reason": reason, "message": "SECRET words"}]}
    campus.fault(service="google", fault="status", status=status, body={"error": error}, times=times, **more)


@pytest.mark.parametrize(
    ("status", "reason", "expected", "words"),
    [
        (401, "authError", ReconnectRequired, "no longer accepts"),
        (403, "insufficientPermissions", PermissionMissing, "not given permission"),
        (403, "forbiddenForNonOrganizer", PermissionMissing, "somebody else"),
        (403, "accessNotConfigured", RequestRefused, "not switched on"),
        (403, "rateLimitExceeded", Throttled, "slow down"),
        (403, "userRateLimitExceeded", Throttled, "slow down"),
        (429, "quotaExceeded", Throttled, "slow down"),
        (404, "notFound", ItemNotFound, "not in Google Calendar"),
        (410, "deleted", ItemNotFound, "not in Google Calendar"),
        (400, "invalid", RequestRefused, "invalid"),
        (500, "backendError", ServiceUnavailable, "having trouble"),
        (503, "backendError", ServiceUnavailable, "having trouble"),
    ],
)
def test_each_refusal_has_its_own_reaction_and_sentence(
    campus: CampusServer, hasty: Calendars, status: int, reason: str, expected: type[ServiceError], words: str
) -> None:
    refuse(campus, status, reason)

    with pytest.raises(expected, match=words) as caught:
        api_of(hasty).calendar_entry()

    assert "SECRET" not in str(caught.value)
    assert caught.value.service == "Google Calendar"
    assert caught.value.next_step


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("html", "in maintenance"),
        ("truncate", "broke off"),
        ("lose_response", "broke off"),
        ("redirect_loop", "another address"),
        ("hang", "did not answer in time"),
    ],
)
def test_each_kind_of_silence_has_its_own_sentence(
    campus: CampusServer, hasty: Calendars, fault: str, words: str
) -> None:
    campus.fault(service="google", fault=fault, times=0)

    with pytest.raises(ServiceUnavailable, match=words):
        api_of(hasty).calendar_entry()


def test_a_service_that_is_down_is_called_so(hasty: Calendars) -> None:
    from services.integrations.google_calendar import integration

    nowhere = {"CLIENT_ID": "a", "CLIENT_SECRET": "b", "API_BASE_URL": "http://127.0.0.1:9/google"}
    down = integration(nowhere)
    assert down is not None

    with pytest.raises(ServiceUnavailable, match="cannot be reached"):
        down.identify(hasty.grants["google_calendar"])


@pytest.mark.parametrize("fault", [{"fault": "status", "status": 502}, {"fault": "html"}, {"fault": "lose_response"}])
def test_a_read_is_tried_again_when_the_first_try_fails(
    campus: CampusServer, calendar: GoogleCalendarClient, fault: dict[str, object]
) -> None:
    campus.fault(service="google", times=1, **fault)

    assert calendar.calendar_entry()["id"] == "maya.chen@campus.example"


def test_a_read_is_tried_three_times_at_most(campus: CampusServer, calendar: GoogleCalendarClient) -> None:
    campus.fault(service="google", fault="status", status=500, times=0)

    with pytest.raises(ServiceUnavailable):
        calendar.calendar_entry()

    assert len([e for e in campus.log(service="google") if "calendarList" in e["path"]]) == 3


def test_a_refused_credential_is_not_tried_again(campus: CampusServer, calendar: GoogleCalendarClient) -> None:
    refuse(campus, 401, "authError")

    with pytest.raises(ReconnectRequired, match="no longer accepts") as caught:
        calendar.calendar_entry()

    assert len([e for e in campus.log(service="google") if "calendarList" in e["path"]]) == 1
    assert all(cause in caught.value.next_step for cause in ("removed", "password", "six months", "seven days"))


def test_a_hanging_service_is_left_at_the_deadline(campus: CampusServer, hasty: Calendars) -> None:
    campus.fault(service="google", fault="hang", times=0)
    began = time.monotonic()

    with pytest.raises(ServiceUnavailable):
        hasty.run("calendar_list_events", {})

    assert time.monotonic() - began < 3.0


def test_a_long_wait_that_google_asks_for_is_passed_on_instead_of_waited_out(
    campus: CampusServer, calendar: GoogleCalendarClient
) -> None:
    refuse(campus, 429, "rateLimitExceeded", headers={"Retry-After": "60"})
    began = time.monotonic()

    with pytest.raises(Throttled) as caught:
        calendar.calendar_entry()

    assert caught.value.retry_after_s == 60
    assert time.monotonic() - began < 1.0


def test_a_list_whose_next_page_is_itself_is_not_followed_for_ever(
    campus: CampusServer, calendar: GoogleCalendarClient
) -> None:
    body = {"kind": "calendar#calendarList", "items": [], "nextPageToken": "again"}
    campus.fault(service="google", path="*/calendarList", fault="status", status=200, body=body, times=0)

    with pytest.raises(ServiceUnavailable, match="does not end"):
        calendar.calendar_entries()


def test_the_credential_goes_in_a_header_and_is_never_shown(maya: Calendars, campus: CampusServer) -> None:
    maya.run("calendar_list_events", {"days": 1})

    grant = maya.grants["google_calendar"]
    shown = repr(grant) + repr(maya.integrations["google_calendar"]) + str(campus.log(service="google"))
    assert grant.access_token not in shown
    assert all("access_token" not in str(entry["query"]) for entry in campus.log(service="google"))
