"""One classroom for all questions of a day: whoever asks past midnight sits in a new one."""

from collections.abc import Iterator
from datetime import date

import pytest

from tests.campus_server import CampusServer
from tests.questions.classroom import Classroom
from tests.questions.table import today

Rooms = dict[date, Classroom]


@pytest.fixture(scope="package")
def rooms(running_campus: CampusServer) -> Iterator[Rooms]:
    """The classroom of each day; take `classroom` instead."""
    rooms: Rooms = {}
    yield rooms
    for room in rooms.values():
        room.close()
    running_campus.clear_faults()


@pytest.fixture
def classroom(running_campus: CampusServer, rooms: Rooms, tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """Where Maya asks, with a campus of today."""
    if today() not in rooms:
        running_campus.reset()
        running_campus.fault(service="anthropic", fault="pace", words_per_second=100_000, times=0)
        rooms[today()] = Classroom(running_campus, tmp_path_factory.mktemp("classroom"))
    return rooms[today()]
