from typing import Any

import pytest

from services.errors import (
    BadArguments,
    ChangedElsewhere,
    ItemNotFound,
    OutcomeUnknown,
    PermissionMissing,
)
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import api_of, in_days, occurrences, put_in

DAY = in_days(3)


@pytest.fixture
def study(maya: Calendars) -> str:
    """The id of an event from 3 to 4:30 PM."""
    event = {"title": "Study", "start": f"{DAY}T15:00", "duration_minutes": 90, "location": "Library"}
    return str(maya.run("calendar_create_event", event, operation_id="setup").data["event"]["id"])


def now(calls: Calendars, id: str) -> dict[str, Any]:
    found = calls.run("calendar_list_events", {"start": str(in_days(0)), "days": 60}).data["events"]
    return next(event for event in found if event["id"] == id)


def patches(campus: CampusServer) -> list[dict[str, Any]]:
    return campus.log(service="google", method="PATCH", writes=1)


def test_the_card_shows_before_and_after_of_what_changes_and_which_event_it_is(maya: Calendars, study: str) -> None:
    rows = maya.preview("calendar_update_event", {"event_id": study, "start": f"{DAY}T17:00", "location": ""})

    shown = {row.label: (row.before, row.value) for row in rows}
    assert shown["Title"] == (None, "Study")
    assert "3:00 PM – 4:30 PM" in str(shown["When"][0])
    assert "5:00 PM – 6:30 PM" in shown["When"][1]
    assert shown["Location"] == ("Library", "(none)")
    assert "Notes" not in shown


def test_with_a_new_start_alone_the_event_moves_and_keeps_its_length(maya: Calendars, study: str) -> None:
    maya.run("calendar_update_event", {"event_id": study, "start": f"{DAY}T17:00"})

    event = now(maya, study)
    assert (event["start"][11:16], event["end"][11:16]) == ("17:00", "18:30")
    assert event["location"] == "Library"


def test_only_the_named_fields_are_sent(campus: CampusServer, maya: Calendars, study: str) -> None:
    maya.run("calendar_update_event", {"event_id": study, "title": "Study hard", "location": "Library"})

    (patch,) = patches(campus)
    assert patch["body"] == {"summary": "Study hard"}


@pytest.mark.parametrize(
    ("change", "start", "end"),
    [
        ({"end": f"{DAY}T15:30"}, "15:00", "15:30"),
        ({"duration_minutes": 30}, "15:00", "15:30"),
        ({"start": f"{DAY}T14:00", "end": f"{DAY}T16:00"}, "14:00", "16:00"),
    ],
)
def test_the_times_follow_what_was_given(
    maya: Calendars, study: str, change: dict[str, object], start: str, end: str
) -> None:
    maya.run("calendar_update_event", {"event_id": study, **change})

    event = now(maya, study)
    assert (event["start"][11:16], event["end"][11:16]) == (start, end)


def test_an_event_becomes_a_whole_day_and_undo_gives_it_its_times_back(maya: Calendars, study: str) -> None:
    before = now(maya, study)
    result = maya.run("calendar_update_event", {"event_id": study, "all_day": True})
    assert now(maya, study)["start"] == str(DAY)

    maya.undo("calendar_update_event", result)

    assert now(maya, study) == before


def test_a_whole_day_event_gets_times(maya: Calendars) -> None:
    trip = {"title": "Trip", "start": str(DAY), "all_day": True}
    id = maya.run("calendar_create_event", trip, operation_id="trip").data["event"]["id"]

    maya.run("calendar_update_event", {"event_id": id, "all_day": False, "start": f"{DAY}T10:00"})

    assert now(maya, id)["end"][11:16] == "11:00"


def test_undo_puts_every_changed_field_back(campus: CampusServer, maya: Calendars, study: str) -> None:
    before = now(maya, study)
    change = {"event_id": study, "title": "X", "start": f"{DAY}T20:00", "location": "", "description": "n",
              "reminders_minutes": [5]}  # fmt: skip
    result = maya.run("calendar_update_event", change)

    maya.undo("calendar_update_event", result)
    maya.undo("calendar_update_event", result)

    assert now(maya, study) == before
    assert patches(campus)[-1]["body"]["reminders"]["overrides"][0]["minutes"] == 1440
    assert len(patches(campus)) == 2, "undoing twice writes once"


def test_reminders_that_were_the_calendars_own_come_back_as_such(maya: Calendars) -> None:
    change = {"event_id": put_in(maya, summary="Dentist"), "reminders_minutes": [10]}
    assert reminders(maya, change) == "as the calendar always does"
    result = maya.run("calendar_update_event", change)

    maya.undo("calendar_update_event", result)

    assert reminders(maya, change) == "as the calendar always does"


def reminders(calls: Calendars, change: dict[str, Any]) -> str | None:
    return {row.label: row.before for row in calls.preview("calendar_update_event", change)}["Reminders"]


def test_undo_refuses_when_the_event_was_changed_since(maya: Calendars, study: str) -> None:
    result = maya.run("calendar_update_event", {"event_id": study, "title": "X"})
    maya.run("calendar_update_event", {"event_id": study, "title": "Y"})

    with pytest.raises(ChangedElsewhere):
        maya.undo("calendar_update_event", result)

    assert now(maya, study)["title"] == "Y"


