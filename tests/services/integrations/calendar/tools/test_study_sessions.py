"""Study sessions over several days, due dates, calendars by name, guests, and what the card warns of."""

from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere, RequestRefused
from services.safety.seen_addresses import SeenAddresses
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import CHICAGO, in_days

SESSIONS = {
    "title": "Study: cells",
    "starts": [f"{in_days(3)}T19:00", f"{in_days(5)}T20:00", f"{in_days(8)}T06:30"],
    "duration_minutes": 50,
}


def named(calls: Calendars, title: str) -> list[dict[str, Any]]:
    found = calls.run("calendar_list_events", {"days": 40, "search": title}).data["events"]
    return [event for event in found if event["title"] == title]


def posts(campus: CampusServer) -> int:
    return len(campus.log(service="google", method="POST", writes=1))


def test_one_card_lists_all_sessions(maya: Calendars) -> None:
    card = maya.card("calendar_create_study_sessions", SESSIONS)

    assert [label for label in card if label.startswith("Session")] == ["Session 1", "Session 2", "Session 3"]
    assert "7:00 PM – 7:50 PM" in card["Session 1"]


def test_all_sessions_are_added_once_and_undo_takes_all_of_them_out(campus: CampusServer, maya: Calendars) -> None:
    result = maya.run("calendar_create_study_sessions", SESSIONS, operation_id="op")
    repeat = maya.run("calendar_create_study_sessions", SESSIONS, operation_id="op", is_repeat=True)

    assert len(named(maya, "Study: cells")) == posts(campus) == 3
    assert repeat.undo == result.undo
    maya.undo("calendar_create_study_sessions", repeat)
    assert named(maya, "Study: cells") == []


def test_a_crash_among_the_sessions_leaves_none_twice(campus: CampusServer, maya: Calendars) -> None:
    campus.fault(service="google", method="POST", path="*/events", fault="status", status=400, skip=1, times=1)
    with pytest.raises(RequestRefused):
        maya.run("calendar_create_study_sessions", SESSIONS, operation_id="op")
    assert len(named(maya, "Study: cells")) == 1

    maya.run("calendar_create_study_sessions", SESSIONS, operation_id="op", is_repeat=True)

    assert len(named(maya, "Study: cells")) == posts(campus) == 3


def test_a_session_that_was_changed_stays_and_is_named_when_the_others_go(maya: Calendars) -> None:
    result = maya.run("calendar_create_study_sessions", SESSIONS, operation_id="op")
    kept = named(maya, "Study: cells")[1]
    maya.run("calendar_update_event", {"event_id": kept["id"], "location": "Café"}, operation_id="else")

    undone = maya.undo("calendar_create_study_sessions", result)

    assert [event["id"] for event in named(maya, "Study: cells")] == [kept["id"]]
    assert "Left alone, because it was changed since: “Study: cells”" in undone.output


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"starts": [f"{in_days(-1)}T10:00"]}, "in the past"),
        ({"starts": [f"{in_days(3)}T10:00", f"{in_days(3)}T10:30"]}, "overlap"),
        ({"starts": []}, "starts"),
        ({"starts": ["soon"]}, "not a time"),
        ({"starts": [f"{in_days(3)}T10:00", f"{in_days(3)}T10:50"]}, "leave 10 minutes"),
        ({"duration_minutes": 5}, "duration_minutes"),
    ],
)
def test_sessions_that_make_no_sense_are_refused(maya: Calendars, changes: dict[str, object], words: str) -> None:
    with pytest.raises(BadArguments, match=words):
        maya.preview("calendar_create_study_sessions", {**SESSIONS, **changes})


def test_a_due_date_ends_at_the_minute_it_is_due_with_its_link(maya: Calendars) -> None:
    known = SeenAddresses()
    known.add_student_text("https://canvas.example/courses/1/assignments/2")
    due = {
        "assignment": "Essay 4",
        "course": "WRIT 110",
        "due": f"{in_days(6)}T23:59",
        "link": "https://canvas.example/courses/1/assignments/2",
    }

    card = maya.card("calendar_add_due_date", due, seen_addresses=lambda: known)
    result = maya.run("calendar_add_due_date", due, operation_id="op")

    assert card["Title"] == "Due: Essay 4 (WRIT 110)"
    assert "11:29 PM – 11:59 PM" in card["When"]
    assert result.data["event"]["description"] == due["link"]


