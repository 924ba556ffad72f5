"""Resolution: freshness, not existence, decides which tools a student has."""

import pytest

from services.connections.connection import Health
from services.tools.resolution import resolve
from tests.agent_fakes import FakeBoard
from tests.fakes import FakeClock, FakeService
from tests.rooms import RoomMaker
from tests.services.tools.conftest import connection

pytestmark = pytest.mark.any_store

BOARD = FakeService(clock=FakeClock(), label="Board").integration("board")
TOOLS = (*FakeBoard().tools(),)


@pytest.mark.parametrize("health", [Health.HEALTHY, Health.EXPIRING, Health.UNREACHABLE])
def test_a_live_connection_offers_its_tools(health: Health) -> None:
    resolution = resolve({"board": connection(health)}, {"board": BOARD}, TOOLS)

    assert resolution.names == {"board_read", "board_pin"}
    assert (resolution.connected, resolution.disabled) == (("board",), ())


@pytest.mark.parametrize("health", [Health.EXPIRED, Health.REVOKED, Health.LOCKED])
def test_a_dead_connection_offers_no_tool_and_has_one_reason(health: Health) -> None:
    resolution = resolve({"board": connection(health)}, {"board": BOARD}, TOOLS)

    (disabled,) = resolution.disabled
    assert resolution.tools == ()
    is_locked = health is Health.LOCKED
    assert (disabled.kind, disabled.label) == ("locked" if is_locked else "reconnect", "Board")
    assert ("reconnect" in disabled.sentence) != is_locked
    assert disabled.reason


def test_the_reason_that_was_seen_is_the_reason_that_is_told() -> None:
    seen = connection(Health.REVOKED, reason="The board ended your access.")

    (disabled,) = resolve({"board": seen}, {"board": BOARD}, TOOLS).disabled

    assert disabled.reason == "The board ended your access."


def test_what_was_never_connected_is_missing() -> None:
    (disabled,) = resolve({}, {"board": BOARD}, TOOLS).disabled

    assert (disabled.kind, disabled.reason) == ("missing", "Board is not connected")


def test_own_tools_need_no_connection() -> None:
    own = FakeBoard().tools(None)

    assert resolve({}, {"board": BOARD}, own).tools == own


def test_the_agent_gives_each_student_their_own_tools(room: RoomMaker) -> None:
    maya = room()
    diego = maya.sign_in("diego")

    hers = {tool.name for tool in maya.services.agent.get_user_tools(maya.maya.id)}
    his = {tool.name for tool in maya.services.agent.get_user_tools(diego.id)}

    assert hers - his == {"board_read", "board_pin"}
    assert his < hers
