from typing import Any

import pytest

from services.errors import ChangedElsewhere, ItemNotFound, OutcomeUnknown
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import in_days, occurrences, put_in

DAY = in_days(3)


@pytest.fixture
def study(maya: Calendars) -> str:
    event = {"title": "Study", "start": f"{DAY}T15:00", "duration_minutes": 90, "description": "Chapter 3"}
    return str(maya.run("calendar_create_event", event, operation_id="setup").data["event"]["id"])


def listed(calls: Calendars, id: str) -> list[dict[str, Any]]:
    return [e for e in calls.run("calendar_list_events", {"days": 10}).data["events"] if e["id"] == id]


def deletions(campus: CampusServer) -> int:
    return len(campus.log(service="google", method="DELETE", writes=1))


def test_the_card_shows_the_event_that_would_go(maya: Calendars, study: str) -> None:
    shown = {row.label: row.value for row in maya.preview("calendar_delete_event", {"event_id": study})}

    assert shown["Title"] == "Study"
    assert "3:00 PM – 4:30 PM" in shown["When"]
    assert shown["Notes"] == "Chapter 3"


def test_guests_are_counted_on_the_card_but_not_named(maya: Calendars) -> None:
    guests = [{"email": "diego.ramos@campus.example"}, {"email": "anne.okafor@campus.example"}]
    meeting = put_in(maya, summary="Meeting", attendees=guests)

    shown = {row.label: row.value for row in maya.preview("calendar_delete_event", {"event_id": meeting})}

    assert shown["Guests"] == "2 guests; nobody is written to"
    assert "diego" not in str(shown) + maya.run("calendar_list_events", {"search": "Meeting"}).output


def test_a_deleted_event_is_gone_and_undo_brings_it_back_whole(
    campus: CampusServer, maya: Calendars, study: str
) -> None:
    before = listed(maya, study)
    result = maya.run("calendar_delete_event", {"event_id": study}, operation_id="op")
    assert listed(maya, study) == []

    maya.undo("calendar_delete_event", result)
    maya.undo("calendar_delete_event", result)

    assert listed(maya, study) == before
    assert deletions(campus) == 1


def test_when_google_has_forgotten_the_event_undo_adds_one_copy(
    campus: CampusServer, maya: Calendars, study: str
) -> None:
    result = maya.run("calendar_delete_event", {"event_id": study}, operation_id="op")
    campus.fault(service="google", method="GET", path=f"*/events/{study}", fault="status", status=404, times=0)

    maya.undo("calendar_delete_event", result)
    maya.undo("calendar_delete_event", result)

    copies = [e for e in maya.run("calendar_list_events", {"days": 10}).data["events"] if e["title"] == "Study"]
    assert [(copy["start"][11:16], copy["description"]) for copy in copies] == [("15:00", "Chapter 3")]


def test_deleting_what_is_gone_already_succeeds_and_has_nothing_to_undo(maya: Calendars, study: str) -> None:
    maya.run("calendar_delete_event", {"event_id": study}, operation_id="op")

    again = maya.run("calendar_delete_event", {"event_id": study}, operation_id="other")

    assert again.success
    assert again.undo is None


def test_a_repeat_of_the_same_operation_can_still_be_undone(campus: CampusServer, maya: Calendars, study: str) -> None:
    before = listed(maya, study)
    maya.run("calendar_delete_event", {"event_id": study}, operation_id="op")

    repeat = maya.run("calendar_delete_event", {"event_id": study}, operation_id="op", is_repeat=True)

    assert deletions(campus) == 1
    maya.undo("calendar_delete_event", repeat)
    assert listed(maya, study) == before


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
def test_a_lost_answer_leads_to_exactly_one_deletion(
    campus: CampusServer, maya: Calendars, study: str, fault: str
) -> None:
    campus.fault(service="google", method="DELETE", fault=fault)

    result = maya.run("calendar_delete_event", {"event_id": study}, operation_id="op")

    assert deletions(campus) == 1
    assert listed(maya, study) == []
    assert result.undo is not None


def test_a_deletion_that_did_not_get_through_is_made_once(campus: CampusServer, maya: Calendars, study: str) -> None:
    campus.fault(service="google", method="DELETE", fault="status", status=503)

    maya.run("calendar_delete_event", {"event_id": study}, operation_id="op")

    assert deletions(campus) == 1


def test_a_deletion_that_cannot_be_looked_up_is_called_unknown(
    campus: CampusServer, hasty: Calendars, maya: Calendars, study: str
) -> None:
    campus.fault(service="google", method="DELETE", fault="lose_response")
    campus.fault(service="google", method="GET", path="*/events/*", fault="html", times=0, skip=1)

    with pytest.raises(OutcomeUnknown, match="deleted"):
        hasty.run("calendar_delete_event", {"event_id": study}, operation_id="op")


def test_an_event_changed_between_card_and_approval_is_not_deleted(maya: Calendars, study: str) -> None:
    rows = maya.preview("calendar_delete_event", {"event_id": study})
    maya.run("calendar_update_event", {"event_id": study, "title": "Important now"})

    with pytest.raises(ChangedElsewhere):
        maya.run("calendar_delete_event", {"event_id": study}, operation_id="op", approved_rows=rows)

    assert len(listed(maya, study)) == 1


def test_one_occurrence_goes_and_comes_back_the_rest_of_the_series_stays(maya: Calendars) -> None:
    before = occurrences(maya)
    result = maya.run("calendar_delete_event", {"event_id": before[1]}, operation_id="op")
    assert occurrences(maya) == [before[0], *before[2:]]

    maya.undo("calendar_delete_event", result)

    assert occurrences(maya) == before


def test_there_is_no_card_for_an_event_that_is_gone(maya: Calendars, study: str) -> None:
    maya.run("calendar_delete_event", {"event_id": study}, operation_id="op")

    with pytest.raises(ItemNotFound):
        maya.preview("calendar_delete_event", {"event_id": study})
