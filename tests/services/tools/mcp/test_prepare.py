"""The start of a process: servers that nobody has seen yet are woken before the first student asks for their tools."""

from pathlib import Path

from services.tools.mcp.connection import ServerStatus
from tests.mcp.rooms import hostile
from tests.services.tools.mcp.conftest import RoomMaker


def test_on_a_new_store_servers_are_on_their_way_before_anybody_asks(mcp_room: RoomMaker, tmp_path: Path) -> None:
    room = mcp_room(files=hostile(starts=str(tmp_path / "starts")), slow=hostile(initialize="hang"))

    room.provider.prepare()

    assert {server.status for server in room.provider.servers()} <= {ServerStatus.STARTING, ServerStatus.UP}
    assert room.provider.ready("files", timeout_s=20)
    assert "files__echo" in {tool.name for tool in room.provider.tools()}
    assert len((tmp_path / "starts").read_text().splitlines()) == 1


def test_a_server_whose_tools_are_known_is_started_when_it_is_needed(mcp_room: RoomMaker) -> None:
    first = mcp_room(files=hostile())
    first.up()
    first.provider.close()
    second = mcp_room(files=hostile(), store=first.store)

    second.provider.prepare()

    (state,) = second.provider.servers()
    assert (state.status, state.tools) == (ServerStatus.UNTRIED, 1)
