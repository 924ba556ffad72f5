"""Whether an event can be changed: own, invited, or read only; it is said before anybody tries."""

from typing import Any

import pytest

from services.errors import PermissionMissing, RequestRefused
from tests.calendar_calls import Calendars
from tests.services.integrations.calendar_feed.conftest import Reader
from tests.services.integrations.calendar_feed.conftest import feed as feed
from tests.services.integrations.calendar_feed.conftest import reader as reader
from tests.services.integrations.google_calendar.conftest import CHICAGO, api_of, in_days, put_in


@pytest.fixture
def invitation(maya: Calendars) -> str:
    """The id of an event to which somebody else invited Maya."""
    return invite(maya)


def invite(calls: Calendars, **more: Any) -> str:
    body = {
        "iCalUID": "invite-1@elsewhere.example",
        "summary": "Group meeting",
        "organizer": {"email": "priya@elsewhere.example", "displayName": "Priya"},
        "attendees": [{"email": "maya.chen@campus.example", "responseStatus": "accepted"}],
        **{
            name: {"dateTime": f"{in_days(3)}T{hour}:00:00", "timeZone": CHICAGO.key}
            for name, hour in (("start", 20), ("end", 21))
        },
        **more,
    }
    client = api_of(calls)
    json = client._send(client._api.events().import_(calendarId="primary", body=body), "calendar#event")
    return f"google_calendar/{json['id']}"


def listed(calls: Calendars, id: str) -> tuple[dict[str, Any], str]:
    """An event of a list: its data and its line."""
    result = calls.run("calendar_list_events", {"days": 14})
    event = next(event for event in result.data["events"] if event["id"] == id)
    return event, next(line for line in result.output.splitlines() if f"(id: {id})" in line)


def test_a_list_says_of_each_event_whether_it_can_be_changed(maya: Calendars, invitation: str) -> None:
    own, _ = listed(maya, put_in(maya, summary="Dinner"))
    theirs, line = listed(maya, invitation)
    events = maya.run("calendar_list_events", {"days": 14, "calendar": "Campus events"})

    assert (own["access"], own["can_change"]) == ("own", True)
    assert (theirs["access"], theirs["can_change"]) == ("invited", False)
    assert "an invitation, which only its organizer can change" in line
    assert {(event["access"], event["can_change"]) for event in events.data["events"]} == {("read_only", False)}
    assert all("read only" in line for line in events.output.splitlines() if line.startswith("- "))


def test_events_of_a_feed_are_read_only(reader: Reader) -> None:
    result = reader("ics/rowing.ics").run("calendar_list_events", {"days": 30})

    assert {event["access"] for event in result.data["events"]} == {"read_only"}
    assert all("read only" in line for line in result.output.splitlines() if line.startswith("- "))


@pytest.mark.parametrize("change", [{"title": "Mine"}, {"start": f"{in_days(4)}T20:00"}, {"location": "Here"}])
def test_an_invitation_is_not_changed_and_no_card_is_shown(
    maya: Calendars, invitation: str, change: dict[str, str]
) -> None:
    with pytest.raises(RequestRefused, match="Only whoever organises"):
        maya.preview("calendar_update_event", {"event_id": invitation, **change})


def test_an_invitation_reminds_as_the_student_wants(maya: Calendars, invitation: str) -> None:
    result = maya.run("calendar_update_event", {"event_id": invitation, "reminders_minutes": [10]}, operation_id="op")

    assert result.data["event"]["reminders"] == [10]
    assert "reminders: 10 minutes before" in result.output


def test_an_invitation_that_guests_may_change_is_as_good_as_ones_own(maya: Calendars) -> None:
    id = invite(maya, guestsCanModify=True)

    maya.run("calendar_update_event", {"event_id": id, "title": "Ours"}, operation_id="op")

    assert listed(maya, id)[0]["access"] == "own"


def test_an_invitation_can_be_taken_out_and_the_card_says_what_that_means(maya: Calendars, invitation: str) -> None:
    card = maya.card("calendar_delete_event", {"event_id": invitation})
    maya.run("calendar_delete_event", {"event_id": invitation}, operation_id="op")

    assert "stays in the calendars of everybody else" in card["Invitation"]
    assert invitation not in [e["id"] for e in maya.run("calendar_list_events", {"days": 14}).data["events"]]


def test_what_is_read_only_is_refused_with_the_calendars_name(maya: Calendars) -> None:
    events = maya.run("calendar_list_events", {"days": 14, "calendar": "Campus events"}).data["events"]

    with pytest.raises(PermissionMissing, match="Campus events"):
        maya.preview("calendar_delete_event", {"event_id": events[0]["id"]})
