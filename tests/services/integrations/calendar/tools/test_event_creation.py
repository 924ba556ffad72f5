from dataclasses import replace
from datetime import UTC, datetime

import pytest

from services.errors import BadArguments, ChangedElsewhere, OutcomeUnknown, PermissionMissing, ServiceUnavailable
from services.integrations.google_calendar.write_steps import event_id_for
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import CHICAGO, in_days
from tests.tool_calls import MAYA

STUDY = {"title": "Study session", "start": f"{in_days(3)}T15:00", "end": f"{in_days(3)}T16:30"}


def events(calls: Calendars, title: str = "Study session") -> list[dict[str, object]]:
    found = calls.run("calendar_list_events", {"search": title, "days": 30}).data["events"]
    return [event for event in found if event["title"] == title]


def writes(campus: CampusServer) -> int:
    return len(campus.log(service="google", method="POST", writes=1))


def test_the_card_shows_every_field_with_weekday_and_zone(maya: Calendars) -> None:
    rows = maya.preview("calendar_create_event", {**STUDY, "location": "Library", "description": "**Bring** notes"})

    day = in_days(3)
    shown = {row.label: row.value for row in rows}
    assert shown["When"].startswith(f"{day:%a} {day.day} {day:%b %Y}, 3:00 PM – 4:30 PM C")
    assert shown["Time zone"] == "America/Chicago"
    assert shown["Notes"] == "**Bring** notes"
    assert shown["Reminders"] == "1 day before and 1 hour before"
    assert list(shown) == ["Title", "When", "Time zone", "Calendar", "Location", "Notes", "Reminders", "Conflicts"]


def test_looking_at_a_card_writes_nothing(campus: CampusServer, maya: Calendars) -> None:
    maya.preview("calendar_create_event", STUDY)

    assert campus.log(service="google", writes=1) == []


def test_an_added_event_is_in_the_calendar_as_the_card_said(campus: CampusServer, maya: Calendars) -> None:
    result = maya.run("calendar_create_event", {**STUDY, "location": "Library"}, operation_id="op")

    (event,) = events(maya)
    assert event["start"] == datetime.fromisoformat(STUDY["start"]).replace(tzinfo=CHICAGO).isoformat()
    assert event["location"] == "Library"
    assert event["id"] == f"google_calendar/{event_id_for('op')}"
    assert str(event["url"]) in result.output
    (post,) = campus.log(service="google", method="POST", writes=1)
    assert post["body"]["reminders"]["overrides"] == [
        {"method": "popup", "minutes": 1440},
        {"method": "popup", "minutes": 60},
    ]
    assert not post["body"].keys() & {"attendees", "recurrence", "conferenceData"}


def test_an_event_without_an_end_lasts_an_hour(maya: Calendars) -> None:
    result = maya.run("calendar_create_event", {"title": "Call", "start": f"{in_days(3)}T15:00"}, operation_id="op")

    assert "3:00 PM – 4:00 PM" in result.output


def test_a_whole_day_event_includes_its_last_day(maya: Calendars) -> None:
    trip = {"title": "Trip", "start": str(in_days(4)), "end": str(in_days(6)), "all_day": True}

    result = maya.run("calendar_create_event", trip, operation_id="op")

    assert (result.data["event"]["start"], result.data["event"]["end"]) == (str(in_days(4)), str(in_days(7)))
    assert f"– {in_days(6):%a} {in_days(6).day} {in_days(6):%b %Y}, all day" in result.output


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"start": f"{in_days(-1)}T15:00", "end": None}, "is in the past; it is"),
        ({"start": str(in_days(-1)), "end": None, "all_day": True}, "is in the past; today is"),
        ({"end": f"{in_days(3)}T14:00"}, "end is not after start"),
        ({"end": f"{in_days(3)}T15:00"}, "end is not after start"),
        ({"duration_minutes": 30}, "not both"),
        ({"start": f"{in_days(3)}"}, "lacks the time of day"),
        ({"start": str(in_days(3)), "end": str(in_days(2)), "all_day": True}, "end is before start"),
        ({"reminders_minutes": [1, 2, 3, 4, 5, 6]}, "reminders_minutes"),
        ({"guests": ["nobody"]}, "guests"),
        ({"title": ""}, "title"),
    ],
)
def test_what_makes_no_sense_is_refused_before_there_is_a_card(
    campus: CampusServer, maya: Calendars, changes: dict[str, object], reason: str
) -> None:
    with pytest.raises(BadArguments, match=reason) as refused:
        maya.preview("calendar_create_event", {**STUDY, **changes})

    assert "in the past" not in reason or refused.value.next_step == "Ask the student which day they mean."
    assert campus.log(service="google", writes=1) == []


