"""Calendar list, calendars, settings and free/busy of the campus's Google."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.campus_server import CampusServer
from tests.sandbox.google_clients import EVENTS_SCOPE, calendar, check, credentials, refusal

DAY = {"timeMin": "2031-03-04T06:00:00Z", "timeMax": "2031-03-05T06:00:00Z"}


@pytest.fixture(autouse=True)
def _plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


@pytest.fixture
def client(campus: CampusServer) -> Iterator[Any]:
    """Maya's Calendar client."""
    with calendar(campus, credentials(campus)) as service:
        yield service


def busy(client: Any, *calendars: str, **more: Any) -> dict[str, Any]:
    """The free/busy answer for that day."""
    body = {**DAY, "items": [{"id": name} for name in calendars], **more}
    answer: dict[str, Any] = client.freebusy().query(body=body).execute()
    check("FreeBusyResponse", answer)
    return answer["calendars"]


def book(client: Any, first: int, last: int, **more: Any) -> None:
    """An event on that day, hours in Chicago."""
    edges = {
        name: {"dateTime": f"2031-03-04T{hour:02}:00:00", "timeZone": "America/Chicago"}
        for name, hour in (("start", first), ("end", last))
    }
    client.events().insert(calendarId="primary", body={**edges, **more}).execute()


def test_a_student_sees_the_own_calendar_first_and_the_shared_one(client: Any) -> None:
    answer = client.calendarList().list().execute()
    check("CalendarList", answer)

    own, *others = answer["items"]
    by_name = {entry["summary"]: entry for entry in others}
    assert (own["id"], own["primary"], own["accessRole"]) == ("maya.chen@campus.example", True, "owner")
    assert own["timeZone"] == "America/Chicago"
    assert by_name["Campus events"]["accessRole"] == "reader"
    assert by_name["Studies"]["accessRole"] == "owner"
    assert "selected" not in by_name["Intramural sports"]


def test_the_calendar_list_is_paged_and_filtered_by_role(client: Any) -> None:
    first = client.calendarList().list(maxResults=1)
    second = client.calendarList().list_next(first, first.execute())

    assert [entry["summary"] for entry in second.execute()["items"]] == ["Campus events"]
    assert len(client.calendarList().list(minAccessRole="writer").execute()["items"]) == 2


def test_one_calendar_can_be_read_in_both_shapes(client: Any) -> None:
    check("CalendarListEntry", client.calendarList().get(calendarId="primary").execute())
    check("Calendar", client.calendars().get(calendarId="primary").execute())


def test_the_time_zone_is_a_setting(client: Any) -> None:
    setting = client.settings().get(setting="timezone").execute()
    check("Setting", setting)
    check("Settings", client.settings().list().execute())

    assert setting["value"] == "America/Chicago"
    assert refusal(client.settings().get(setting="wallpaper")) == (404, "notFound")


def test_free_busy_joins_what_overlaps_and_skips_what_is_free(client: Any) -> None:
    book(client, 9, 11)
    book(client, 10, 12)
    book(client, 14, 15, transparency="transparent")
    book(client, 16, 17)

    answer = busy(client, "primary", timeZone="America/Chicago")

    assert answer["primary"]["busy"] == [
        {"start": "2031-03-04T09:00:00-06:00", "end": "2031-03-04T12:00:00-06:00"},
        {"start": "2031-03-04T16:00:00-06:00", "end": "2031-03-04T17:00:00-06:00"},
    ]


def test_free_busy_is_given_in_utc_and_cut_at_the_window(client: Any) -> None:
    book(client, 20, 21)

    answer = busy(client, "primary", timeMax="2031-03-05T02:30:00Z")

    assert answer["primary"]["busy"] == [{"start": "2031-03-05T02:00:00Z", "end": "2031-03-05T02:30:00Z"}]


def test_free_busy_names_the_calendar_it_cannot_find(client: Any) -> None:
    answer = busy(client, "primary", "diego.ramos@campus.example")

    assert answer["diego.ramos@campus.example"]["errors"] == [{"domain": "global", "reason": "notFound"}]
    assert answer["primary"]["busy"] == []


def test_the_events_scope_alone_opens_neither_free_busy_nor_settings(campus: CampusServer) -> None:
    with calendar(campus, credentials(campus, scopes=(EVENTS_SCOPE,))) as client:
        assert refusal(client.freebusy().query(body={**DAY, "items": []})) == (403, "insufficientPermissions")
        assert refusal(client.settings().get(setting="timezone")) == (403, "insufficientPermissions")
        assert refusal(client.calendarList().list()) == (403, "insufficientPermissions")
