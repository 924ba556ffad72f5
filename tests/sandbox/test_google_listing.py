"""Lists of events on the campus's Google Calendar: pages, expansion across summer time, filters, order."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.campus_server import CampusServer
from tests.sandbox.google_clients import calendar, check, credentials, refusal

ZONE = "America/Chicago"
TERM = {"timeMin": "", "timeMax": "", "singleEvents": True, "orderBy": "startTime"}


@pytest.fixture(autouse=True)
def _plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


@pytest.fixture
def events(campus: CampusServer) -> Iterator[Any]:
    """The events resource of Maya's client."""
    with calendar(campus, credentials(campus)) as service:
        yield service.events()


def around(days: int) -> dict[str, str]:
    """A window of `days` before and after now."""
    now = datetime.now(UTC)
    return {"timeMin": (now - timedelta(days=days)).isoformat(), "timeMax": (now + timedelta(days=days)).isoformat()}


def pages(events: Any, **wish: Any) -> list[dict[str, Any]]:
    """Every page of a list, followed as the client library does."""
    found, call = [], events.list(calendarId="primary", **wish)
    while call is not None:
        found.append(call.execute())
        call = events.list_next(call, found[-1])
    return found


def series(events: Any, start: str, end: str, *rules: str, **more: Any) -> dict[str, Any]:
    """A new recurring event in Chicago's time."""
    edges = {name: {"dateTime": text, "timeZone": ZONE} for name, text in (("start", start), ("end", end))}
    body = {"summary": "Series", **edges, "recurrence": list(rules), **more}
    answer: dict[str, Any] = events.insert(calendarId="primary", body=body).execute()
    return answer


def starts(items: list[dict[str, Any]]) -> list[str]:
    """When each of the items starts."""
    return [item["start"].get("dateTime", item["start"].get("date")) for item in items]


def test_a_term_does_not_fit_on_one_page(events: Any) -> None:
    answers = pages(events, **around(120), singleEvents=True, orderBy="startTime")
    items = [item for answer in answers for item in answer["items"]]

    assert len(answers) > 1
    assert len(answers[0]["items"]) == 250
    assert len({item["id"] for item in items}) == len(items) > 300
    assert "nextPageToken" not in answers[-1]
    instants = [datetime.fromisoformat(text) for text in starts(items) if "T" in text]
    assert instants == sorted(instants)


def test_small_pages_hold_together_the_same_as_one_large(events: Any) -> None:
    small = pages(events, **(window := around(10)), singleEvents=True, maxResults=9)
    large = pages(events, **window, singleEvents=True, maxResults=2500)

    assert len(large) == 1
    assert [item["id"] for page in small for item in page["items"]] == [item["id"] for item in large[0]["items"]]


def test_a_page_token_of_another_query_is_refused(events: Any) -> None:
    token = events.list(calendarId="primary", maxResults=3).execute()["nextPageToken"]

    assert refusal(events.list(calendarId="primary", maxResults=3, pageToken=token, q="lab")) == (400, "invalid")
    assert refusal(events.list(calendarId="primary", pageToken="nonsense")) == (400, "invalid")


def test_every_seeded_answer_fits_the_discovery_document(events: Any) -> None:
    for answer in pages(events, **around(120), singleEvents=True):
        check("Events", answer)
    for answer in pages(events, showDeleted=True):
        check("Events", answer)


def test_a_weekly_series_keeps_its_hour_when_summer_time_ends(events: Any) -> None:
    made = series(events, "2031-10-22T09:00:00", "2031-10-22T10:00:00", "RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=3")

    items = events.instances(calendarId="primary", eventId=made["id"]).execute()["items"]

    assert starts(items) == ["2031-10-22T09:00:00-05:00", "2031-10-29T09:00:00-05:00", "2031-11-05T09:00:00-06:00"]
    assert items[2]["id"] == f"{made['id']}_20311105T150000Z"
    assert items[2]["recurringEventId"] == made["id"]
    assert items[2]["originalStartTime"] == items[2]["start"]
    assert "recurrence" not in items[2]