def test_an_event_in_the_past_is_refused_when_it_is_acted_on_too(maya: Calendars) -> None:
    with pytest.raises(BadArguments, match="in the past"):
        maya.run("calendar_create_event", {"title": "Late", "start": f"{in_days(-2)}T15:00"}, operation_id="op")


def test_the_same_operation_twice_makes_one_event(campus: CampusServer, maya: Calendars) -> None:
    first = maya.run("calendar_create_event", STUDY, operation_id="op")

    second = maya.run("calendar_create_event", STUDY, operation_id="op", is_repeat=True)

    assert len(events(maya)) == writes(campus) == 1
    assert second.undo == first.undo


def test_two_operations_with_equal_arguments_make_two_events(maya: Calendars) -> None:
    maya.run("calendar_create_event", STUDY, operation_id="one")
    maya.run("calendar_create_event", STUDY, operation_id="two")

    assert len(events(maya)) == 2


@pytest.mark.parametrize("fault", ["lose_response", "truncate"])
def test_a_lost_answer_leads_to_exactly_one_event(campus: CampusServer, maya: Calendars, fault: str) -> None:
    campus.fault(service="google", method="POST", path="*/events", fault=fault)

    result = maya.run("calendar_create_event", STUDY, operation_id="op")

    statuses = [e["status"] for e in campus.log(service="google", method="POST") if e["path"].endswith("/events")]
    assert statuses[-1] == 409
    assert len(events(maya)) == writes(campus) == 1
    assert result.undo is not None


def test_a_server_error_before_the_write_leads_to_exactly_one_event(campus: CampusServer, maya: Calendars) -> None:
    campus.fault(service="google", method="POST", path="*/events", fault="status", status=503)

    maya.run("calendar_create_event", STUDY, operation_id="op")

    assert len(events(maya)) == writes(campus) == 1


def test_when_no_answer_ever_comes_the_outcome_is_called_unknown(campus: CampusServer, hasty: Calendars) -> None:
    campus.fault(service="google", method="POST", path="*/events", fault="lose_response", times=0)
    campus.fault(service="google", method="POST", path="*/events", fault="hang", times=0)

    with pytest.raises(OutcomeUnknown, match="did not confirm that the event was added") as caught:
        hasty.run("calendar_create_event", STUDY, operation_id="op")

    assert "look in Google Calendar" in caught.value.next_step


def test_what_was_surely_not_sent_is_not_called_unknown(campus: CampusServer, maya: Calendars) -> None:
    campus.fault(
        service="google",
        method="POST",
        path="*/events",
        fault="status",
        status=429,
        times=0,
        headers={"Retry-After": "120"},
    )

    with pytest.raises(ServiceUnavailable) as caught:
        maya.run("calendar_create_event", STUDY, operation_id="op")

    assert caught.value.retry_after_s == 120  # type: ignore[attr-defined]
    assert len([entry for entry in campus.log(service="google", method="POST") if "/events" in entry["path"]]) == 1


