"""Events of the campus's Google Calendar, one at a time, driven by google-api-python-client."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.campus_server import CampusServer
from tests.sandbox.google_clients import Raw, calendar, check, credentials, reason, refusal

ZONE = "America/Chicago"


@pytest.fixture(autouse=True)
def _plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


@pytest.fixture
def client(campus: CampusServer) -> Iterator[Any]:
    """Maya's Calendar client."""
    with calendar(campus, credentials(campus)) as service:
        yield service


@pytest.fixture
def events(client: Any) -> Any:
    """The events resource of Maya's client."""
    return client.events()


def timed(hour: int = 15, **more: Any) -> dict[str, Any]:
    """A study session on a day far from the seeded ones."""
    return {
        "summary": "Study session",
        "start": {"dateTime": f"2031-03-04T{hour:02}:00:00", "timeZone": ZONE},
        "end": {"dateTime": f"2031-03-04T{hour + 1:02}:00:00", "timeZone": ZONE},
        **more,
    }


def insert(events: Any, body: dict[str, Any]) -> dict[str, Any]:
    """The event after inserting it in the primary calendar."""
    answer: dict[str, Any] = events.insert(calendarId="primary", body=body).execute()
    return answer


def test_an_inserted_event_comes_back_whole(events: Any) -> None:
    event = insert(events, timed(location="Main Library", reminders={"useDefault": False, "overrides": []}))

    check("Event", event)
    assert event == events.get(calendarId="primary", eventId=event["id"]).execute()
    assert event["start"] == {"dateTime": "2031-03-04T15:00:00-06:00", "timeZone": ZONE}
    assert event["organizer"] == {"email": "maya.chen@campus.example", "self": True}
    assert event["iCalUID"] == f"{event['id']}@google.com"
    assert (event["status"], event["sequence"]) == ("confirmed", 0)


def test_an_id_of_our_own_choice_makes_a_repeat_a_duplicate(events: Any) -> None:
    insert(events, timed(id="homeroom0123abc"))

    assert refusal(events.insert(calendarId="primary", body=timed(id="homeroom0123abc"))) == (409, "duplicate")


def test_a_deleted_event_keeps_its_id(events: Any) -> None:
    insert(events, timed(id="homeroom0123abc"))
    events.delete(calendarId="primary", eventId="homeroom0123abc").execute()

    assert refusal(events.insert(calendarId="primary", body=timed(id="homeroom0123abc"))) == (409, "duplicate")


def test_an_insert_whose_answer_was_lost_is_repeated_by_the_library_and_stays_one_event(
    campus: CampusServer, events: Any
) -> None:
    campus.fault(service="google", method="POST", path="*/events", fault="lose_response")

    assert refusal(events.insert(calendarId="primary", body=timed(id="homeroom0123abc"))) == (409, "duplicate")
    assert len([entry for entry in campus.log(service="google", method="POST") if "/events" in entry["path"]]) == 2
    assert len(campus.log(service="google", writes=1)) == 1


def test_a_deleted_event_is_shown_cancelled_and_cannot_be_deleted_again(events: Any) -> None:
    event = insert(events, timed())
    events.delete(calendarId="primary", eventId=event["id"]).execute()

    assert events.get(calendarId="primary", eventId=event["id"]).execute()["status"] == "cancelled"
    assert refusal(events.delete(calendarId="primary", eventId=event["id"])) == (410, "deleted")


def test_an_update_with_status_confirmed_brings_a_deleted_event_back(events: Any) -> None:
    event = insert(events, timed(description="Chapters 3 and 4"))
    events.delete(calendarId="primary", eventId=event["id"]).execute()

    back = events.update(calendarId="primary", eventId=event["id"], body={**event, "status": "confirmed"}).execute()

    assert back["status"] == "confirmed"
    assert back["description"] == "Chapters 3 and 4"


def test_a_patch_changes_what_it_names_and_an_update_clears_what_it_leaves_out(events: Any) -> None:
    event = insert(events, timed(location="Main Library", description="Bring notes"))

    patched = events.patch(calendarId="primary", eventId=event["id"], body={"location": "Café Norte"}).execute()
    updated = events.update(calendarId="primary", eventId=event["id"], body=timed(16)).execute()

    assert (patched["location"], patched["description"]) == ("Café Norte", "Bring notes")
    assert "location" not in updated
    assert updated["created"] == event["created"]


def test_every_change_moves_the_etag_and_only_a_move_the_sequence(events: Any) -> None:
    first = insert(events, timed())
    second = events.patch(calendarId="primary", eventId=first["id"], body={"summary": "Study"}).execute()
    third = events.patch(calendarId="primary", eventId=first["id"], body=timed(17)).execute()

    assert len({first["etag"], second["etag"], third["etag"]}) == 3
    assert [event["sequence"] for event in (first, second, third)] == [0, 0, 1]
    assert first["updated"] <= second["updated"] <= third["updated"]


def test_a_patch_with_null_clears_a_field(events: Any) -> None:
    event = insert(events, timed(location="Main Library"))

    assert "location" not in events.patch(calendarId="primary", eventId=event["id"], body={"location": None}).execute()