def test_what_is_due_within_minutes_still_gets_its_entry_and_what_was_due_does_not(maya: Calendars) -> None:
    due = {"assignment": "Essay 4", "due": f"{in_days(3)}T23:59"}
    late = replace(maya, clock=lambda: datetime.combine(in_days(3), time(23, 40), CHICAGO))
    too_late = replace(maya, clock=lambda: datetime.combine(in_days(4), time(0, 5), CHICAGO))

    card = late.card("calendar_add_due_date", due)
    result = late.run("calendar_add_due_date", due, operation_id="op")

    assert "11:29 PM – 11:59 PM" in card["When"]
    assert result.data["event"]["end"].startswith(f"{in_days(3)}T23:59")
    with pytest.raises(BadArguments, match="in the past"):
        too_late.card("calendar_add_due_date", due)


def test_a_link_that_nobody_named_gets_onto_no_card(maya: Calendars) -> None:
    due = {"assignment": "Essay", "due": f"{in_days(6)}T23:59", "link": "https://evil.example/?d=secret"}

    with pytest.raises(RequestRefused):
        maya.preview("calendar_add_due_date", due, seen_addresses=SeenAddresses)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("calendar_create_event", {"title": "X", "start": f"{in_days(3)}T20:00"}),
        ("calendar_create_study_sessions", SESSIONS),
        ("calendar_update_event", {"event_id": "google_calendar/any"}),
    ],
)
def test_an_address_in_the_notes_must_have_been_named_too(
    maya: Calendars, tool: str, arguments: dict[str, object]
) -> None:
    with pytest.raises(RequestRefused, match="an address in this event"):
        maya.preview(
            tool, {**arguments, "description": "see https://evil.example/?d=secret"}, seen_addresses=SeenAddresses
        )


def test_a_guest_must_be_named_by_the_student(campus: CampusServer, maya: Calendars) -> None:
    heard, meeting = (
        SeenAddresses(),
        {"title": "Talk", "start": f"{in_days(3)}T20:00", "guests": ["Sam@campus.example"]},
    )
    heard.add_student_text("Set up a talk with sam@campus.example on Tuesday")

    card = maya.card("calendar_create_event", meeting, seen_addresses=lambda: heard)
    with pytest.raises(RequestRefused, match=r"sam@campus\.example cannot be invited"):
        maya.preview("calendar_create_event", meeting, seen_addresses=SeenAddresses)
    result = maya.run("calendar_create_event", meeting, operation_id="op")

    assert card["Guests"] == "sam@campus.example – each gets an invitation by e-mail"
    (post,) = campus.log(service="google", method="POST", writes=1)
    assert post["query"]["sendUpdates"] == "all"
    maya.undo("calendar_create_event", result)
    (deletion,) = campus.log(service="google", method="DELETE")
    assert deletion["query"]["sendUpdates"] == "all"


def test_an_address_that_is_only_part_of_what_was_said_does_not_count() -> None:
    heard = SeenAddresses()
    heard.add_student_text("Ask notsam@campus.example.org about it")

    assert not heard.is_written_by_student("sam@campus.example")
    assert not heard.is_written_by_student("campus.example")


def test_the_card_names_what_else_is_then(maya: Calendars) -> None:
    maya.run("calendar_create_event", {"title": "Dinner", "start": f"{in_days(3)}T21:00"}, operation_id="op")

    card = maya.card("calendar_create_event", {"title": "Movie", "start": f"{in_days(3)}T21:30"})

    assert "“Dinner”" in card["Conflicts"]


def test_moving_an_event_warns_too_but_not_of_itself(maya: Calendars) -> None:
    made = maya.run("calendar_create_event", {"title": "Dinner", "start": f"{in_days(3)}T05:00"}, operation_id="a")
    id = made.data["event"]["id"]

    card = maya.card("calendar_update_event", {"event_id": id, "start": f"{in_days(3)}T05:30"})

    assert "Conflicts" not in card


def test_the_calendars_are_listed_with_what_can_be_done_with_them(maya: Calendars) -> None:
    result = maya.run("calendar_list_calendars")

    by_name = {calendar["name"]: calendar for calendar in result.data["calendars"]}
    assert by_name["Studies"]["can_write"]
    assert not by_name["Campus events"]["can_write"]
    assert not by_name["Intramural sports"]["selected"]
    assert [calendar["name"] for calendar in result.data["calendars"] if calendar["main"]] == ["Maya Chen"]


