from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.lti.lti_room import LtiRoom
from tests.api.lti.platform_server import PlatformServer, platform_server


@pytest.fixture
def platform() -> Iterator[PlatformServer]:
    with platform_server() as running:
        yield running


@pytest.fixture
def lti(tmp_path: Path, platform: PlatformServer) -> Iterator[LtiRoom]:
    room = LtiRoom(tmp_path, platform)
    yield room
    room.services.store.close()
