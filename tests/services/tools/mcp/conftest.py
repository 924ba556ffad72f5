"""Rooms with MCP servers, which leave nothing behind in the machine."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from services.storage.store import Store
from services.tools.mcp.limits import McpLimits
from tests.mcp.rooms import QUICK, McpRoom, processes_with, zombies

RoomMaker = Callable[..., McpRoom]


@pytest.fixture
def mcp_room(tmp_path: Path) -> Iterator[RoomMaker]:
    """`mcp_room(files={...})` makes a provider over these servers. In the end no process of theirs may be left."""
    rooms: list[McpRoom] = []

    def make(*, limits: McpLimits = QUICK, store: Store | None = None, **servers: Any) -> McpRoom:
        rooms.append(McpRoom(tmp_path, servers, limits=limits, store=store))
        return rooms[-1]

    yield make
    for room in reversed(rooms):
        room.close()
    # Their home is the test's own folder: another worker's servers have another one.
    assert processes_with(f"HOME={tmp_path}\0", of="environ") == []
    assert zombies() == []
