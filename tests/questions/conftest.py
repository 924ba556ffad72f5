"""One classroom for all questions."""

from collections.abc import Iterator

import pytest

from tests.campus_server import CampusServer
from tests.questions.classroom import Classroom


@pytest.fixture(scope="package")
def classroom(running_campus: CampusServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Classroom]:
    running_campus.reset()
    running_campus.fault(service="anthropic", fault="pace", words_per_second=100_000, times=0)
    room = Classroom(running_campus, tmp_path_factory.mktemp("classroom"))
    yield room
    room.close()
    running_campus.clear_faults()
