"""The calendar's data: all stands where clocks show it, is named in full, and nothing of it can be read as code."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest

from services.i18n import locale_scope
from services.identity.students import Student
from services.week.free_time import Gap
from services.week.week import EntryKind, Week, WeekEntry
from tests.services.week.entries import CHICAGO, at, due, event, week_of
from ui.week.calendar_data import Json, calendar_data

MAYA = Student(id="maya", name="Maya", email="", timezone="America/Chicago")


def data(week: Week, **more: object) -> Json:
    return calendar_data(MAYA, week, **{"tones": {}, "view": "week", "day": date(2026, 11, 25), **more})  # type: ignore[arg-type]


def rows(*entries: WeekEntry) -> dict[str, Json]:
    return {row["title"]: row for row in data(week_of(*entries))["entries"]}


def test_an_entry_is_told_with_time_place_course_and_state() -> None:
    lab = event("BIOL 201 lab", "2026-11-26T15:00", "2026-11-26T17:00", where="Room 2", can_change=True)
    essay = due("Essay", "2026-11-26T23:59", course="WRIT 110: Writing", status="handed in", is_done=True)

    told = calendar_data(
        MAYA, week_of(lab, essay), tones={"BIOL 201": 3, "WRIT 110: Writing": 1}, view="", day=date(2026, 11, 25)
    )

    first, second = told["entries"]
    assert (first["label"], first["tone"], first["can_move"]) == ("BIOL 201 lab, 3:00 PM – 5:00 PM, Room 2.", 3, True)
    assert (first["start"], first["end"]) == ("2026-11-26T15:00", "2026-11-26T17:00")
    assert second["label"] == "Due: Essay, 11:59 PM, WRIT 110, handed in."
    assert (second["tone"], second["state"], second["can_move"]) == (1, "done", False)
    assert (told["now"], told["first"], told["from"]) == ("2026-11-25T12:00", "2026-11-22", "07:00:00")
    assert [day["label"] for day in told["days"] if day["is_today"]] == ["Wed 25"]


def test_what_is_due_is_a_mark_that_ends_then_and_many_at_once_stand_above_each_other() -> None:
    marks = [due(f"Work {number}", "2026-11-27T23:59") for number in range(3)]

    spans = {title: (row["start"][11:], row["end"][11:]) for title, row in rows(*marks).items()}

    assert sorted(spans.values()) == [("22:29", "22:59"), ("22:59", "23:29"), ("23:29", "23:59")]
    assert all(row["time"] == "11:59 PM" for row in rows(*marks).values())


def test_of_too_many_at_once_the_others_are_one_mark_that_names_them() -> None:
    marks = [due(f"Work {number:02}", "2026-11-27T23:59") for number in range(25)]
    apart = due("Quiz", "2026-11-27T09:00")

    told = rows(*marks, apart)

    assert len(told) == 6
    rest = told["21 more due"]
    assert rest["key"] == "day-2026-11-27"
    assert rest["label"].count("Work") == 21
    assert (told["Quiz"]["start"], told["Quiz"]["end"]) == ("2026-11-27T08:30", "2026-11-27T09:00")


def test_clashes_are_named_by_both() -> None:
    told = rows(
        event("Lab", "2026-11-26T15:00", "2026-11-26T17:00"), event("Tutor", "2026-11-26T16:00", "2026-11-26T18:00")
    )

    assert told["Lab"]["clash"] == "Clashes with “Tutor”"
    assert told["Tutor"]["label"].endswith("Clashes with “Lab”.")


def test_the_grid_begins_where_the_first_thing_does() -> None:
    early = due("Early", "2026-11-27T06:10")
    night = event("Night", "2026-11-26T23:00", "2026-11-27T01:00")
    evening = event("Film", "2026-11-26T21:00", "2026-11-27T00:00")

    assert data(week_of(evening))["from"] == "07:00:00"
    assert data(week_of(early))["from"] == "05:00:00"
    assert data(week_of(night))["from"] == "00:00:00"
    assert rows(night)["Night"]["time"] == "11:00 PM – Fri 1:00 AM"


def test_a_series_of_whole_days_ends_with_its_last_day() -> None:
    told = rows(event("Break", "2026-11-25", "2026-11-28", is_whole_day=True))["Break"]

    assert (told["start"], told["end"], told["is_whole_day"]) == ("2026-11-25", "2026-11-28", True)
    assert told["label"] == "Break, all day."


@pytest.mark.parametrize(
    ("start", "minutes", "edges"),
    [
        ("2026-11-01T01:30", 45, ("2026-11-01T01:30", "2026-11-01T02:15")),
        ("2026-11-01T00:30", 150, ("2026-11-01T00:30", "2026-11-01T02:00")),
        ("2026-03-08T01:30", 60, ("2026-03-08T01:30", "2026-03-08T03:30")),
    ],
)
def test_in_the_nights_when_clocks_change_an_event_stands_where_clocks_show_it_and_has_a_length(
    start: str, minutes: int, edges: tuple[str, str]
) -> None:
    begin = at(start)
    end = (begin.astimezone(ZoneInfo("UTC")) + timedelta(minutes=minutes)).astimezone(CHICAGO)
    entry = WeekEntry(kind=EntryKind.EVENT, id="1", title="Shift", start=begin, end=end)

    told = rows(entry)["Shift"]

    assert (told["start"], told["end"]) == edges


def test_what_has_no_length_just_before_midnight_is_drawn_on_its_own_day() -> None:
    told = rows(event("Opening", "2026-11-26T23:59", "2026-11-26T23:59"))["Opening"]

    assert (told["start"][:10], told["end"]) == ("2026-11-26", "2026-11-27T00:00")


def test_titles_of_others_are_one_line_of_plain_text() -> None:
    hostile = event("<img src=x onerror=alert(1)>\n\u202eevil\u200b", "2026-11-26T15:00", "2026-11-26T17:00")

    (row,) = data(week_of(hostile, due("x" * 900, "2026-11-27T09:00")))["entries"][:1]

    assert row["title"] == "<img src=x onerror=alert(1)> evil"
    assert "\n" not in row["label"]
    assert "\u202e" not in row["label"]
    assert max(len(entry["title"]) for entry in data(week_of(due("x" * 900, "2026-11-27T09:00")))["entries"]) <= 201


def test_free_time_is_told_and_taken_only_where_a_calendar_can_be_written_and_days_are_left() -> None:
    gap = Gap(start=at("2026-11-26T09:00"), end=at("2026-11-26T11:30"))
    week = week_of(free=(gap,))
    over = week_of(first=date(2026, 11, 8))

    room = {"start": "2026-11-26T09:00", "end": "2026-11-26T11:30", "label": "Free 2½ h", "label_at": 0.0}
    assert data(week)["free"] == [room]
    assert data(week)["can_propose"]
    assert not data(week_of(can_write=False))["can_propose"]
    assert not data(over)["can_propose"]


def test_the_words_of_free_time_stand_where_nothing_covers_them() -> None:
    gap = Gap(start=at("2026-11-26T09:00"), end=at("2026-11-26T11:00"))
    drop_in = event("Drop-in", "2026-11-26T08:00", "2026-11-26T10:00", is_busy=False)
    talk = event("Talk", "2026-11-26T10:10", "2026-11-26T11:00", is_busy=False)

    rooms = [data(week_of(*events, free=(gap,)))["free"][0] for events in ((drop_in,), (drop_in, talk))]

    assert [(room["label"], room["label_at"]) for room in rooms] == [("Free 2 h", 0.5), ("", 0.0)]


def test_in_spanish_days_hours_and_words_are_spanish() -> None:
    with locale_scope("es-ES"):
        told = data(
            week_of(due("Ensayo", "2026-11-26T23:59"), event("Viaje", "2026-11-26", "2026-11-27", is_whole_day=True))
        )

    assert told["days"][0]["name"] == "Domingo 22 de noviembre"
    assert told["hours"][13] == "13:00"
    assert not told["has_am_pm"]
    assert [row["label"] for row in told["entries"]] == ["Viaje, todo el día.", "Entrega: Ensayo, 23:59."]


def test_sixty_events_and_twenty_five_due_dates_are_all_there() -> None:
    events = [
        event(
            f"Event {number}",
            f"2026-11-{22 + number % 7}T{8 + number // 7:02}:00",
            f"2026-11-{22 + number % 7}T{8 + number // 7:02}:50",
        )
        for number in range(60)
    ]
    works = [due(f"Work {number}", f"2026-11-{22 + number % 7}T23:59") for number in range(25)]

    told = data(week_of(*events, *works))["entries"]

    assert len(told) == 85
    assert len({row["key"] for row in told}) == 85
