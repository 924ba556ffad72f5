"""Days that are gone, wholly or in part: the tools say so, and never "no gaps", as if they had looked."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.errors import BadArguments
from services.integrations.base import Integration
from services.safety.field_log import field_log
from services.safety.provenance import Provenance
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import CHICAGO, grant_of, in_days

FREE_TIME = {"calendar_find_free_time": "free", "calendar_suggest_times": "suggestions"}
MONDAY = in_days(7 - in_days(0).weekday())


@pytest.fixture
def at(campus: CampusServer, google: Integration) -> Any:
    """Maya's calls on the coming Monday, at an hour."""

    def make(hour: int, minute: int = 0) -> Calendars:
        now = datetime(MONDAY.year, MONDAY.month, MONDAY.day, hour, minute, tzinfo=CHICAGO).astimezone(UTC)
        grants = {"google_calendar": grant_of(campus)}
        return Calendars(integrations={"google_calendar": google}, grants=grants, clock=lambda: now)

    return make


def day(number: int) -> str:
    """A day, counted from that Monday."""
    return str(MONDAY + timedelta(days=number))


@pytest.mark.parametrize("name", FREE_TIME)
@pytest.mark.parametrize(
    ("hour", "days"),
    [(12, {"start": day(-7), "end": day(-3)}), (12, {"start": day(-1), "end": day(-1)}), (23, {"end": day(0)})],
)
def test_days_that_are_gone_are_said_to_be_over_and_nothing_is_looked_at(
    campus: CampusServer, at: Any, name: str, hour: int, days: dict[str, str]
) -> None:
    calls = at(hour)
    since = campus.log()[-1]["id"]

    with field_log() as read:
        result = calls.run(name, days)

    # Nobody else has written it: a result without an author would be treated as a stranger's.
    assert read.writers == {Provenance.SERVICE}
    assert "is over: it is Mon " in result.output
    assert "Nothing was looked at" in result.output
    assert "no gaps" not in result.output.lower()
    assert result.data[FREE_TIME[name]] == []
    assert result.data["over"]
    assert campus.log(service="google", since=since) == []


@pytest.mark.parametrize("name", FREE_TIME)
@pytest.mark.parametrize("days", [{"start": day(-2), "end": day(1)}, {"start": day(0), "end": day(0)}])
def test_of_days_that_are_partly_gone_only_the_rest_is_looked_at(at: Any, name: str, days: dict[str, str]) -> None:
    result = at(10, 40).run(name, days)

    assert "Note: what was before Mon " in result.output
    assert "10:45 AM" in result.output
    assert "is over, so only later times were looked at." in result.output
    assert result.data["over"]
    assert result.data[FREE_TIME[name]]
    assert all(found["start"] >= f"{day(0)}T10:45" for found in result.data[FREE_TIME[name]])


@pytest.mark.parametrize("name", FREE_TIME)
def test_of_days_to_come_nothing_is_said_to_be_over(at: Any, name: str) -> None:
    result = at(10).run(name, {"start": day(1), "end": day(3)})

    assert "over" not in result.output
    assert result.data["over"] == ""


@pytest.mark.parametrize("name", FREE_TIME)
def test_a_weekend_has_no_days_from_monday_to_friday(at: Any, name: str) -> None:
    result = at(10).run(name, {"start": day(5), "end": day(6), "weekdays_only": True})

    assert "has no day from Monday to Friday" in result.output
    assert "no gaps" not in result.output.lower()


def test_clashes_of_days_that_are_gone_are_listed_as_such(at: Any) -> None:
    gone = at(10).run("calendar_find_conflicts", {"start": day(-3), "end": day(1)}).output
    to_come = at(10).run("calendar_find_conflicts", {"start": day(0), "end": day(1)}).output

    assert "is over; what clashed then is listed too." in gone
    assert "over" not in to_come.splitlines()[-1]


@pytest.mark.parametrize("name", [*FREE_TIME, "calendar_find_conflicts", "calendar_list_events"])
def test_an_end_that_is_gone_without_a_start_says_that_start_is_missing(at: Any, name: str) -> None:
    with pytest.raises(BadArguments, match="give start as well") as caught:
        at(10).run(name, {"end": day(-2)})

    assert caught.value.field == "end"


def test_one_time_a_day_is_suggested_unless_more_are_asked_for_than_there_are_days(at: Any) -> None:
    def days(**more: object) -> list[str]:
        search = {"start": day(1), "end": day(3), **more}
        return [found["start"][:10] for found in at(10).run("calendar_suggest_times", search).data["suggestions"]]

    assert sorted(days()) == [day(1), day(2), day(3)]
    assert len(days(how_many=2)) == len(set(days(how_many=2))) == 2
    assert sorted(days(how_many=5))[::2] == [day(1), day(2), day(3)]
    assert days(start=day(2), end=day(2), how_many=2, minutes=30) == [day(2)] * 2