@pytest.mark.parametrize("verb", ["patch", "update", "delete"])
def test_an_old_etag_in_if_match_changes_nothing(events: Any, verb: str) -> None:
    event = insert(events, timed())
    events.patch(calendarId="primary", eventId=event["id"], body={"summary": "Changed elsewhere"}).execute()
    body = {} if verb == "delete" else {"body": timed(summary="Mine")}
    call = getattr(events, verb)(calendarId="primary", eventId=event["id"], **body)
    call.headers["If-Match"] = event["etag"]

    assert refusal(call) == (412, "conditionNotMet")
    assert events.get(calendarId="primary", eventId=event["id"]).execute()["summary"] == "Changed elsewhere"


def test_the_current_etag_in_if_match_is_accepted(events: Any) -> None:
    event = insert(events, timed())
    call = events.delete(calendarId="primary", eventId=event["id"])
    call.headers["If-Match"] = event["etag"]

    assert call.execute() == ""


def test_whole_days_stay_whole_days(events: Any) -> None:
    event = insert(events, {"start": {"date": "2031-03-04"}, "end": {"date": "2031-03-06"}})

    assert (event["start"], event["end"]) == ({"date": "2031-03-04"}, {"date": "2031-03-06"})


def test_times_are_shown_in_the_calendars_zone_or_the_one_asked_for(events: Any) -> None:
    edges = {
        "start": {"dateTime": "2031-07-01T18:00:00Z"},
        "end": {"dateTime": "2031-07-01T21:00:00+02:00", "timeZone": "Europe/Berlin"},
    }
    event = insert(events, edges)
    abroad = events.get(calendarId="primary", eventId=event["id"], timeZone="Asia/Tokyo").execute()

    assert event["start"]["dateTime"] == "2031-07-01T13:00:00-05:00"
    assert event["end"] == {"dateTime": "2031-07-01T14:00:00-05:00", "timeZone": "Europe/Berlin"}
    assert abroad["start"]["dateTime"] == "2031-07-02T03:00:00+09:00"


def test_guests_get_a_status_and_private_properties_are_kept(events: Any) -> None:
    private = {"homeroom": "approval-1", "k" * 45: "dropped"}
    event = insert(events, timed(attendees=[{"email": "a@b.example"}], extendedProperties={"private": private}))

    assert event["attendees"] == [{"email": "a@b.example", "responseStatus": "needsAction"}]
    assert event["extendedProperties"] == {"private": {"homeroom": "approval-1"}}


def test_nobody_reaches_another_persons_calendar(campus: CampusServer, client: Any) -> None:
    assert refusal(client.events().list(calendarId="diego.ramos@campus.example")) == (404, "notFound")
    assert refusal(client.calendars().get(calendarId="diego.ramos@campus.example")) == (404, "notFound")


def test_the_shared_calendar_is_read_only(client: Any) -> None:
    shared = client.calendarList().list().execute()["items"][1]["id"]

    assert client.events().list(calendarId=shared).execute()["accessRole"] == "reader"
    assert refusal(client.events().insert(calendarId=shared, body=timed())) == (403, "requiredAccessLevel")


def test_an_unknown_event_is_not_found(events: Any) -> None:
    assert refusal(events.get(calendarId="primary", eventId="nosuchevent")) == (404, "notFound")
    assert refusal(events.delete(calendarId="primary", eventId="nosuchevent")) == (404, "notFound")


def test_the_page_behind_html_link_shows_the_event_as_plain_text(events: Any) -> None:
    event = insert(events, timed(summary="<b>Study</b>", description="<img src=x onerror=alert(1)>"))

    page = httpx.get(event["htmlLink"])

    assert page.status_code == 200
    assert "&lt;b&gt;Study&lt;/b&gt;" in page.text
    assert "<img" not in page.text
    assert "Tue 04 Mar 2031, 15:00–16:00 CST" in page.text


def test_a_wrong_link_is_a_friendly_404(campus: CampusServer) -> None:
    assert httpx.get(f"{campus.url}/google/calendar/event?eid=%%%").status_code == 404
    assert httpx.get(f"{campus.url}/google/calendar/nobody").status_code == 404


def test_the_agenda_page_shows_the_coming_two_weeks(campus: CampusServer) -> None:
    index = httpx.get(f"{campus.url}/google/").text
    page = httpx.get(f"{campus.url}/google/calendar/maya").text

    assert "/google/calendar/maya" in index
    assert "Study group: calculus" in page
    assert "Bike repair" not in page


def test_writes_are_logged_with_the_person(campus: CampusServer, events: Any) -> None:
    insert(events, timed())

    (entry,) = campus.log(service="google", writes=1)
    assert (entry["person"], entry["method"], entry["body"]["summary"]) == ("maya", "POST", "Study session")


def test_an_unknown_path_is_not_found_in_googles_words(campus: CampusServer) -> None:
    raw = Raw(campus, campus.token("google"))

    assert reason(raw.send("GET", "/users/me/everything")) == (404, "notFound")
