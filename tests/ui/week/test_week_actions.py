"""A move from the calendar becomes the arguments of a card, and of nothing that is not the student's to move."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from services.identity.students import Student
from services.week.week import WeekEntry
from tests.services.week.entries import event, week_of
from ui.week import week_actions
from ui.week.calendar_data import entry_key

MAYA = Student(id="maya", name="Maya", email="", timezone="America/Chicago")
LAB = event("Lab", "2026-11-26T15:00", "2026-11-26T17:00", can_change=True)
TRIP = event("Trip", "2026-11-26", "2026-11-28", is_whole_day=True, can_change=True)


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> list[Mapping[str, Any]]:
    """Arguments of the cards that were made."""
    made: list[Mapping[str, Any]] = []
    monkeypatch.setattr(week_actions, "propose_change", lambda student, tool, arguments: made.append(arguments))
    monkeypatch.setattr("ui.session.require_signed_in", lambda student: None)
    return made


def move(entry: WeekEntry, start: str, end: str, key: str = "") -> None:
    week_actions.propose_move(MAYA, week_of(entry), key or entry_key(entry), start, end)


def test_a_move_names_the_new_start_and_a_new_length_only_where_it_changed(cards: list[Mapping[str, Any]]) -> None:
    move(LAB, "2026-11-27T10:00", "2026-11-27T12:00")
    move(LAB, "2026-11-26T15:00", "2026-11-26T18:00")
    move(TRIP, "2026-11-27", "2026-11-29")

    assert cards == [
        {"event_id": "Lab", "start": "2026-11-27T10:00"},
        {"event_id": "Lab", "start": "2026-11-26T15:00", "end": "2026-11-26T18:00"},
        {"event_id": "Trip", "start": "2026-11-27"},
    ]


@pytest.mark.parametrize(
    ("entry", "start", "key"),
    [
        (event("Lab", "2026-11-26T15:00", "2026-11-26T17:00"), "2026-11-27T10:00", ""),
        (
            event("Lab", "2026-11-26T15:00", "2026-11-26T17:00", can_change=True, is_proposed=True),
            "2026-11-27T10:00",
            "",
        ),
        (LAB, "2026-11-27T10:00", "event-of-somebody-else"),
        (LAB, "tomorrow", ""),
    ],
)
def test_what_is_not_theirs_or_has_no_time_makes_no_card(
    cards: list[Mapping[str, Any]], entry: WeekEntry, start: str, key: str
) -> None:
    move(entry, start, "2026-11-27T12:00", key)

    assert cards == []


def test_times_are_what_clocks_show(cards: list[Mapping[str, Any]]) -> None:
    week_actions.propose_times(MAYA, LAB, datetime(2026, 11, 27, 9, 30), datetime(2026, 11, 27, 11, 30))

    assert cards == [{"event_id": "Lab", "start": "2026-11-27T09:30"}]
