import re
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from services.errors import BadArguments, ServiceUnavailable
from services.integrations.base import Integration
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import CHICAGO, grant_of, in_days, put_in
from tests.tool_calls import MAYA


def add(calls: Calendars, **event: object) -> str:
    result = calls.run("calendar_create_event", event, operation_id=str(event))
    assert result.data is not None
    return str(result.data["event"]["id"])


def test_the_agenda_says_when_it_was_read_and_gives_each_event_with_weekday_time_zone_link_and_id(
    maya: Calendars,
) -> None:
    add(maya, title="Study", start=f"{in_days(3)}T15:00", duration_minutes=90, location="Library")

    result = maya.run("calendar_list_events", {"start": str(in_days(3)), "days": 1, "search": "Study"})

    first, *items = result.output.splitlines()
    assert re.search(r"\(Google Calendar, as of \d\d?:\d\d [AP]M\)\.$", first)
    (item,) = [item for item in items if "**Study**" in item]
    when = f"{in_days(3):%a} {in_days(3).day} {in_days(3):%b %Y}, 3:00 PM – 4:30 PM "
    assert re.fullmatch(
        rf"- \*\*Study\*\* — {when}C[SD]T — Library — \[open\]\(http.+\) \(id: google_calendar/[a-v0-9]+\)", item
    )
    assert ("Study", 1) in [(source.title, source.url.count("event?eid=")) for source in result.sources]


def test_recurring_events_appear_as_single_occurrences_in_order_of_time(maya: Calendars) -> None:
    result = maya.run("calendar_list_events", {"days": 14})

    titles = [event["title"] for event in result.data["events"]]
    starts = [event["start"][:16] for event in result.data["events"] if not event["all_day"]]
    assert max(titles.count(title) for title in titles) >= 4
    assert starts == sorted(starts)


def test_every_ticked_calendar_is_read_to_its_end(campus: CampusServer, maya: Calendars) -> None:
    result = maya.run("calendar_list_events", {"start": str(in_days(-60)), "days": 90})

    asked = [entry["path"] for entry in campus.log(service="google") if entry["path"].endswith("/events")]
    assert len(set(asked)) >= 2
    assert len(asked) > len(set(asked)), "more than one page of the main calendar"
    assert result.output.splitlines()[-1].startswith("Note: only the first 100")


def test_a_whole_day_event_is_on_its_days_and_no_others(maya: Calendars) -> None:
    add(maya, title="Conference", start=str(in_days(2)), end=str(in_days(3)), all_day=True)

    def titles(day: int) -> list[str]:
        return [
            e["title"] for e in maya.run("calendar_list_events", {"start": str(in_days(day)), "days": 1}).data["events"]
        ]

    assert ["Conference" in titles(day) for day in (1, 2, 3, 4)] == [False, True, True, False]
    output = maya.run("calendar_list_events", {"start": str(in_days(2)), "search": "Conference"}).output
    assert f"– {in_days(3):%a} {in_days(3).day} {in_days(3):%b %Y}, all day" in output


def test_search_words_narrow_the_list(maya: Calendars) -> None:
    add(maya, title="Zebra watching", start=f"{in_days(2)}T10:00")

    result = maya.run("calendar_list_events", {"search": "zebra"})

    assert [event["title"] for event in result.data["events"]] == ["Zebra watching"]
    assert result.output.startswith("1 event with “zebra”, ")


def test_words_in_the_addresses_of_people_and_links_find_nothing(maya: Calendars) -> None:
    put_in(maya, summary="Dinner", attendees=[{"email": "exam.office@campus.example"}])
    add(maya, title="Bike ride", start=f"{in_days(2)}T10:00", description="Route: https://x.example/exam, for example")
    add(maya, title="Chemistry exam", start=f"{in_days(4)}T10:00")
    add(maya, title="Review", start=f"{in_days(5)}T10:00", description="Everything for the exam")
    add(maya, title="Call", start=f"{in_days(5)}T12:00", location="Exam hall")

    result = maya.run("calendar_list_events", {"search": "exam", "days": 10})

    titles = [event["title"] for event in result.data["events"]]
    assert titles[-3:] == ["Chemistry exam", "Review", "Call"]
    assert all("exam" in f"{e['title']} {e['location']} {e['description']}".lower() for e in result.data["events"])
    assert {"Dinner", "Bike ride"}.isdisjoint(titles)


@pytest.mark.parametrize("words", ["examen quimica", "EXÁMEN QUÍMICA", "química examen"])
def test_all_words_count_and_case_accents_and_order_do_not(maya: Calendars, words: str) -> None:
    add(maya, title="Examen de Química", start=f"{in_days(2)}T10:00")
    add(maya, title="Examen de historia", start=f"{in_days(3)}T10:00")

    result = maya.run("calendar_list_events", {"search": words})

    assert [event["title"] for event in result.data["events"]] == ["Examen de Química"]


def test_mistyped_words_find_what_is_like_them_and_say_so(maya: Calendars) -> None:
    add(maya, title="Zebra watching", start=f"{in_days(2)}T10:00")

    result = maya.run("calendar_list_events", {"search": "zebra wacthing"})

    assert [event["title"] for event in result.data["events"]] == ["Zebra watching"]
    assert "Note: no event has exactly these words" in result.output


