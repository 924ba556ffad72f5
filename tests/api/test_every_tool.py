"""Row D6: each tool of the root gives the same from the chat, over HTTP, over MCP and in a background job."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.applications import Starlette

from api.key_limits import RequestLimits
from api.routes import routes
from services.runtime.clock import utc_now
from services.safety.provenance import Provenance
from services.tools.providers.local import ToolRegistry
from services.tools.tool import Tool
from tests.api.every_tool import CALLS, Doors, a_task, arguments_for, root
from tests.api.room import Program, door
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.fakes import FakeClock
from tests.mcp.serving import bound, serving
from tests.telling import telling

ROOT = root()
BY_OTHERS = {Provenance.OTHERS, Provenance.ASSISTANT}
BY_ANYBODY = {Provenance.STRANGERS, Provenance.PUBLIC}
REPEAT_OTHERS = {
    *("calendar_list_events", "calendar_find_free_time", "calendar_find_conflicts", "canvas_list_announcements"),
    *("canvas_list_discussions", "canvas_get_discussion", "canvas_list_todo", "notion_search", "notion_read_page"),
    *("documents_get", "planner_list_tasks"),
}
REPEAT_STRANGERS = {"web_search", "web_read_page", "rss_feed", "github_api", "link_validator", "research_summarise"}
TELLING = {(tool.integration or tool.category, tool.effect, tool.asks_student): tool.name for tool in ROOT.values()}
"""One tool of each kind; `make soak` tries every one."""
PACE = {"service": "anthropic", "fault": "pace", "words_per_second": 5_000, "times": 0}


@pytest.fixture(scope="module")
def room(running_campus: CampusServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampusRoom]:
    """One Homeroom for all tools, with everything connected, at a moment that stands still."""
    running_campus.reset()
    running_campus.clear_faults()
    running_campus.fault(**PACE)
    room = CampusRoom(running_campus, tmp_path_factory.mktemp("every"), clock=FakeClock(utc_now()))
    room.connect(*(id for id, integration in room.services.integrations.items() if integration.oauth))
    # A student has it only without Canvas; here its tools are tried beside all others.
    offered = room.services.integrations
    offered["sample_course"] = replace(offered["sample_course"], gives_way_to="")  # type: ignore[index]
    room.services.connections.connect_without_account(room.maya.id, "sample_course")
    a_task()(room)
    yield room
    room.close()
    running_campus.clear_faults()


@pytest.fixture(scope="module")
def doors(room: CampusRoom) -> Iterator[Doors]:
    with bound() as listener:
        url = f"http://localhost:{listener.getsockname()[1]}"
        # The campus has an address of its own in tests, so only the door's copy of the settings names this one.
        services = replace(room.services, settings=replace(room.services.settings, public_url=url))
        app = Starlette(routes=routes(services, limits=RequestLimits(burst=10_000, at_once=100)))
        with serving(app, listener):
            yield Doors(room, Program(door(services), services, room.maya), url)


@pytest.mark.parametrize("name", telling(ROOT, lambda name: name in TELLING.values()))
def test_a_tool_does_the_same_at_every_door(room: CampusRoom, doors: Doors, name: str) -> None:
    tool = ROOT[name]
    arguments = arguments_for(tool, room)
    before = _writes(room)

    seen = doors.all(name, arguments)

    chat = seen["chat"]
    if tool.asks_student:
        # The chat waits for their answer; a program gets the question, to ask it itself.
        assert chat.card is not None
        chat = seen["chat"] = seen["http"]
    assert seen == dict.fromkeys(seen, chat)
    assert chat.success, f"{chat.words}\n(Called with {arguments}: see CALLS in tests/api/every_tool.py.)"
    assert (chat.card is not None) == tool.effect.needs_approval
    assert _writes(room) == before
    _is_of_known_authors(tool, doors.writers)
    if tool.effect.needs_approval:
        _is_done_once_approved(room, doors, [answer.approval_id or "" for answer in seen.values()])


def _is_of_known_authors(tool: Tool, writers: frozenset[Provenance]) -> None:
    """No field without an author reaches a result, and what repeats others' words says so (T03, T06)."""
    if not (tool.effect.needs_approval or tool.asks_student):
        assert writers
        assert Provenance.UNDECLARED not in writers
    assert tool.name not in REPEAT_OTHERS or writers & BY_OTHERS
    assert tool.name not in REPEAT_STRANGERS or writers & BY_ANYBODY


def _is_done_once_approved(room: CampusRoom, doors: Doors, approvals: list[str]) -> None:
    """The same call at the doors for programs has one card; it is done and taken back, so that the campus stays as it
    is.
    """
    _of_the_chat, first, *others = approvals

    done = doors.decide(first, "approve")

    assert set(others) == {first}
    assert done["status"] == "done", done["outcome"]
    if done["can_undo"]:
        assert room.services.turns.undo(room.maya, first).status == "undone"


def _writes(room: CampusRoom) -> int:
    """How often something was changed at an outside service; the model's own requests change nothing."""
    return len([request for request in room.server.log(writes=1) if request["service"] not in ("anthropic", "oidc")])


def test_the_matrix_is_the_root_and_the_table_names_nothing_else(room: CampusRoom) -> None:
    assert set(ROOT) == {tool.name for tool in room.services.root_tools.tools()}
    assert set(CALLS) <= set(ROOT)


def test_every_tool_has_an_example() -> None:
    """That it fits the schema is checked at registration. Write examples=(Example(description=…, arguments=…),)."""
    assert [tool.name for tool in ROOT.values() if not tool.examples] == []
    assert len(ToolRegistry(ROOT.values())) == len(ROOT)


def test_every_tool_says_what_it_is_for_when_to_use_it_and_when_not() -> None:
    silent = [tool.name for tool in ROOT.values() if not (tool.usage_hint and tool.when and tool.when_not)]

    assert silent == []
