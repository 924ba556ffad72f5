"""Servers' tools in a whole Homeroom: resolved, offered, called, approved and recorded like our own."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import manage
from services import bootstrap, settings
from services.conversations.items import ApprovalItem
from services.conversations.turn_records import TurnStatus
from services.errors import SettingsError
from services.identity.students import Student
from services.storage.sqlite import SqliteDocuments
from services.tools.mcp.provider import MCPToolsProvider
from services.wiring.container import ServiceContainer
from tests import node
from tests.agent_fakes import FakeModel, calls, says
from tests.mcp.rooms import hostile, processes_with

Home = Callable[..., ServiceContainer]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A whole container with these servers, whose model plays a script."""
    engine = SqliteDocuments(tmp_path / "homeroom.sqlite")
    made: list[ServiceContainer] = []

    def make(*script: object, **servers: Any) -> ServiceContainer:
        environment = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
        read = settings.read({**environment, "HOMEROOM_MCP_SERVERS": json.dumps(servers)})
        model = FakeModel(*(script or (says("Hello."),)))
        made.append(bootstrap.build(read, model=model, engine=engine, integrations={}))
        return made[-1]

    yield make
    for services in made:
        services.turns.drain(5)
        if services.mcp is not None:
            services.mcp.close()
    engine.close()


def servers_of(services: ServiceContainer) -> MCPToolsProvider:
    assert services.mcp is not None
    return services.mcp


def maya(services: ServiceContainer) -> Student:
    return services.students.sign_in(
        issuer="https://id.example", subject="maya", name="Maya", email="", timezone="America/Chicago"
    )


def test_building_a_homeroom_starts_no_server(home: Home, tmp_path: Path) -> None:
    services = home(files=hostile(starts=str(tmp_path / "starts")))

    assert not (tmp_path / "starts").exists()
    assert processes_with(str(tmp_path / "starts")) == []
    assert services.mcp is not None


def test_without_servers_nothing_of_it_is_loaded(home: Home) -> None:
    assert home().mcp is None


def test_a_server_that_comes_up_later_is_in_the_next_answer(home: Home) -> None:
    services = home(says("One."), says("Two."), files=hostile())
    student = maya(services)
    before = {tool.name for tool in services.agent.get_user_tools(student.id)}

    servers_of(services).ready("files", timeout_s=20)
    after = {tool.name for tool in services.agent.get_user_tools(student.id)}

    assert after - before == {"files__echo"}


def test_the_model_reads_at_once_and_writes_after_approval(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "handouts"
    folder.mkdir()
    path = str(folder / "plan.txt")
    services = home(
        calls(("files__write_file", {"path": path, "content": "Read."}), ("files__list_allowed_directories", {})),
        says("Saved."),
        files={"command": [*node.command("mcp-server-filesystem"), str(folder)], "effect": "read"},
    )
    student = maya(services)
    servers_of(services).ready("files", timeout_s=30)
    conversation = services.conversations.create(student.id)

    services.turns.start_turn(student, conversation, "Save my plan")
    *_, waiting = services.turns.follow(student, conversation)
    (card,) = [item for item in waiting.items if isinstance(item, ApprovalItem)]
    approval = services.approvals.get(student.id, card.approval_id)
    was_empty = not list(folder.iterdir())
    services.turns.decide(student, card.approval_id, "approve")
    *_, last = services.turns.follow(student, conversation)

    assert waiting.status is TurnStatus.WAITING
    assert was_empty
    assert [(row.label, row.value) for row in approval.rows] == [("Path", path), ("Content", "Read.")]
    assert (folder / "plan.txt").read_text() == "Read."
    assert last.status is TurnStatus.DONE
    noted = [(entry.services[0], entry.tool) for entry in services.activity.latest_entries(student.id, 10)]
    assert ("files", "Files: Write File") in noted
    assert ("files", "Files: List Allowed Directories") in noted


def test_a_server_that_is_down_carries_its_reason_to_every_door(home: Home) -> None:
    services = home(files=hostile())
    student = maya(services)
    servers_of(services).ready("files", timeout_s=20)
    services.root_tools.tools()
    servers_of(services).close()

    later = home(files=hostile(start="crash"))
    servers_of(later).ready("files", timeout_s=10)
    (offer,) = [offer for offer in later.gateway.list_tools(student.id) if offer.tool.name == "files__echo"]
    result = later.gateway.call(student, "files__echo", {"text": "hello"}, asked_by="curl")

    assert offer.reason is not None
    assert offer.reason.kind.value == "server_down"
    assert result.error_kind == "unavailable"
    assert "files__echo" not in {tool.name for tool in later.agent.get_user_tools(student.id)}
    assert len(later.agent.get_user_tools(student.id)) > 0


def test_a_wrong_setting_stops_the_start(tmp_path: Path) -> None:
    environment = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), "HOMEROOM_MCP_SERVERS": "{"}

    with pytest.raises(SettingsError, match="HOMEROOM_MCP_SERVERS: is not JSON"):
        settings.read(environment)


def test_the_root_is_the_same_tuple_for_as_long_as_nothing_changes(home: Home) -> None:
    services = home(files=hostile())
    servers_of(services).ready("files", timeout_s=20)

    assert services.root_tools.tools() is services.root_tools.tools()


def test_the_operator_sees_what_each_server_offers_and_why_one_does_not_come_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    servers = {"good": hostile(), "bad": hostile(start="crash")}
    monkeypatch.setenv("HOMEROOM_DEMO", "1")
    monkeypatch.setenv("HOMEROOM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("HOMEROOM_MCP_SERVERS", json.dumps(servers))

    code = manage.main(["mcp-check"])

    assert code == 1
    assert capsys.readouterr().out.splitlines() == [
        "good: up",
        "  good__echo (read)",
        "bad: down",
        "  | cannot start: TOKEN=canary",
    ]
