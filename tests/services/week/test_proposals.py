"""What waits on a card stands in the week as a proposal, and what an approved one made as planned."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from services.week.proposals import MADE, WAITING, with_proposals
from services.week.week import Week
from tests.services.week.entries import CHICAGO, event, week_of

LAB = event("Lab", "2026-11-26T15:00", "2026-11-26T17:00", can_change=True)


@dataclass
class Card:
    executed_arguments: Mapping[str, Any]
    status: str = "pending"
    id: str = field(default="card")


def proposed(week: Week, *cards: Card) -> list[tuple[str, str, str]]:
    shown = with_proposals(week, cards, CHICAGO)
    return [
        (entry.title, f"{entry.start:%a %H:%M}", f"{entry.end:%a %H:%M}")
        for entry in shown.entries
        if entry.is_proposed
    ]


def test_sessions_events_and_moves_stand_where_they_would_go() -> None:
    sessions = Card({"title": "Study", "starts": ["2026-11-26T09:00", "2026-11-27T09:00"], "duration_minutes": 90})
    dinner = Card({"title": "Dinner", "start": "2026-11-27T19:00", "end": "2026-11-27T21:30"})
    move = Card({"event_id": "Lab", "start": "2026-11-27T15:00"})
    longer = Card({"event_id": "Lab", "start": None, "end": "2026-11-26T18:00"})

    assert proposed(week_of(LAB), sessions, dinner, move, longer) == [
        ("Study", "Thu 09:00", "Thu 10:30"),
        ("Lab", "Thu 15:00", "Thu 18:00"),
        ("Study", "Fri 09:00", "Fri 10:30"),
        ("Lab", "Fri 15:00", "Fri 17:00"),
        ("Dinner", "Fri 19:00", "Fri 21:30"),
    ]


def test_a_whole_day_lasts_until_the_end_of_its_last_day() -> None:
    card = Card({"title": "Trip", "start": "2026-11-26", "end": "2026-11-27"})

    (trip,) = with_proposals(week_of(), [card], CHICAGO).entries

    assert trip.is_whole_day
    assert trip.end is not None
    assert trip.end.date().isoformat() == "2026-11-28"


@pytest.mark.parametrize(
    "card",
    [
        Card({"title": "Study", "starts": ["2026-11-26T09:00"]}, status="declined"),
        Card({"title": "Study", "starts": ["2027-01-26T09:00"]}),
        Card({"title": "Study", "starts": "soon"}),
        Card({"title": "Study", "start": "soon"}),
        Card({"title": 7, "start": "2026-11-26T09:00"}),
        Card({"page_id": "x", "content": "words"}),
        Card({"event_id": "unknown", "start": "2026-11-26T09:00"}),
        Card({"title": "Study", "start": "2026-11-26T09:00", "duration_minutes": "long"}),
    ],
)
def test_what_is_decided_elsewhere_or_unreadable_is_left_out(card: Card) -> None:
    assert proposed(week_of(LAB), card) == []


def test_what_an_approved_card_made_is_planned() -> None:
    study = event("Study: Lab", "2026-11-27T09:00", "2026-11-27T10:00", can_change=True)
    card = Card({"title": "Study: Lab", "starts": ["2026-11-27T09:00"]}, status="done")

    shown = with_proposals(week_of(LAB, study), [card], CHICAGO)

    assert [(entry.title, entry.is_planned) for entry in shown.entries] == [("Lab", False), ("Study: Lab", True)]


def test_the_states_are_those_of_approvals() -> None:
    assert {*WAITING, MADE} == {ApprovalStatus.PENDING, ApprovalStatus.EXECUTING, ApprovalStatus.DONE}
