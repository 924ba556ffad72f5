"""The week of somebody who teaches: what is due for the class and what there is to grade, and nothing that they owe."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from services.runtime.clock import utc_now
from services.week.loader import load_week
from services.week.snapshots import WeekSnapshots
from services.week.week import EntryKind, Week
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer


@pytest.fixture
def room(campus: CampusServer, tmp_path: Path) -> CampusRoom:
    return CampusRoom(campus, tmp_path)


def week_of_okafor(room: CampusRoom, campus: CampusServer) -> Week:
    """Anne Okafor's, the instructor of two courses; what is noted of it is asserted on the way."""
    services = room.services
    anne = services.students.sign_in(
        issuer="campus", subject="okafor", name="Anne Okafor", email="okafor@campus.example", timezone="America/Chicago"
    )
    address = services.connections.begin_oauth(anne.id, "canvas")
    state = parse_qs(urlsplit(address).query)["state"][0]
    services.connections.finish_oauth(anne.id, state=state, code=campus.consent(address, "okafor"))
    week = load_week(services.gateway, anne, now=utc_now())
    notes, connections = WeekSnapshots(services.store, services.clock), services.connections.all(anne.id)
    notes.save_week(anne, week, connections)
    assert notes.latest(anne, connections).entries == ()
    return week


def test_an_instructor_sees_what_to_grade_and_owes_nothing(room: CampusRoom, campus: CampusServer) -> None:
    week = week_of_okafor(room, campus)

    assert week.taught
    assert all(entry.kind is EntryKind.DUE and entry.minutes == 0 and not entry.is_done for entry in week.taught)
    assert (week.own_due, week.overdue, week.minutes_left()) == ([], (), 0)
    assert not [trouble for trouble in week.troubles if trouble.is_missing]
    room.close()
