"""The reference servers from npm, as operators run them."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.errors import ApprovalError, BadArguments, RequestRefused, ServiceUnavailable
from services.tools.tool_categories import categories_of
from tests import node
from tests.mcp.rooms import QUICK, McpRoom
from tests.services.tools.mcp.conftest import RoomMaker


@pytest.fixture
def everything(mcp_room: RoomMaker) -> McpRoom:
    room = mcp_room(everything={"command": node.command("mcp-server-everything"), "effect": "read"})
    room.up()
    return room


def files(folder: Path, **more: Any) -> dict[str, Any]:
    return {"command": [*node.command("mcp-server-filesystem"), str(folder)], "effect": "read", **more}


def test_everything_answers_text_pictures_resources_and_structures(everything: McpRoom) -> None:
    picture = everything.call("everything__get-tiny-image").output
    weather = everything.call("everything__get-structured-content", location="Chicago")
    resource = everything.call("everything__get-resource-reference", resourceType="Text", resourceId=1).output
    links = everything.call("everything__get-resource-links", count=2).output

    assert everything.call("everything__echo", message="hello").output == "Echo: hello"
    assert "one image (image/png, 4,035 bytes) is left out" in picture
    assert weather.data == {"temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82}
    assert "Resource 1: This is a plaintext resource" in resource
    assert "demo://resource/dynamic/" in links


def test_everything_sees_no_environment_of_ours(everything: McpRoom) -> None:
    told = everything.call("everything__get-env").output

    assert "PATH" in told
    assert not any(name in told for name in ("HOMEROOM", "ANTHROPIC", "PYTEST", "USER"))


def test_everything_is_told_what_to_mend_in_arguments(everything: McpRoom) -> None:
    with pytest.raises(BadArguments, match="a: does not fit type number"):
        everything.call("everything__get-sum", a="one", b=2)

    assert "3" in everything.call("everything__get-sum", a=1, b=2).output


def test_a_long_operation_ends_at_its_time_out_and_others_go_on(mcp_room: RoomMaker) -> None:
    command = node.command("mcp-server-everything")
    room = mcp_room(everything={"command": command, "effect": "read"}, limits=replace(QUICK, start_s=30, call_s=2))
    room.up()
    started = time.monotonic()

    with pytest.raises(ServiceUnavailable, match="in time"):
        room.call("everything__trigger-long-running-operation", duration=60, steps=2)

    assert time.monotonic() - started < 6
    assert room.call("everything__echo", message="hello").success


def test_files_are_read_at_once_and_written_only_after_approval(mcp_room: RoomMaker, tmp_path: Path) -> None:
    handouts = tmp_path / "handouts"
    handouts.mkdir()
    room = mcp_room(files=files(handouts))
    room.up()
    path = str(handouts / "week1.txt")

    with pytest.raises(ApprovalError):
        room.call("files__write_file", path=path, content="Read chapter 1.")
    assert list(handouts.iterdir()) == []
    written = room.call("files__write_file", approved=True, path=path, content="Read chapter 1.")

    assert written.success
    assert room.call("files__read_text_file", path=path).output == "Read chapter 1."
    with pytest.raises(RequestRefused, match="Access denied"):
        room.call("files__read_text_file", path="/etc/passwd")


def test_memory_remembers_over_a_restart(mcp_room: RoomMaker, tmp_path: Path) -> None:
    environment = {"MEMORY_FILE_PATH": str(tmp_path / "graph.json")}
    server = {"command": node.command("mcp-server-memory"), "env": environment, "effect": "read"}
    room = mcp_room(memory=server)
    room.up()
    plato = {"name": "Plato", "entityType": "philosopher", "observations": ["wrote the Republic"]}
    room.call("memory__create_entities", approved=True, entities=[plato])
    room.provider.close()

    again = mcp_room(memory=server, store=room.store)
    found = again.call("memory__search_nodes", query="Republic")

    assert found.data["entities"][0]["name"] == "Plato"


def test_three_servers_side_by_side_keep_their_names_apart(mcp_room: RoomMaker, tmp_path: Path) -> None:
    room = mcp_room(
        everything={"command": node.command("mcp-server-everything"), "effect": "read"},
        files=files(tmp_path),
        memory={"command": node.command("mcp-server-memory"), "contexts": {"search_nodes": ["jira"]}},
    )
    room.up()

    tools = room.tools()

    assert {tool.server for tool in tools.values()} == {"everything", "files", "memory"}
    assert all(name.startswith(f"{tool.server}__") for name, tool in tools.items())
    assert len(tools) == 36
    assert [state.status.value for state in room.provider.servers()] == ["up", "up", "up"]
    # It has its contexts by tool, and is called retrieval although each of its calls waits.
    search = tools["memory__search_nodes"]
    assert search.contexts == ("jira",)
    assert search.effect.needs_approval
    assert {"retrieval", "search"} <= set(categories_of(search))
    assert "jira" not in tools["memory__create_entities"].contexts
