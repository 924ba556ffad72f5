"""A card knows when what it proposes is past, and nothing is put into the calendar after that (R49)."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from services.approvals.card_lifetime import own_time
from services.errors import ApprovalError
from services.runtime.clock import stamp, utc_now
from tests.calendar_calls import Calendars
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.fakes import FakeClock
from tests.services.integrations.google_calendar.conftest import CHICAGO, in_days, put_in

DAY, NEXT = str(in_days(2)), str(in_days(3))


@pytest.mark.parametrize(
    ("tool", "arguments", "past_at"),
    [
        ("calendar_create_event", {"title": "A", "start": f"{DAY}T15:00", "duration_minutes": 60}, f"{DAY}T15:00"),
        ("calendar_create_event", {"title": "A", "start": DAY, "end": NEXT, "all_day": True}, f"{NEXT}T00:00"),
        ("calendar_create_study_sessions", {"title": "A", "starts": [f"{NEXT}T15:00", f"{DAY}T09:00"]}, f"{DAY}T09:00"),
        ("calendar_add_due_date", {"assignment": "Essay", "due": f"{DAY}T23:00", "block_minutes": 90}, f"{DAY}T23:00"),
    ],
)
def test_what_is_added_is_past_when_it_begins_or_was_due(
    maya: Calendars, tool: str, arguments: Mapping[str, Any], past_at: str
) -> None:
    found = own_time(maya.preview(tool, arguments))

    assert found is not None
    assert found.astimezone(CHICAGO).isoformat().startswith(past_at)


def test_a_move_is_past_at_its_new_time_and_another_change_never(maya: Calendars) -> None:
    event = {"event_id": put_in(maya, summary="Dinner")}

    moved = own_time(maya.preview("calendar_update_event", {**event, "start": f"{DAY}T20:00"}))
    renamed = own_time(maya.preview("calendar_update_event", {**event, "title": "Late dinner"}))
    deleted = own_time(maya.preview("calendar_delete_event", event))

    assert moved is not None
    assert moved.astimezone(CHICAGO).isoformat().startswith(f"{DAY}T20:00")
    assert (renamed, deleted) == (None, None)


@pytest.fixture
def late(campus: CampusServer, tmp_path: Path) -> Iterator[tuple[CampusRoom, FakeClock]]:
    clock = FakeClock(utc_now())
    room = CampusRoom(campus, tmp_path, clock=clock)
    room.connect("google_calendar")
    yield room, clock
    room.close()


def test_an_event_whose_start_has_gone_by_is_not_added_and_can_be_declined(late: tuple[CampusRoom, FakeClock]) -> None:
    room, clock = late
    start = (clock() + timedelta(hours=2)).astimezone(CHICAGO)
    event = {"title": "Too late", "start": start.replace(tzinfo=None).isoformat(timespec="minutes")}
    waiting = room.services.gateway.call(room.maya, "calendar_create_event", event, asked_by="a test")
    assert waiting.approval_request_id
    clock.advance(hours=2, minutes=20)

    with pytest.raises(ApprovalError, match="The time of this is past"):
        room.services.turns.decide(room.maya, waiting.approval_request_id, "approve")
    declined = room.services.turns.decide(room.maya, waiting.approval_request_id, "decline")

    assert declined.status is ApprovalStatus.DECLINED
    assert stamp(declined.expires_at) > stamp(clock())
    assert room.events_titled("Too late") == 0