def test_slow_down_is_waited_out_within_the_deadline(campus: CampusServer, maya: Calendars) -> None:
    body = {"error": {"code": 403, "message": "Rate Limit Exceeded", "errors": [{"reason": "rateLimitExceeded"}]}}
    campus.fault(service="google", method="POST", path="*/events", fault="status", status=403, body=body, times=2)

    maya.run("calendar_create_event", STUDY, operation_id="op")

    assert len(events(maya)) == 1


def test_a_missing_permission_is_told_apart_from_too_many_requests(campus: CampusServer, maya: Calendars) -> None:
    body = {"error": {"code": 403, "message": "Insufficient", "errors": [{"reason": "insufficientPermissions"}]}}
    campus.fault(service="google", method="POST", path="*/events", fault="status", status=403, body=body)

    with pytest.raises(PermissionMissing) as caught:
        maya.run("calendar_create_event", STUDY, operation_id="op")

    assert "tick every box" in caught.value.next_step


def test_undo_takes_the_event_out_again_and_may_be_repeated(maya: Calendars) -> None:
    result = maya.run("calendar_create_event", STUDY, operation_id="op")

    maya.undo("calendar_create_event", result)
    again = maya.undo("calendar_create_event", result)

    assert events(maya) == []
    assert again.success


def test_undo_refuses_when_the_event_was_changed_since(maya: Calendars) -> None:
    result = maya.run("calendar_create_event", STUDY, operation_id="op")
    maya.run("calendar_update_event", {"event_id": event_id_for("op"), "location": "Café"}, operation_id="else")

    with pytest.raises(ChangedElsewhere, match="changed in Google Calendar since, so it stays as it is"):
        maya.undo("calendar_create_event", result)

    assert len(events(maya)) == 1


def test_a_lost_answer_to_an_undo_still_takes_the_event_out_once(campus: CampusServer, maya: Calendars) -> None:
    result = maya.run("calendar_create_event", STUDY, operation_id="op")
    campus.fault(service="google", method="DELETE", fault="lose_response")

    maya.undo("calendar_create_event", result)

    assert events(maya) == []


def test_a_repeat_after_the_event_was_deleted_does_not_bring_it_back(maya: Calendars) -> None:
    result = maya.run("calendar_create_event", STUDY, operation_id="op")
    maya.undo("calendar_create_event", result)

    with pytest.raises(ChangedElsewhere, match="deleted in Google Calendar since"):
        maya.run("calendar_create_event", STUDY, operation_id="op", is_repeat=True)

    assert events(maya) == []


def test_a_repeat_after_the_event_was_changed_elsewhere_offers_no_undo(maya: Calendars) -> None:
    maya.run("calendar_create_event", STUDY, operation_id="op")
    maya.run("calendar_update_event", {"event_id": event_id_for("op"), "location": "Café"}, operation_id="else")

    repeat = maya.run("calendar_create_event", STUDY, operation_id="op", is_repeat=True)

    assert repeat.success
    assert repeat.undo is None


def test_an_id_is_what_google_takes_and_the_same_for_every_try() -> None:
    id = event_id_for("approval-1")

    assert id == event_id_for("approval-1") != event_id_for("approval-2")
    assert set(id) <= set("0123456789abcdefghijklmnopqrstuv")
    assert 5 <= len(id) <= 1024


def test_now_is_read_from_the_context_only(maya: Calendars) -> None:
    past = replace(maya, clock=lambda: datetime(2020, 1, 1, tzinfo=UTC))

    assert past.preview("calendar_create_event", {"title": "Then", "start": "2020-01-02T10:00"})


def test_a_time_zone_changed_between_card_and_approval_moves_no_event(maya: Calendars) -> None:
    rows = maya.preview("calendar_create_event", STUDY)
    moved = replace(maya, student=replace(MAYA, timezone="Europe/Madrid"))

    with pytest.raises(ChangedElsewhere, match="time zone was changed"):
        moved.run("calendar_create_event", STUDY, operation_id="op", approved_rows=rows)

    assert events(maya) == []
