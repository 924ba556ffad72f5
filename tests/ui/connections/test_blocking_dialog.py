"""The choice of what takes a student's time binds at once, is kept with the connection, and outlives a reconnect."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from ui import session

WAIT_S = 10
EVENING = {"days": 7, "search": "writing center drop-in"}


@pytest.fixture
def room(campus: CampusServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CampusRoom]:
    """Maya's Homeroom with her Google calendars."""
    room = CampusRoom(campus, tmp_path)
    room.connect("google_calendar")
    monkeypatch.setattr(session, "services", lambda: room.services)
    monkeypatch.setattr(session, "require_signed_in", lambda student: None)
    yield room
    room.close()


def dialog(student: object) -> None:
    from ui.connections import blocking_dialog
    from ui.error_boundary import error_boundary

    with error_boundary():
        blocking_dialog._draw_dialog(student, "")  # type: ignore[arg-type]


def test_a_switched_calendar_counts_at_once_and_after_a_reconnect(room: CampusRoom) -> None:
    before = _are_busy(room)
    page = AppTest.from_function(dialog, kwargs={"student": room.maya}, default_timeout=WAIT_S).run()
    shown = {toggle.label: toggle.value for toggle in page.toggle}

    next(toggle for toggle in page.toggle if "Campus events" in toggle.label).set_value(True).run()
    counted = _are_busy(room)
    room.connect("google_calendar")

    assert shown == {
        "Maya Chen · Google Calendar": True,
        "Campus events · Google Calendar": False,
        "Studies · Google Calendar": True,
    }
    assert (before, counted, _are_busy(room)) == ({False}, {True}, {True})
    (connection,) = room.services.connections.all(room.maya.id).values()
    assert list(connection.blocking.values()) == [True]


def test_calendars_that_cannot_be_read_are_said_to_be_so(room: CampusRoom) -> None:
    room.server.fault(service="google", fault="status", path="/calendar/v3/*", times=0, status=500)

    page = AppTest.from_function(dialog, kwargs={"student": room.maya}, default_timeout=WAIT_S).run()

    assert [error.value for error in page.error] != []
    assert (len(page.toggle), len(page.exception)) == (0, 0)


def _are_busy(room: CampusRoom) -> set[bool]:
    events = room.services.gateway.call(room.maya, "calendar_list_events", EVENING, asked_by="a test").data["events"]
    return {event["busy"] for event in events}