def test_a_change_made_between_card_and_approval_is_not_overwritten(
    campus: CampusServer, maya: Calendars, study: str
) -> None:
    move = {"event_id": study, "start": f"{DAY}T17:00"}
    rows = maya.preview("calendar_update_event", move)
    maya.run("calendar_update_event", {"event_id": study, "start": f"{DAY}T09:00"})

    with pytest.raises(ChangedElsewhere, match="was changed in Google Calendar"):
        maya.run("calendar_update_event", move, approved_rows=rows)

    assert now(maya, study)["start"][11:16] == "09:00"


def test_a_change_made_between_reading_and_writing_is_not_overwritten(
    campus: CampusServer, maya: Calendars, study: str
) -> None:
    body = {"error": {"code": 412, "message": "Precondition Failed", "errors": [{"reason": "conditionNotMet"}]}}
    campus.fault(service="google", method="PATCH", fault="status", status=412, body=body)

    with pytest.raises(ChangedElsewhere):
        maya.run("calendar_update_event", {"event_id": study, "title": "X"})

    assert now(maya, study)["title"] == "Study"


def test_every_change_is_conditional_on_the_state_that_was_read(maya: Calendars, study: str) -> None:
    calendar = api_of(maya)

    with pytest.raises(ChangedElsewhere):
        calendar.patch("primary", study.rpartition("/")[2], {"summary": "X"}, etag='"1"')


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
def test_a_lost_answer_leads_to_exactly_one_change(
    campus: CampusServer, maya: Calendars, study: str, fault: str
) -> None:
    campus.fault(service="google", method="PATCH", fault=fault)

    result = maya.run("calendar_update_event", {"event_id": study, "title": "Lost"})

    assert len(patches(campus)) == 1
    maya.undo("calendar_update_event", result)
    assert now(maya, study)["title"] == "Study"


def test_a_change_that_did_not_get_through_is_made_once(campus: CampusServer, maya: Calendars, study: str) -> None:
    campus.fault(service="google", method="PATCH", fault="status", status=502)

    maya.run("calendar_update_event", {"event_id": study, "title": "Second try"})

    assert now(maya, study)["title"] == "Second try"
    assert len(patches(campus)) == 1


def test_a_change_that_cannot_be_looked_up_is_called_unknown(
    campus: CampusServer, hasty: Calendars, maya: Calendars, study: str
) -> None:
    campus.fault(service="google", method="PATCH", fault="lose_response")
    campus.fault(service="google", method="GET", path="*/events/*", fault="status", status=503, times=0, skip=1)

    with pytest.raises(OutcomeUnknown, match="did not confirm that the event was changed"):
        hasty.run("calendar_update_event", {"event_id": study, "title": "Lost"})


def test_a_repeat_that_finds_the_wanted_state_succeeds_without_writing(
    campus: CampusServer, maya: Calendars, study: str
) -> None:
    change = {"event_id": study, "start": f"{DAY}T17:00"}
    rows = maya.preview("calendar_update_event", change)
    maya.run("calendar_update_event", change, approved_rows=rows)

    repeat = maya.run("calendar_update_event", change, approved_rows=rows, is_repeat=True)

    assert repeat.success
    assert len(patches(campus)) == 1


def test_of_a_recurring_event_only_the_one_occurrence_changes(maya: Calendars) -> None:
    _, second, *_ = occurrences(maya)

    maya.run("calendar_update_event", {"event_id": second, "title": "Moved lecture"})

    after = maya.run("calendar_list_events", {"days": 21}).data["events"]
    assert [event["id"] for event in after if event["title"] == "Moved lecture"] == [second]


def test_the_id_of_a_series_stands_for_all_of_it(maya: Calendars) -> None:
    occurrence, *_ = occurrences(maya)

    card = maya.card("calendar_update_event", {"event_id": occurrence.rpartition("_")[0], "title": "All of them"})

    assert card["Applies to"].startswith("all of them (it repeats every ")


def test_an_event_of_a_calendar_that_is_only_readable_says_so(maya: Calendars) -> None:
    listed = maya.run("calendar_list_events", {"days": 21}).data["events"]
    change = {
        "event_id": next(event["id"] for event in listed if event["calendar"] == "Campus events"),
        "title": "Mine",
    }

    with pytest.raises(PermissionMissing, match="“Campus events” may only be looked at"):
        maya.preview("calendar_update_event", change)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, "Say what should change"),
        ({"title": "Study"}, "nothing would change"),
        ({"start": f"{in_days(-1)}T10:00"}, "in the past"),
        ({"end": f"{DAY}T14:00"}, "end is not after start"),
        ({"end": f"{DAY}T18:00", "duration_minutes": 5}, "not both"),
        ({"all_day": True, "duration_minutes": 5}, "no duration_minutes"),
    ],
)
def test_what_makes_no_sense_is_refused_before_there_is_a_card(
    maya: Calendars, study: str, change: dict[str, object], reason: str
) -> None:
    with pytest.raises(BadArguments, match=reason):
        maya.preview("calendar_update_event", {"event_id": study, **change})


def test_an_event_that_is_not_there_is_not_found(maya: Calendars) -> None:
    with pytest.raises(ItemNotFound):
        maya.preview("calendar_update_event", {"event_id": "nosuchevent0", "title": "X"})


def test_a_deleted_event_is_not_changed(maya: Calendars, study: str) -> None:
    maya.run("calendar_delete_event", {"event_id": study}, operation_id="gone")

    with pytest.raises(ItemNotFound, match="deleted"):
        maya.run("calendar_update_event", {"event_id": study, "title": "X"})
