from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from services.errors import ReconnectRequired, RequestRefused, ServiceUnavailable
from services.integrations.calendar_feed import feed_cache
from services.integrations.calendar_feed.provider import _is_public
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.calendar_feed.conftest import Reader, canvas_feed, feed_of, grant
from tests.services.integrations.google_calendar.conftest import in_days, put_in


def listed(calls: Calendars, **arguments: object) -> list[dict[str, object]]:
    events: list[dict[str, object]] = calls.run("calendar_list_events", {"days": 30, **arguments}).data["events"]
    return events


def test_canvas_due_dates_are_called_due_dates_and_the_answer_says_what_it_cannot_know(reader: Reader) -> None:
    result = reader().run("calendar_list_events", {"days": 30, "kind": "due_dates"})

    first, *lines = result.output.splitlines()
    assert "due dates" in first
    assert "(Calendar feed, as of " in first
    assert lines[-1].startswith("Note: due dates here come from a calendar feed, which shows no grades")
    assert not result.is_partial
    assert result.data["remarks"] == [lines[-1].removeprefix("Note: ")]
    assert len(lines[:-1]) == len(result.data["events"]) > 0
    assert all(" — due " in line for line in lines[:-1])
    assert all(event["due_date"] and not event["busy"] for event in result.data["events"])


def test_what_a_due_date_does_not_tell_is_no_matter_of_free_time(reader: Reader) -> None:
    for tool in ("calendar_find_free_time", "calendar_suggest_times", "calendar_find_conflicts"):
        assert "no grades" not in reader().run(tool, {}).output, tool


def test_a_list_without_due_dates_says_nothing_of_what_they_do_not_tell(reader: Reader) -> None:
    for wanted in ({"kind": "events"}, {"search": "no such event anywhere"}):
        result = reader().run("calendar_list_events", wanted)

        assert "no grades" not in result.output
        assert result.data["remarks"] == []


def test_a_due_date_links_to_its_assignment_in_canvas(campus: CampusServer, reader: Reader) -> None:
    events = listed(reader(), kind="due_dates")

    assert events
    assert all(str(event["url"]).startswith(f"{campus.url}/canvas/courses/") for event in events)
    assert all("/assignments/" in str(event["url"]) for event in events)
    assert all("[" in str(event["title"]) for event in events)


def test_course_events_are_no_due_dates(reader: Reader) -> None:
    events = listed(reader(), kind="events")

    assert events
    assert all(not event["due_date"] for event in events)


def test_a_series_is_expanded_with_its_exceptions(reader: Reader) -> None:
    monday = in_days(0) - timedelta(days=in_days(0).weekday())

    events = listed(reader("ics/rowing.ics"), start=str(monday), days=21)

    trainings = [(str(event["start"])[:16], event["title"]) for event in events if "training" in str(event["title"])]
    skipped, moved = monday + timedelta(weeks=1), monday + timedelta(weeks=1, days=2)
    assert (f"{monday}T06:00", "Rowing: training") in trainings
    assert not any(at.startswith(str(skipped)) for at, _ in trainings)
    assert (f"{moved}T17:00", "Rowing: training (evening)") in trainings
    assert len(trainings) == 5


def test_whole_days_and_times_without_a_zone_are_the_students_own(reader: Reader) -> None:
    by_title = {event["title"]: event for event in listed(reader("ics/rowing.ics"))}

    weekend, dinner = by_title["Regatta weekend"], by_title["Club dinner"]
    assert (weekend["start"], weekend["end"], weekend["all_day"]) == (str(in_days(14)), str(in_days(16)), True)
    assert str(dinner["start"]).startswith(f"{in_days(9)}T19:30:00-0")


def test_a_zone_that_only_the_file_knows_is_read_from_it(reader: Reader) -> None:
    (event,) = listed(reader("ics/odd.ics"))

    berlin_hour = datetime.fromisoformat(str(event["start"])).astimezone(UTC).hour
    assert berlin_hour in (13, 14)


def test_bad_entries_are_counted_and_spoil_nothing(reader: Reader) -> None:
    result = reader("ics/bad.ics").run("calendar_list_events", {"days": 7})

    assert [event["title"] for event in result.data["events"]] == ["The good one"]
    assert "Note: 3 entries of “Mixed” could not be read." in result.output
    assert result.is_partial


def test_several_feeds_are_read_together_and_each_entry_says_which(reader: Reader) -> None:
    events = listed(reader("ics/rowing.ics", "ics/odd.ics"))

    assert {event["calendar"] for event in events} == {"Rowing club", "Exchange"}


def test_one_feed_that_fails_is_named_and_the_others_are_shown(reader: Reader) -> None:
    result = reader("ics/rowing.ics", "ics/gone.ics").run("calendar_list_events", {"days": 30})

    assert result.data["events"]
    assert "Note: One calendar feed could not be read (There is no calendar at this address" in result.output


def test_the_calendars_of_the_other_feeds_are_listed_and_count_unless_they_are_for_everybody(reader: Reader) -> None:
    rows = reader("ics/rowing.ics", "ics/gone.ics").run("calendar_list_calendars").data["calendars"]

    assert [(row["name"], row["blocks"]) for row in rows] == [("Rowing club", True)]


@pytest.mark.parametrize(
    ("address", "name", "is_public"),
    [
        ("https://timetable.example.edu/u/7f3a.ics", "Timetable Maya Chen", False),
        ("https://calendar.google.com/calendar/ical/maya%40x.example/private-1/basic.ics", "maya@x.example", False),
        ("https://calendar.google.com/calendar/ical/en.usa/public/basic.ics", "United States", True),
        ("https://events.example.edu/calendar.ics", "Example University", True),
        ("https://calendars.example.org/1.ics", "Public holidays", True),
        ("https://calendars.example.org/2.ics", "Campus events", True),
        ("https://eventually.example.org/3.ics", "My calendar", False),
    ],
)
def test_feeds_for_everybody_take_no_time_by_default(address: str, name: str, is_public: bool) -> None:
    assert _is_public(address, name) is is_public


