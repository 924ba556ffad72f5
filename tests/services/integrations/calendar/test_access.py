"""The calendar that an assistant names is the one that its tools read and write, by its name (row D7)."""

import pytest

from services.assistants.assistant import Assistant, CalendarChoice
from services.errors import BadArguments, ItemNotFound, RequestRefused
from tests.calendar_calls import Calendars
from tests.services.integrations.google_calendar.conftest import in_days

STUDY = {"title": "Study", "start": f"{in_days(3)}T15:00"}


def bound(calendar_id: str) -> Assistant:
    return Assistant(
        id="club", name="Club", calendar=CalendarChoice(provider="google_calendar", calendar_id=calendar_id)
    )


def one_of(maya: Calendars, *, can_write: bool) -> tuple[str, str]:
    """The id and the name of a calendar beside the main one."""
    listed = maya.run("calendar_list_calendars").data["calendars"]
    return next(
        (calendar["id"], calendar["name"])
        for calendar in listed
        if not calendar["main"] and calendar["can_write"] is can_write
    )


def test_reading_and_writing_keep_to_the_one_that_is_named_by_its_id(maya: Calendars) -> None:
    id, name = one_of(maya, can_write=True)
    club = bound(id.partition("/")[2])
    maya.run("calendar_create_event", STUDY, operation_id="elsewhere")
    card = maya.card("calendar_create_event", STUDY, chosen=club)
    maya.run("calendar_create_event", STUDY, chosen=club, operation_id="here")

    listed = maya.run("calendar_list_events", {"days": 14}, chosen=club)
    calendars = maya.run("calendar_list_calendars", chosen=club).data["calendars"]

    assert card["Calendar"] == name
    assert {event["calendar"] for event in listed.data["events"]} == {name}
    assert f"(Google Calendar, only “{name}”, as of" in listed.output
    assert card["Conflicts"] == f"only “{name}” was looked at"
    assert [calendar["id"] for calendar in calendars] == [id]
    with pytest.raises(BadArguments, match="none is called"):
        maya.run("calendar_list_events", {"calendar": "main"}, chosen=club)


def test_time_is_free_that_the_named_one_leaves_free(maya: Calendars) -> None:
    id, name = one_of(maya, can_write=True)
    day = {"start": str(in_days(3)), "end": str(in_days(3))}
    maya.run("calendar_create_event", {**STUDY, "duration_minutes": 60}, operation_id="elsewhere")

    found = maya.run("calendar_find_free_time", day, chosen=bound(id))

    assert f"only “{name}”" in found.output
    assert any(gap["start"] < STUDY["start"] < gap["end"] for gap in found.data["free"])


def test_the_main_one_may_be_named_too(maya: Calendars) -> None:
    card = maya.card("calendar_create_event", STUDY, chosen=bound("primary"))

    assert card["Calendar"].startswith("the main calendar (")


def test_one_that_the_student_does_not_have_is_told_and_nothing_else_is_read(maya: Calendars) -> None:
    with pytest.raises(ItemNotFound, match="Club works with a calendar that is not among the connected ones"):
        maya.run("calendar_list_events", {"days": 7}, chosen=bound("nobody@campus.example"))


def test_one_that_can_only_be_read_takes_no_event(maya: Calendars) -> None:
    id, name = one_of(maya, can_write=False)

    with pytest.raises(RequestRefused, match=f"“{name}” can only be read"):
        maya.preview("calendar_create_event", STUDY, chosen=bound(id))
