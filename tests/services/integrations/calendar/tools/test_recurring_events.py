"""Events that repeat: made of plain parameters, and changed or deleted as one, from one on, or all."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere
from services.integrations.calendar.recurrence import WEEKDAYS
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import api_of, in_days

FIRST = in_days(2)
RUN = {
    "title": "Run",
    "start": f"{FIRST}T07:00",
    "duration_minutes": 45,
    "repeats": "daily",
    "repeat_count": 6,
}


@pytest.fixture
def runs(maya: Calendars) -> list[str]:
    """The ids of six mornings in a row."""
    maya.run("calendar_create_event", RUN, operation_id="runs")
    return [str(event["id"]) for event in mornings(maya)]


def mornings(calls: Calendars) -> list[dict[str, Any]]:
    found = calls.run("calendar_list_events", {"days": 12, "search": "Run"}).data["events"]
    return [event for event in found if event["title"].endswith("Run")]


def times(calls: Calendars) -> list[str]:
    return [str(event["start"])[8:16] for event in mornings(calls)]


def on(day: int, hour: str) -> str:
    return f"{FIRST + timedelta(days=day):%d}T{hour}"


def test_a_rule_in_plain_parameters_makes_the_series_and_the_card_says_it_in_words(maya: Calendars) -> None:
    card = maya.card("calendar_create_event", RUN)
    result = maya.run("calendar_create_event", RUN, operation_id="op")

    assert card["Repeats"] == "every day, 6 times"
    assert "every day, 6 times" in result.output.splitlines()[0]
    assert times(maya) == [on(day, "07:00") for day in range(6)]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"repeats": "weekly", "repeat_days": [WEEKDAYS[FIRST.weekday()]]}, "Say when it ends"),
        ({"repeats": "weekly", "repeat_count": 3, "repeat_until": str(in_days(30))}, "not both"),
        ({"repeats": "daily", "repeat_until": str(in_days(1))}, "not after start"),
        ({"repeats": "daily", "repeat_until": str(in_days(2000))}, "two years"),
        ({"repeats": "daily", "repeat_days": ["MO"], "repeat_count": 3}, "weekly only"),
        ({"repeats": None, "repeat_count": 3}, "how it repeats"),
        (
            {"repeats": "weekly", "repeat_count": 3, "repeat_days": [WEEKDAYS[FIRST.weekday() - 1]]},
            "not among repeat_days",
        ),
    ],
)
def test_a_rule_that_does_not_fit_is_refused_with_the_reason(
    campus: CampusServer, maya: Calendars, more: dict[str, object], words: str
) -> None:
    plain = {"title": "Run", "start": f"{FIRST}T07:00"}

    with pytest.raises(BadArguments, match=words):
        maya.preview("calendar_create_event", {**plain, **more})

    assert campus.log(service="google", writes=1) == []


def test_one_occurrence_changes_alone(maya: Calendars, runs: list[str]) -> None:
    maya.run("calendar_update_event", {"event_id": runs[2], "start": f"{FIRST + timedelta(days=2)}T09:00"})

    assert times(maya) == [on(day, "09:00" if day == 2 else "07:00") for day in range(6)]


def test_all_of_a_series_move_with_one(maya: Calendars, runs: list[str]) -> None:
    change = {"event_id": runs[2], "start": f"{FIRST + timedelta(days=2)}T09:00", "applies_to": "all"}

    card = maya.card("calendar_update_event", change)
    result = maya.run("calendar_update_event", change, operation_id="move")

    assert card["Applies to"] == "all of them (it repeats every day, 6 times)"
    assert times(maya) == [on(day, "09:00") for day in range(6)]
    maya.undo("calendar_update_event", result)
    assert times(maya) == [on(day, "07:00") for day in range(6)]


def test_this_and_the_following_change_and_those_before_stay(maya: Calendars, runs: list[str]) -> None:
    change = {
        "event_id": runs[4],
        "start": f"{FIRST + timedelta(days=4)}T10:30",
        "title": "Slow Run",
        "applies_to": "following",
    }
    result = maya.run("calendar_update_event", change, operation_id="move")

    assert times(maya) == [*(on(day, "07:00") for day in range(4)), *(on(day, "10:30") for day in (4, 5))]
    assert [event["title"] for event in mornings(maya)] == ["Run"] * 4 + ["Slow Run"] * 2
    maya.undo("calendar_update_event", result)
    assert times(maya) == [on(day, "07:00") for day in range(6)]
    assert {event["title"] for event in mornings(maya)} == {"Run"}


def test_following_from_the_first_on_is_all(maya: Calendars, runs: list[str]) -> None:
    maya.run("calendar_update_event", {"event_id": runs[0], "title": "Morning Run", "applies_to": "following"})

    assert {event["title"] for event in mornings(maya)} == {"Morning Run"}
    assert len(mornings(maya)) == 6


@pytest.mark.parametrize(("applies_to", "left"), [("this", 5), ("following", 3), ("all", 0)])
def test_one_or_the_following_or_all_are_deleted_and_come_back(
    maya: Calendars, runs: list[str], applies_to: str, left: int
) -> None:
    before = times(maya)

    result = maya.run("calendar_delete_event", {"event_id": runs[3], "applies_to": applies_to}, operation_id="op")

    assert len(mornings(maya)) == left
    maya.undo("calendar_delete_event", result)
    assert times(maya) == before


@pytest.mark.parametrize("applies_to", ["following", "all"])
def test_a_repeat_after_a_crash_does_the_same_and_can_be_undone(
    campus: CampusServer, maya: Calendars, runs: list[str], applies_to: str
) -> None:
    change = {"event_id": runs[2], "start": f"{FIRST + timedelta(days=2)}T09:00", "applies_to": applies_to}
    maya.run("calendar_update_event", change, operation_id="move")
    written, after = len(campus.log(service="google", writes=1)), times(maya)

    repeat = maya.run("calendar_update_event", change, operation_id="move", is_repeat=True)

    assert times(maya) == after
    assert len(campus.log(service="google", writes=1)) == written
    maya.undo("calendar_update_event", repeat)
    assert times(maya) == [on(day, "07:00") for day in range(6)]


def test_a_crash_between_the_two_halves_of_a_cut_is_mended_by_the_repeat(
    campus: CampusServer, hasty: Calendars, maya: Calendars, runs: list[str]
) -> None:
    change = {"event_id": runs[3], "title": "Late Run", "applies_to": "following"}
    campus.fault(service="google", method="POST", path="*/events", fault="status", status=503, times=0)
    both = Calendars(integrations=hasty.integrations, grants=hasty.grants, store=maya.store)
    with pytest.raises(Exception, match="Google Calendar"):
        both.run("calendar_update_event", change, operation_id="cut")
    campus.clear_faults()

    repeat = maya.run("calendar_update_event", change, operation_id="cut", is_repeat=True)

    assert [event["title"] for event in mornings(maya)] == ["Run"] * 3 + ["Late Run"] * 3
    maya.undo("calendar_update_event", repeat)
    assert [event["title"] for event in mornings(maya)] == ["Run"] * 6


def test_an_undo_leaves_a_series_alone_that_was_changed_since(maya: Calendars, runs: list[str]) -> None:
    result = maya.run("calendar_update_event", {"event_id": runs[3], "title": "X Run", "applies_to": "all"})
    maya.run("calendar_update_event", {"event_id": runs[3], "location": "Park", "applies_to": "all"})

    with pytest.raises(ChangedElsewhere):
        maya.undo("calendar_update_event", result)


def test_a_weekly_series_moves_to_another_weekday_with_its_exceptions(maya: Calendars) -> None:
    monday = in_days(7 - in_days(0).weekday())
    skip = f"EXDATE;TZID=America/Chicago:{monday + timedelta(days=9):%Y%m%d}T100000"
    edges = {
        name: {"dateTime": f"{monday}T{hour}:00:00", "timeZone": "America/Chicago"}
        for name, hour in (("start", "10"), ("end", "11"))
    }
    rule = "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6"
    api_of(maya).insert("primary", {"id": "handmade01", "summary": "Run", **edges, "recurrence": [rule, skip]})
    first = next(event for event in mornings(maya) if str(event["start"]).startswith(str(monday)))

    move = {"event_id": first["id"], "start": f"{monday + timedelta(days=1)}T10:00", "applies_to": "all"}
    maya.run("calendar_update_event", move, operation_id="op")

    days = [datetime.fromisoformat(str(event["start"])).strftime("%a") for event in mornings(maya)]
    assert set(days) <= {"Tue", "Thu"}
    assert f"{monday + timedelta(days=10)}" not in {str(event["start"])[:10] for event in mornings(maya)}


def test_a_series_stays_at_its_time_of_day_when_the_clocks_change(maya: Calendars) -> None:
    late = datetime.now().astimezone().year + 1
    series = {"title": "Run", "start": f"{late}-03-01T07:00", "repeats": "weekly", "repeat_count": 5}
    maya.run("calendar_create_event", series, operation_id="op")

    found = maya.run("calendar_list_events", {"start": f"{late}-02-25", "end": f"{late}-04-10", "search": "Run"})

    starts = [datetime.fromisoformat(str(e["start"])) for e in found.data["events"] if e["title"] == "Run"]
    assert [at.hour for at in starts] == [7] * 5
    assert len({at.utcoffset() for at in starts}) == 2


MONDAY = in_days(7 - in_days(0).weekday())
PRACTICE = {
    "title": "Run",
    "start": f"{MONDAY}T17:00",
    "duration_minutes": 60,
    "repeats": "weekly",
    "repeat_days": ["MO", "WE"],
    "repeat_until": str(MONDAY + timedelta(days=20)),
}


def weekdays(calls: Calendars) -> list[str]:
    found = calls.run("calendar_list_events", {"days": 40, "search": "Run"}).data["events"]
    starts = [datetime.fromisoformat(str(event["start"])) for event in found if event["title"] == "Run"]
    return [f"{at:%a %H:%M}" for at in starts]


@pytest.fixture
def practice(maya: Calendars) -> list[str]:
    """The ids of three weeks of Mondays and Wednesdays."""
    maya.run("calendar_create_event", PRACTICE, operation_id="practice")
    return [
        str(event["id"]) for event in maya.run("calendar_list_events", {"days": 40, "search": "Run"}).data["events"]
    ]


OLD, NEW = ["Mon 17:00", "Wed 17:00"], ["Tue 17:00", "Thu 17:00"]


@pytest.mark.parametrize(("applies_to", "left"), [("all", NEW * 3), ("following", OLD + NEW * 2)])
def test_a_series_gets_other_weekdays_and_undo_gives_the_old_ones_back(
    campus: CampusServer, maya: Calendars, practice: list[str], applies_to: str, left: list[str]
) -> None:
    change = {"event_id": practice[2], "repeat_days": ["TH", "TU"], "applies_to": applies_to}

    card = maya.card("calendar_update_event", change)
    maya.run("calendar_update_event", change, operation_id="op")
    written = len(campus.log(service="google", writes=1))
    repeat = maya.run("calendar_update_event", change, operation_id="op", is_repeat=True)

    assert card["Repeats"].startswith("every week on Tuesday and Thursday until ")
    assert card["When"].startswith("Tue ")
    assert card["Exceptions"] == "single ones that were moved or left out follow the new days again"
    assert weekdays(maya) == left
    assert len(campus.log(service="google", writes=1)) == written
    maya.undo("calendar_update_event", repeat)
    assert weekdays(maya) == OLD * 3


def test_other_weekdays_may_come_with_another_time_of_day(maya: Calendars, practice: list[str]) -> None:
    start = f"{MONDAY + timedelta(days=8)}T18:30"
    change = {"event_id": practice[2], "repeat_days": ["TU"], "start": start, "applies_to": "following"}

    result = maya.run("calendar_update_event", change, operation_id="op")

    assert weekdays(maya) == [*OLD, "Tue 18:30", "Tue 18:30"]
    assert "every week on Tuesday" in result.output


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"repeat_days": ["TU"]}, "applies_to following or all"),
        ({"repeat_days": ["TU"], "applies_to": "all", "start": f"{MONDAY}T18:00"}, "not among repeat_days"),
        ({"repeat_days": ["MO", "WE"], "applies_to": "all"}, "already is like that"),
    ],
)
def test_weekdays_that_make_no_sense_are_refused(
    maya: Calendars, practice: list[str], change: dict[str, object], words: str
) -> None:
    with pytest.raises(BadArguments, match=words):
        maya.preview("calendar_update_event", {"event_id": practice[0], **change})


def test_only_a_weekly_series_has_weekdays(maya: Calendars, runs: list[str]) -> None:
    with pytest.raises(BadArguments, match="repeats every week"):
        maya.preview("calendar_update_event", {"event_id": runs[1], "repeat_days": ["TU"], "applies_to": "all"})