def test_a_feed_that_is_gone_is_reported_as_one_to_connect_again(reader: Reader) -> None:
    calls = reader("ics/gone.ics")

    with pytest.raises(ReconnectRequired):
        calls.run("calendar_list_events", {})

    assert calls.connections.reported == [("calendar_feed", "ReconnectRequired")]


def test_a_second_question_within_minutes_asks_nobody(campus: CampusServer, reader: Reader) -> None:
    calls = reader("ics/rowing.ics")
    listed(calls)

    listed(calls, days=7)

    assert len(campus.log(service="ics")) == 1


def test_only_so_much_of_all_feeds_is_kept(
    campus: CampusServer, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The feeds of one student must not take the memory of everybody."""
    monkeypatch.setattr(feed_cache, "MOST_CACHED_BYTES", 1)
    calls = reader("ics/rowing.ics")

    assert listed(calls) == listed(calls)
    assert len(campus.log(service="ics")) == 2


def test_later_only_a_changed_feed_is_sent_again(campus: CampusServer) -> None:
    now = [datetime.now(UTC)]
    feed = feed_of(campus, clock=lambda: now[0])
    calls = Calendars(integrations={feed.id: feed}, grants={feed.id: grant(feed, f"{campus.url}/ics/rowing.ics")})
    before = listed(calls)
    now[0] += timedelta(minutes=6)

    after = listed(calls)

    assert [entry["status"] for entry in campus.log(service="ics")] == [200, 304]
    assert after == before


@pytest.mark.parametrize("fault", [{"fault": "status", "status": 503}, {"fault": "lose_response"}])
def test_a_feed_that_does_not_answer_is_shown_as_it_was_with_the_time(
    campus: CampusServer, fault: dict[str, object]
) -> None:
    now = [datetime.now(UTC)]
    feed = feed_of(campus, clock=lambda: now[0])
    calls = Calendars(integrations={feed.id: feed}, grants={feed.id: grant(feed, f"{campus.url}/ics/rowing.ics")})
    listed(calls)
    now[0] += timedelta(minutes=6)
    campus.fault(service="ics", times=0, **fault)

    result = calls.run("calendar_list_events", {"days": 30})

    assert result.data["events"]
    assert "“Rowing club” is shown as it was at " in result.output
    now[0] += timedelta(hours=25)
    with pytest.raises(ServiceUnavailable):
        calls.run("calendar_list_events", {"days": 30})


def test_nothing_can_be_written_to_a_feed(reader: Reader) -> None:
    calls = reader("ics/rowing.ics")
    id = listed(calls)[0]["id"]

    with pytest.raises(RequestRefused, match="can only be read"):
        calls.preview("calendar_update_event", {"event_id": id, "title": "Mine"})


def test_both_are_read_together_and_each_event_says_from_where(both: Calendars) -> None:
    result = both.run("calendar_list_events", {"days": 14})

    assert "(Google Calendar and Calendar feed, as of " in result.output
    assert {event["provider"] for event in result.data["events"]} == {"Google Calendar", "Calendar feed"}
    assert any("(Google Calendar)" in line for line in result.output.splitlines()[1:])
    assert any("in Maya Chen Calendar (Canvas) (Calendar feed)" in line for line in result.output.splitlines())


def test_an_event_that_stands_in_both_is_shown_once(campus: CampusServer, both: Calendars) -> None:
    rowing = replace(
        both, grants={**both.grants, "calendar_feed": grant(feed_of(campus), f"{campus.url}/ics/rowing.ics")}
    )
    dinner: date = in_days(9)
    edges = {
        name: {"dateTime": f"{dinner}T{hour}:00", "timeZone": "America/Chicago"}
        for name, hour in (("start", "19:30"), ("end", "21:30"))
    }
    put_in(rowing, summary="Club dinner", **edges)

    found = [event for event in listed(rowing) if event["title"] == "Club dinner"]

    assert [event["provider"] for event in found] == ["Google Calendar"]


def test_one_provider_that_fails_is_named_and_noted_and_the_other_is_shown(
    campus: CampusServer, both: Calendars
) -> None:
    campus.fault(service="google", fault="status", status=500, times=0)

    result = both.run("calendar_list_events", {"days": 14})

    assert {event["provider"] for event in result.data["events"]} == {"Calendar feed"}
    assert "Note: Google Calendar could not be read (Google Calendar is having trouble right now.)" in result.output
    assert ("google_calendar", "GoogleUnanswered") in both.connections.reported


def test_a_new_event_goes_to_the_calendar_that_can_be_written_to(both: Calendars) -> None:
    result = both.run("calendar_create_event", {"title": "Study", "start": f"{in_days(3)}T15:00"}, operation_id="op")

    assert result.data["event"]["provider"] == "Google Calendar"


def test_free_time_counts_feeds_and_leaves_due_dates_out(reader: Reader) -> None:
    dinner = {"start": str(in_days(9)), "end": str(in_days(9)), "day_start": "18:00", "day_end": "23:00"}

    free = reader("ics/rowing.ics").run("calendar_find_free_time", dinner).data["free"]

    assert [str(gap["start"])[11:16] for gap in free] == ["18:00", "21:30"]


def test_the_address_is_in_no_result(campus: CampusServer, reader: Reader) -> None:
    result = reader().run("calendar_list_events", {"days": 30})

    assert canvas_feed(campus).rpartition("/")[2] not in result.output + str(result.data)