def test_where_no_event_has_all_words_the_closest_titles_are_named(maya: Calendars) -> None:
    add(maya, title="Zebra watching", start=f"{in_days(2)}T10:00")

    result = maya.run("calendar_list_events", {"search": "zebra appointment"})

    assert result.data["events"] == []
    assert "Note: no event has all these words; closest by title: “Zebra watching”." in result.output


def test_a_list_that_is_cut_says_how_many_there_are(maya: Calendars) -> None:
    result = maya.run("calendar_list_events", {"start": str(in_days(-60)), "days": 90})

    total = result.data["total"]
    assert total > len(result.data["events"]) == 100
    assert f"Note: only the first 100 of {total} are shown" in result.output
    assert result.is_partial


def test_an_empty_range_says_so(maya: Calendars) -> None:
    result = maya.run("calendar_list_events", {"search": "no such words anywhere"})

    assert result.output.startswith("No events with “no such words anywhere”")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"start": "2026-11-27", "end": "2026-11-20"}, "end"),
        ({"start": "2026-11-20", "end": "2028-11-20"}, "end"),
        ({"end": "2026-11-27", "days": 3}, "days"),
        ({"start": "soon"}, "start"),
    ],
)
def test_days_that_make_no_sense_are_refused_by_name(maya: Calendars, arguments: dict[str, object], field: str) -> None:
    with pytest.raises(BadArguments) as caught:
        maya.run("calendar_list_events", arguments)

    assert caught.value.field == field


def test_half_a_list_is_never_shown_as_a_whole_one(campus: CampusServer, maya: Calendars) -> None:
    campus.fault(service="google", path="*/primary/events", fault="status", status=503, times=0, skip=1)

    with pytest.raises(ServiceUnavailable):
        maya.run("calendar_list_events", {"start": str(in_days(-60)), "days": 90})


def test_a_calendar_that_google_does_not_show_is_named(campus: CampusServer, maya: Calendars) -> None:
    campus.fault(service="google", path="*c_campusevents*/events", fault="status", status=404, times=0)

    result = maya.run("calendar_list_events", {"days": 2})

    assert result.output.splitlines()[-1].startswith(
        "Note: Google Calendar would not show the calendar “Campus events”"
    )
    assert result.data["unread_calendars"] == ["Campus events"]


def test_many_calendars_take_as_long_as_the_slowest(campus: CampusServer, maya: Calendars) -> None:
    campus.fault(service="google", path="*/events", fault="delay", seconds=0.5, times=0)
    started = time.monotonic()

    maya.run("calendar_list_events", {"days": 2})

    assert time.monotonic() - started < 1.0, "three calendars, one after another, take a second and a half"


def test_another_students_calendar_stays_theirs(campus: CampusServer, google: Integration, maya: Calendars) -> None:
    add(maya, title="Maya's secret", start=f"{in_days(2)}T10:00")
    diego = Calendars(integrations={"google_calendar": google}, grants={"google_calendar": grant_of(campus, "diego")})

    result = diego.run("calendar_list_events", {"search": "secret"})

    assert result.data["events"] == []


def test_free_time_leaves_out_what_is_busy_and_keeps_what_is_marked_free(maya: Calendars) -> None:
    day = str(in_days(20))
    window = {"start": day, "end": day, "day_start": "06:00", "day_end": "07:00"}
    assert len(maya.run("calendar_find_free_time", window).data["free"]) == 1
    add(maya, title="Early run", start=f"{day}T06:15", duration_minutes=15)

    result = maya.run("calendar_find_free_time", {**window, "minutes": 15})

    assert [gap["start"][11:16] for gap in result.data["free"]] == ["06:00", "06:30"]
    assert "(15 minutes)" in result.output
    assert "(30 minutes)" in result.output


def test_free_time_is_never_in_the_past(maya: Calendars) -> None:
    result = maya.run("calendar_find_free_time", {"minutes": 30})

    now = maya.context().now()
    assert result.data["free"]
    assert all(gap["start"] >= (now - timedelta(minutes=1)).isoformat() for gap in result.data["free"])


def test_a_whole_busy_day_is_explained(maya: Calendars) -> None:
    day = str(in_days(20))
    add(maya, title="Field trip", start=day, all_day=True)

    result = maya.run("calendar_find_free_time", {"start": day, "end": day})

    assert result.data["free"] == []
    assert "Note: counted as busy: “Field trip”" in result.output


def test_a_day_that_ends_before_it_starts_is_refused(maya: Calendars) -> None:
    with pytest.raises(BadArguments) as caught:
        maya.run("calendar_find_free_time", {"day_start": "20:00", "day_end": "08:00"})

    assert caught.value.field == "day_end"


def test_the_tools_speak_of_time_in_the_students_own_zone(campus: CampusServer, google: Integration) -> None:
    madrid = replace(MAYA, timezone="Europe/Madrid")
    calls = Calendars(
        integrations={"google_calendar": google}, grants={"google_calendar": grant_of(campus)}, student=madrid
    )
    add(calls, title="Call", start=f"{in_days(3)}T18:00")

    output = calls.run("calendar_list_events", {"search": "Call", "days": 10}).output

    assert re.search(r"\*\*Call\*\* — .+, 6:00 PM – 7:00 PM CES?T", output)
    assert CHICAGO.key not in output


def test_no_due_dates_without_a_feed_are_no_word_on_what_is_due(maya: Calendars) -> None:
    result = maya.run("calendar_list_events", {"kind": "due_dates"})

    assert result.output.startswith("No due dates")
    assert "says nothing of what is due elsewhere" in result.output