def test_until_counts_in_utc_and_exdate_leaves_one_out(events: Any) -> None:
    made = series(
        events,
        "2031-03-03T18:30:00",
        "2031-03-03T19:30:00",
        "RRULE:FREQ=DAILY;UNTIL=20310307T003000Z",
        "EXDATE;TZID=America/Chicago:20310304T183000",
    )

    items = events.instances(calendarId="primary", eventId=made["id"]).execute()["items"]

    assert [text[:10] for text in starts(items)] == ["2031-03-03", "2031-03-05", "2031-03-06"]


def test_a_daily_series_of_whole_days(events: Any) -> None:
    body = {
        "start": {"date": "2031-03-03"},
        "end": {"date": "2031-03-04"},
        "recurrence": ["RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3"],
    }
    made = events.insert(calendarId="primary", body=body).execute()

    items = events.instances(calendarId="primary", eventId=made["id"]).execute()["items"]

    assert starts(items) == ["2031-03-03", "2031-03-05", "2031-03-07"]
    assert items[0]["id"] == f"{made['id']}_20310303"


def test_a_series_is_one_item_unless_single_events_are_asked_for(events: Any) -> None:
    series(events, "2031-03-03T09:00:00", "2031-03-03T10:00:00", "RRULE:FREQ=DAILY;COUNT=5", summary="Quokka")

    together = events.list(calendarId="primary", q="quokka").execute()["items"]
    apart = events.list(calendarId="primary", q="quokka", singleEvents=True).execute()["items"]

    assert [item["recurrence"] for item in together] == [["RRULE:FREQ=DAILY;COUNT=5"]]
    assert len(apart) == 5


def test_a_changed_instance_stands_in_for_the_one_it_replaces(events: Any) -> None:
    made = series(events, "2031-03-03T09:00:00", "2031-03-03T10:00:00", "RRULE:FREQ=DAILY;COUNT=3", summary="Quokka")
    second = f"{made['id']}_20310304T150000Z"
    events.patch(calendarId="primary", eventId=second, body={"summary": "Quokka, moved"}).execute()
    events.delete(calendarId="primary", eventId=f"{made['id']}_20310305T150000Z").execute()

    items = events.list(calendarId="primary", q="quokka", singleEvents=True, orderBy="startTime").execute()["items"]

    assert [item["summary"] for item in items] == ["Quokka", "Quokka, moved"]
    assert items[1]["recurringEventId"] == made["id"]


def test_deleting_a_series_deletes_its_instances(events: Any) -> None:
    made = series(events, "2031-03-03T09:00:00", "2031-03-03T10:00:00", "RRULE:FREQ=DAILY;COUNT=3", summary="Quokka")
    changed = f"{made['id']}_20310304T150000Z"
    events.patch(calendarId="primary", eventId=changed, body={"summary": "Quokka, moved"}).execute()

    events.delete(calendarId="primary", eventId=made["id"]).execute()

    assert events.list(calendarId="primary", q="quokka", singleEvents=True).execute()["items"] == []


def test_an_instance_that_the_rule_does_not_make_is_not_found(events: Any) -> None:
    made = series(events, "2031-03-03T09:00:00", "2031-03-03T10:00:00", "RRULE:FREQ=DAILY;COUNT=3")

    for suffix in ("20310309T150000Z", "20310303T160000Z", "20310303", "nonsense"):
        assert refusal(events.get(calendarId="primary", eventId=f"{made['id']}_{suffix}")) == (404, "notFound")


