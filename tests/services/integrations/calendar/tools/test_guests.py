"""Guests of an event that is there: who comes, who goes, what they get, and what a series that is cut in two asks."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere, RequestRefused
from services.safety.seen_addresses import SeenAddresses
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import api_of, put_in

LENA, SAM = {"email": "lena@campus.example", "displayName": "Lena Ortiz"}, {"email": "sam@campus.example"}
INVITE = {"add_guests": ["cleo@campus.example"]}


def heard() -> SeenAddresses:
    """What the student said."""
    known = SeenAddresses()
    known.add_student_text("Please invite cleo@campus.example too")
    return known


@pytest.fixture
def dinner(maya: Calendars) -> str:
    return put_in(maya, summary="Dinner", attendees=[{**LENA, "responseStatus": "accepted"}, SAM])


@pytest.fixture
def club(maya: Calendars) -> list[str]:
    """The ids of six mornings in a row with two guests."""
    put_in(maya, summary="Choir", attendees=[LENA, SAM], recurrence=["RRULE:FREQ=DAILY;COUNT=6"])
    found = maya.run("calendar_list_events", {"days": 12, "search": "Choir"}).data["events"]
    return [str(event["id"]) for event in found]


def guests(calls: Calendars, id: str) -> list[str]:
    return [guest["email"].partition("@")[0] for guest in json(calls, id).get("attendees", ())]


def json(calls: Calendars, id: str) -> dict[str, Any]:
    return api_of(calls).event("primary", id.rpartition("/")[2])


def told(campus: CampusServer, since: int = 0) -> list[str]:
    """To whom Google was to write, for each write."""
    return [entry["query"]["sendUpdates"] for entry in campus.log(service="google", writes=1, since=since)]


def test_a_guest_comes_and_one_goes_and_undo_puts_it_back(campus: CampusServer, maya: Calendars, dinner: str) -> None:
    since = campus.log()[-1]["id"]
    change = {"event_id": dinner, **INVITE, "remove_guests": ["sam@campus.example"]}

    card = next(
        row for row in maya.preview("calendar_update_event", change, seen_addresses=heard) if row.label == "Guests"
    )
    result = maya.run("calendar_update_event", change, operation_id="op")

    assert card.before == "lena@campus.example, sam@campus.example"
    assert card.value == "lena@campus.example, cleo@campus.example – each gets an e-mail, also who is taken out"
    assert guests(maya, dinner) == ["lena", "cleo"]
    assert json(maya, dinner)["attendees"][0]["responseStatus"] == "accepted"
    maya.undo("calendar_update_event", result)
    assert guests(maya, dinner) == ["lena", "sam"]
    assert told(campus, since) == ["all", "all"]


def test_the_student_says_whether_guests_are_written_to(campus: CampusServer, maya: Calendars, dinner: str) -> None:
    since = campus.log()[-1]["id"]
    quiet = {"event_id": dinner, **INVITE, "notify_guests": False}
    loud = {"event_id": dinner, "location": "Café", "notify_guests": True}

    asked = (quiet, loud, {**loud, "notify_guests": None})
    cards = [maya.card("calendar_update_event", change, seen_addresses=heard)["Guests"] for change in asked]
    for number, change in enumerate((quiet, loud)):
        maya.run("calendar_update_event", change, operation_id=f"op{number}")

    assert cards[0].endswith("– nobody is written to")
    assert cards[1:] == ["2 guests; each gets an e-mail", "2 guests; nobody is written to"]
    assert told(campus, since) == ["none", "all"]


@pytest.mark.parametrize(
    ("words", "left"), [("Lena", ["sam"]), ("lena ortiz", ["sam"]), ("SAM@campus.example", ["lena"])]
)
def test_a_guest_is_taken_out_by_name_or_address(maya: Calendars, dinner: str, words: str, left: list[str]) -> None:
    maya.run("calendar_update_event", {"event_id": dinner, "remove_guests": [words]}, operation_id="op")

    assert guests(maya, dinner) == left


def test_who_is_no_guest_cannot_be_taken_out_and_no_address_is_told(maya: Calendars, dinner: str) -> None:
    with pytest.raises(BadArguments, match=r"none is called “[^”]*”\. There are: “Lena Ortiz”") as caught:
        maya.preview("calendar_update_event", {"event_id": dinner, "remove_guests": ["Ben"]})

    assert "campus.example" not in str(caught.value)
    assert "campus.example" not in maya.run("calendar_list_events", {"search": "Dinner"}).output


def test_only_whom_the_student_named_is_invited(maya: Calendars, dinner: str) -> None:
    with pytest.raises(RequestRefused, match=r"cleo@campus\.example cannot be invited"):
        maya.preview("calendar_update_event", {"event_id": dinner, **INVITE}, seen_addresses=SeenAddresses)


def test_guests_of_somebody_elses_event_stay(campus: CampusServer, maya: Calendars, dinner: str) -> None:
    theirs = {**json(maya, dinner), "organizer": {"email": "prof@campus.example"}}
    campus.fault(service="google", path="*/events/handmade00", fault="status", status=200, body=theirs, times=0)

    with pytest.raises(RequestRefused, match="Only whoever organises"):
        maya.preview("calendar_update_event", {"event_id": dinner, **INVITE}, seen_addresses=heard)


@pytest.mark.parametrize("fault", [None, "lose_response"])
def test_a_repeat_invites_nobody_twice_and_can_be_undone(
    campus: CampusServer, maya: Calendars, dinner: str, fault: str | None
) -> None:
    change = {"event_id": dinner, **INVITE}
    if fault:
        campus.fault(service="google", method="PATCH", path="*", fault=fault)
    maya.run("calendar_update_event", change, operation_id="op")
    written = len(told(campus))

    repeat = maya.run("calendar_update_event", change, operation_id="op", is_repeat=True)

    assert len(told(campus)) == written
    assert guests(maya, dinner) == ["lena", "sam", "cleo"]
    maya.undo("calendar_update_event", repeat)
    assert guests(maya, dinner) == ["lena", "sam"]


def test_an_undo_leaves_an_event_alone_that_a_guest_was_added_to_since(maya: Calendars, dinner: str) -> None:
    result = maya.run("calendar_update_event", {"event_id": dinner, **INVITE}, operation_id="op")
    maya.run("calendar_update_event", {"event_id": dinner, "add_guests": ["dan@campus.example"]}, operation_id="op2")

    with pytest.raises(ChangedElsewhere):
        maya.undo("calendar_update_event", result)


@pytest.mark.parametrize("applies_to", ["this", "following", "all"])
def test_guests_of_a_series_change_as_far_as_was_said(maya: Calendars, club: list[str], applies_to: str) -> None:
    change = {"event_id": club[3], **INVITE, "applies_to": applies_to}

    result = maya.run("calendar_update_event", change, operation_id="op")

    reached = {"this": [3], "following": [3, 4, 5], "all": [0, 1, 2, 3, 4, 5]}[applies_to]
    assert [place for place, many in enumerate(counts(maya)) if many == 3] == reached
    maya.undo("calendar_update_event", result)
    assert counts(maya) == [2] * 6


def counts(calls: Calendars) -> list[int]:
    now = datetime.now(UTC)
    rows = api_of(calls).events("primary", start=now, end=now + timedelta(days=12))
    return [len(row.get("attendees", ())) for row in rows if "Choir" in row["summary"]]


def test_a_series_with_guests_is_cut_as_its_card_says(campus: CampusServer, maya: Calendars, club: list[str]) -> None:
    since = campus.log()[-1]["id"]
    change = {"event_id": club[2], "title": "Late Choir", "applies_to": "following"}

    card = maya.card("calendar_update_event", change)
    result = maya.run("calendar_update_event", change, operation_id="op")

    assert card["Guests"] == "2 guests; each gets an e-mail"
    assert card["The following ones"] == "they become a new series, so each guest is invited anew and answers again"
    assert told(campus, since) == ["all", "all"]
    assert counts(maya) == [2] * 6
    repeat = maya.run("calendar_update_event", change, operation_id="op", is_repeat=True)
    assert len(told(campus, since)) == 2
    maya.undo("calendar_update_event", repeat or result)
    titles = {
        event["title"] for event in maya.run("calendar_list_events", {"days": 12, "search": "Choir"}).data["events"]
    }
    assert titles == {"Choir"}
    assert set(told(campus, since)) == {"all"}


def test_nobody_is_told_of_a_cut_that_is_to_be_quiet(campus: CampusServer, maya: Calendars, club: list[str]) -> None:
    since = campus.log()[-1]["id"]
    change = {"event_id": club[2], "title": "Late Choir", "applies_to": "following", "notify_guests": False}

    result = maya.run("calendar_update_event", change, operation_id="op")
    maya.undo("calendar_update_event", result)

    assert set(told(campus, since)) == {"none"}


@pytest.mark.parametrize("notify", [True, False])
def test_a_deletion_tells_guests_only_when_asked_and_so_does_its_undo(
    campus: CampusServer, maya: Calendars, dinner: str, notify: bool
) -> None:
    since = campus.log()[-1]["id"]
    given = {"event_id": dinner, "notify_guests": notify}

    card = maya.card("calendar_delete_event", given)
    result = maya.run("calendar_delete_event", given, operation_id="op")
    maya.undo("calendar_delete_event", result)

    assert card["Guests"] == ("2 guests; each gets an e-mail" if notify else "2 guests; nobody is written to")
    assert ("get an e-mail" in result.output) == notify
    assert told(campus, since) == ["all" if notify else "none"] * 2
    assert guests(maya, dinner) == ["lena", "sam"]
