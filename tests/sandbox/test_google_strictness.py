"""What the campus's Google refuses, in Google's words."""

from typing import Any

import pytest

from tests.campus_server import CampusServer
from tests.sandbox.google_clients import FULL_SCOPE, Raw, credentials, reason

EVENTS = "/calendars/primary/events"
START = {"dateTime": "2031-03-04T15:00:00-06:00"}
END = {"dateTime": "2031-03-04T16:00:00-06:00"}
ZONED = {"start": START | {"timeZone": "America/Chicago"}, "end": END | {"timeZone": "America/Chicago"}}


@pytest.fixture(scope="module")
def raw(running_campus: CampusServer) -> Raw:
    """Maya's token and nothing between us and the wire; one campus for the module, because refusals change nothing."""
    running_campus.reset()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
        return Raw(running_campus, str(credentials(running_campus, scopes=(FULL_SCOPE,)).token))


def overrides(count: int = 1, **fields: Any) -> dict[str, Any]:
    """Reminders that override the default."""
    return {"reminders": {"useDefault": False, "overrides": [{"method": "popup", "minutes": 10} | fields] * count}}


@pytest.mark.parametrize(
    ("query", "refused_as"),
    [
        ({"calendar": "primary"}, "invalid"),
        ({"timemin": "2031-03-04T15:00:00Z"}, "invalid"),
        ({"singleEvents": "yes"}, "invalid"),
        ({"maxResults": "0"}, "invalid"),
        ({"maxResults": "ten"}, "invalid"),
        ({"orderBy": "title"}, "invalid"),
        ({"orderBy": "startTime"}, "badRequest"),
        ({"timeMin": "2031-03-04T15:00:00"}, "badRequest"),
        ({"timeMin": "2031-03-04"}, "badRequest"),
        ({"timeMin": "2031-03-05T00:00:00Z", "timeMax": "2031-03-04T00:00:00Z"}, "timeRangeEmpty"),
        ({"timeZone": "Mars/Olympus"}, "invalid"),
        ({"privateExtendedProperty": "homeroom"}, "invalid"),
        ({"syncToken": "MjAyNg==", "q": "lab"}, "badRequest"),
        ({"fields": "items(id"}, "invalid"),
    ],
)
def test_a_list_with_a_bad_parameter_is_refused(raw: Raw, query: dict[str, str], refused_as: str) -> None:
    assert reason(raw.send("GET", EVENTS, params=query)) == (400, refused_as)


def test_an_outworn_sync_token_asks_for_a_full_sync(raw: Raw) -> None:
    assert reason(raw.send("GET", EVENTS, params={"syncToken": "bm9uc2Vuc2U="})) == (410, "fullSyncRequired")


@pytest.mark.parametrize(
    ("body", "refused_as"),
    [
        ({"start": START}, "required"),
        ({"end": END}, "required"),
        ({"start": {"timeZone": "America/Chicago"}, "end": END}, "required"),
        ({"start": {"dateTime": "2031-03-04T15:00:00"}, "end": END}, "required"),
        ({"start": START, "end": {"date": "2031-03-05"}}, "invalid"),
        ({"start": START | {"date": "2031-03-04"}, "end": END}, "invalid"),
        ({"start": END, "end": START}, "timeRangeEmpty"),
        ({"start": {"date": "2031-03-04"}, "end": {"date": "2031-03-04"}}, "timeRangeEmpty"),
        ({"start": {"date": "2031-02-30"}, "end": {"date": "2031-03-04"}}, "invalid"),
        ({"start": {"dateTime": "tomorrow at nine"}, "end": END}, "invalid"),
        ({"start": START | {"timeZone": "Central Standard"}, "end": END}, "invalid"),
        ({"start": START, "end": END, "titel": "Study"}, "invalid"),
        ({"start": START | {"timezone": "America/Chicago"}, "end": END}, "invalid"),
        ({"start": START, "end": END, "summary": 7}, "invalid"),
        ({"start": START, "end": END, "status": "maybe"}, "invalid"),
        ({"start": START, "end": END, "transparency": "clear"}, "invalid"),
        ({"start": START, "end": END, "id": "UPPER-case"}, "invalid"),
        ({"start": START, "end": END, "id": "abcd"}, "invalid"),
        ({"start": START, "end": END, "recurrence": ["RRULE:FREQ=DAILY"]}, "required"),
        (ZONED | {"recurrence": ["RRULE:FREQ=SECONDLY"]}, "invalid"),
        (ZONED | {"recurrence": ["RRULE:FREQ=DAILY;COUNT=2;UNTIL=20310401T000000Z"]}, "invalid"),
        (ZONED | {"recurrence": ["FREQ=DAILY"]}, "invalid"),
        (ZONED | {"recurrence": ["DTSTART:20310304T150000Z", "RRULE:FREQ=DAILY"]}, "invalid"),
        (ZONED | {"recurrence": ["RRULE:FREQ=WEEKLY;BYDAY=XX"]}, "invalid"),
        (ZONED | {"attendees": [{"displayName": "Nobody"}]}, "required"),
        (ZONED | {"attendees": [{"email": "not an address"}]}, "invalid"),
        (ZONED | {"source": {"url": "javascript:alert(1)", "title": "x"}}, "invalid"),
        (ZONED | overrides(6), "invalid"),
        (ZONED | overrides(minutes=40321), "invalid"),
        (ZONED | overrides(minutes=-1), "invalid"),
        (ZONED | overrides(method="sms"), "invalid"),
        (
            ZONED | {"reminders": {"useDefault": True, "overrides": [{"method": "popup", "minutes": 5}]}},
            "cannotUseDefaultRemindersAndSpecifyOverride",
        ),
    ],
)
def test_an_insert_that_google_refuses_is_refused(raw: Raw, body: dict[str, Any], refused_as: str) -> None:
    assert reason(raw.send("POST", EVENTS, json=body)) == (400, refused_as)