def test_an_event_goes_into_the_calendar_that_is_named_and_can_be_undone(maya: Calendars) -> None:
    study = {"title": "Into Studies", "start": f"{in_days(3)}T21:00", "calendar": "studies"}

    card = maya.card("calendar_create_event", study)
    result = maya.run("calendar_create_event", study, operation_id="op")

    assert card["Calendar"] == "Studies"
    assert [event["calendar"] for event in named(maya, "Into Studies")] == ["Studies"]
    assert maya.run("calendar_list_events", {"days": 9, "calendar": "Studies"}).data["events"]
    maya.undo("calendar_create_event", result)
    assert named(maya, "Into Studies") == []


@pytest.mark.parametrize(("name", "words"), [("campus events", "only be read"), ("nonsense", "none is called")])
def test_a_calendar_that_cannot_take_it_is_refused_by_name(maya: Calendars, name: str, words: str) -> None:
    with pytest.raises(BadArguments, match=words):
        maya.preview("calendar_create_event", {"title": "X", "start": f"{in_days(3)}T21:00", "calendar": name})


def test_clashes_in_a_range_are_found_in_pairs(maya: Calendars) -> None:
    day = str(in_days(20))
    for title, start in (("One", "05:00"), ("Two", "05:30"), ("Three", "06:00")):
        maya.run("calendar_create_event", {"title": title, "start": f"{day}T{start}"}, operation_id=title)

    result = maya.run("calendar_find_conflicts", {"start": day, "end": day})

    pairs = [(event["title"], other["title"]) for event, other in result.data["conflicts"]]
    assert ("One", "Two") in pairs
    assert ("Two", "Three") in pairs
    assert ("One", "Three") not in pairs


def test_the_best_times_come_first_with_reasons_and_none_is_taken_or_past(maya: Calendars) -> None:
    search = {"minutes": 60, "start": str(in_days(0)), "end": str(in_days(5)), "prefer": "afternoon"}

    result = maya.run("calendar_suggest_times", search)

    points = [suggestion["points"] for suggestion in result.data["suggestions"]]
    busy = maya.run("calendar_list_events", {"days": 7}).data["events"]
    assert points == sorted(points, reverse=True)
    for suggestion in result.data["suggestions"]:
        start, end = (datetime.fromisoformat(suggestion[edge]) for edge in ("start", "end"))
        assert start > datetime.now(UTC)
        taken = [event for event in busy if event["busy"] and not event["all_day"]]
        assert not any(
            datetime.fromisoformat(event["start"]) < end and start < datetime.fromisoformat(event["end"])
            for event in taken
        )
    assert "1. **" in result.output


def test_a_buffer_is_kept_around_what_is_in_the_calendar(maya: Calendars) -> None:
    day = str(in_days(20))
    maya.run(
        "calendar_create_event", {"title": "Early", "start": f"{day}T05:30", "duration_minutes": 30}, operation_id="a"
    )
    window = {"start": day, "end": day, "day_start": "04:00", "day_end": "07:00", "buffer_minutes": 15, "minutes": 30}

    free = maya.run("calendar_find_free_time", window).data["free"]

    assert [(gap["start"][11:16], gap["end"][11:16]) for gap in free] == [("04:00", "05:15"), ("06:15", "07:00")]


def test_an_update_that_was_lost_in_a_crash_can_be_undone_after_the_repeat(maya: Calendars) -> None:
    made = maya.run("calendar_create_event", {"title": "Dinner", "start": f"{in_days(3)}T21:00"}, operation_id="a")
    change = {"event_id": made.data["event"]["id"], "title": "Late dinner", "location": "Home"}
    maya.run("calendar_update_event", change, operation_id="b")

    repeat = maya.run("calendar_update_event", change, operation_id="b", is_repeat=True)
    maya.undo("calendar_update_event", repeat)

    assert [event["location"] for event in named(maya, "Dinner")] == [""]


def test_a_repeat_never_writes_over_what_somebody_changed_since(maya: Calendars) -> None:
    made = maya.run("calendar_create_event", {"title": "Dinner", "start": f"{in_days(3)}T21:00"}, operation_id="a")
    change = {"event_id": made.data["event"]["id"], "title": "Late dinner"}
    maya.run("calendar_update_event", change, operation_id="b")
    maya.run("calendar_update_event", {**change, "title": "No dinner"}, operation_id="else")

    with pytest.raises(ChangedElsewhere):
        maya.run("calendar_update_event", change, operation_id="b", is_repeat=True)

    assert named(maya, "No dinner")