def test_the_window_takes_what_overlaps_it_and_nothing_that_only_touches(events: Any) -> None:
    series(events, "2031-03-03T09:00:00", "2031-03-03T10:00:00", "RRULE:FREQ=DAILY;COUNT=1", summary="Quokka")

    def found(first: str, last: str) -> int:
        wish = {"timeMin": f"2031-03-03T{first}:00-06:00", "timeMax": f"2031-03-03T{last}:00-06:00"}
        return len(events.list(calendarId="primary", singleEvents=True, q="Quokka", **wish).execute()["items"])

    assert found("09:30", "09:45") == 1
    assert found("10:00", "11:00") == 0
    assert found("08:00", "09:00") == 0


def test_deleted_events_are_listed_only_when_asked_for(events: Any) -> None:
    made = series(events, "2031-03-03T09:00:00", "2031-03-03T10:00:00", "RRULE:FREQ=DAILY;COUNT=1", summary="Quokka")
    events.delete(calendarId="primary", eventId=made["id"]).execute()

    assert events.list(calendarId="primary", q="quokka").execute()["items"] == []
    shown = events.list(calendarId="primary", q="quokka", showDeleted=True).execute()["items"]
    assert [item["status"] for item in shown] == ["cancelled"]


def test_updated_min_and_sync_tokens_list_what_changed_since(events: Any) -> None:
    before = datetime.now(UTC).isoformat()
    token = pages(events)[-1]["nextSyncToken"]
    made = series(events, "2031-03-03T09:00:00", "2031-03-03T10:00:00", "RRULE:FREQ=DAILY;COUNT=1")
    events.delete(calendarId="primary", eventId=made["id"]).execute()

    for wish in ({"updatedMin": before}, {"syncToken": token}):
        items = events.list(calendarId="primary", **wish).execute()["items"]
        assert [(item["id"], item["status"]) for item in items] == [(made["id"], "cancelled")]


def test_private_properties_find_our_own_events(events: Any) -> None:
    mark = {"private": {"homeroom": "approval-7"}}
    made = series(events, "2031-03-03T09:00:00", "2031-03-03T10:00:00", "RRULE:FREQ=DAILY", extendedProperties=mark)

    items = events.list(calendarId="primary", privateExtendedProperty="homeroom=approval-7").execute()["items"]

    assert [item["id"] for item in items] == [made["id"]]


def test_words_are_looked_for_in_title_place_description_and_guests(events: Any) -> None:
    guests = [{"email": "quokka@zoo.example", "displayName": "Quentin"}]
    series(events, "2031-03-03T09:00:00", "2031-03-03T10:00:00", "RRULE:FREQ=DAILY;COUNT=1", attendees=guests)

    for words in ("quokka", "QUENTIN series"):
        assert len(events.list(calendarId="primary", q=words).execute()["items"]) == 1


def test_fields_keeps_only_what_was_asked_for(events: Any) -> None:
    answer = events.list(calendarId="primary", maxResults=2, fields="items(id,start/dateTime),nextPageToken").execute()

    assert set(answer) == {"items", "nextPageToken"}
    assert set(answer["items"][0]) == {"id", "start"}


def test_the_answer_is_given_in_the_zone_asked_for(events: Any) -> None:
    wish = {"singleEvents": True, "q": "Dentist", "timeZone": "Europe/Berlin"}
    answer = events.list(calendarId="primary", **wish).execute()

    assert answer["timeZone"] == "Europe/Berlin"
    local = datetime.fromisoformat(answer["items"][0]["start"]["dateTime"])
    assert local.utcoffset() in (timedelta(hours=1), timedelta(hours=2))
    assert answer["items"][0]["start"]["timeZone"] == ZONE


def test_the_seed_is_a_busy_life(events: Any) -> None:
    items = [item for page in pages(events, **around(45), singleEvents=True) for item in page["items"]]
    titles = {item["summary"] for item in items}

    assert any("date" in item["start"] for item in items)
    assert any("ignore previous instructions" in item.get("description", "") for item in items)
    assert "Shift: library front desk (swapped)" in titles
    assert {"CS 101 Introduction to Programming: lecture", "Robotics club", "Priya's birthday 🎂"} <= titles