@pytest.mark.parametrize(
    "body",
    [
        ZONED,
        ZONED | overrides(5),
        ZONED | overrides(minutes=40320, method="email"),
        ZONED | {"recurrence": ["RRULE:FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20311231"]},
        ZONED
        | {"etag": '"1"', "kind": "calendar#event", "htmlLink": "https://x.example", "creator": {"email": "a@b.c"}},
        {"start": START, "end": START},
    ],
)
def test_an_insert_that_google_takes_is_taken(raw: Raw, body: dict[str, Any]) -> None:
    assert raw.send("POST", EVENTS, json=body).status_code == 200


def test_a_body_that_is_no_json_object_is_refused(raw: Raw) -> None:
    assert reason(raw.send("POST", EVENTS, content=b"{")) == (400, "badRequest")
    assert reason(raw.send("POST", EVENTS, json=[1])) == (400, "badRequest")


def test_an_update_needs_both_edges_but_a_patch_does_not(raw: Raw) -> None:
    event = raw.send("POST", EVENTS, json=ZONED).json()

    assert reason(raw.send("PUT", f"{EVENTS}/{event['id']}", json={"summary": "Study"})) == (400, "required")
    assert raw.send("PATCH", f"{EVENTS}/{event['id']}", json={"summary": "Study"}).status_code == 200


def test_a_patch_from_times_to_days_must_clear_the_times(raw: Raw) -> None:
    event = raw.send("POST", EVENTS, json=ZONED).json()
    days = {"start": {"date": "2031-03-04"}, "end": {"date": "2031-03-05"}}
    cleared = {name: edge | {"dateTime": None, "timeZone": None} for name, edge in days.items()}

    assert reason(raw.send("PATCH", f"{EVENTS}/{event['id']}", json=days)) == (400, "invalid")
    assert raw.send("PATCH", f"{EVENTS}/{event['id']}", json=cleared).json()["start"] == {"date": "2031-03-04"}


def test_an_id_cannot_be_changed(raw: Raw) -> None:
    event = raw.send("POST", EVENTS, json=ZONED).json()

    assert reason(raw.send("PATCH", f"{EVENTS}/{event['id']}", json={"id": "another0id"})) == (400, "invalid")


def test_nothing_refused_is_a_write(running_campus: CampusServer, raw: Raw) -> None:
    last = running_campus.log()[-1]["id"]

    raw.send("POST", EVENTS, json={"start": START})

    assert running_campus.log(service="google", writes=1, since=last) == []


@pytest.mark.parametrize(
    ("body", "refused_as"),
    [
        ({"timeMin": "2031-03-04T00:00:00Z"}, "required"),
        ({"timeMin": "2031-03-04T00:00:00", "timeMax": "2031-03-05T00:00:00Z"}, "badRequest"),
        ({"timeMin": "2031-03-05T00:00:00Z", "timeMax": "2031-03-04T00:00:00Z"}, "timeRangeEmpty"),
        ({"timeMin": "2031-03-05T00:00:00Z", "timeMax": "2033-03-04T00:00:00Z"}, "timeRangeTooLong"),
        ({"timeMin": "2031-03-04T00:00:00Z", "timeMax": "2031-03-05T00:00:00Z", "calendars": []}, "invalid"),
    ],
)
def test_a_bad_free_busy_query_is_refused(raw: Raw, body: dict[str, Any], refused_as: str) -> None:
    assert reason(raw.send("POST", "/freeBusy", json=body)) == (400, refused_as)
