"""Fixtures of the HTTP door's tests."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.room import ApiRoom


@pytest.fixture
def make_api(tmp_path: Path) -> Iterator[Callable[..., ApiRoom]]:
    made: list[ApiRoom] = []

    def make(**options: Any) -> ApiRoom:
        made.append(ApiRoom(tmp_path, **options))
        return made[-1]

    yield make
    for room in made:
        room.close()


@pytest.fixture
def api(make_api: Callable[..., ApiRoom]) -> ApiRoom:
    """The door with its usual clock, and limits that are not felt."""
    return make_api()
