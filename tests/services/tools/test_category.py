"""Tools of a category: whatever connection gives what they need serves them, and the reason is right when none does."""

from dataclasses import replace

from services.assistants.assistant import Assistant, CalendarChoice
from services.connections.connection import Health
from services.integrations.base import Integration
from services.tools.availability import Exclusion, ExclusionKind
from services.tools.resolution import Resolution, resolve
from tests.agent_fakes import FakeBoard
from tests.fakes import FakeClock, FakeService
from tests.services.tools.conftest import connection

SERVICE = FakeService(clock=FakeClock())


def made(id: str, label: str, *capabilities: str) -> Integration:
    return SERVICE.integration(id, label=label, category="calendar", capabilities=frozenset(capabilities))


OFFERED = {
    "feed": made("feed", "Calendar feed", "calendar_read"),
    "google": made("google", "Google Calendar", "calendar_read", "calendar_write"),
}


def resolved(assistant: Assistant | None = None, **connected: Health) -> Resolution:
    read, write, *_ = (replace(tool, integration=None, category="calendar") for tool in FakeBoard().tools(None))
    tools = (replace(read, capabilities=("calendar_read",)), replace(write, capabilities=("calendar_write",)))
    connections = {id: connection(health) for id, health in connected.items()}
    return resolve(connections, OFFERED, tools, assistant=assistant)


def of(provider: str) -> Assistant:
    return Assistant(id="club", name="Club", calendar=CalendarChoice(provider=provider))


def reason(resolution: Resolution, name: str) -> Exclusion:
    return resolution.excluded[name]


def test_either_connection_serves_reading_and_only_one_serves_writing() -> None:
    assert resolved(google=Health.HEALTHY).names == {"board_read", "board_pin"}
    assert resolved(feed=Health.HEALTHY).names == {"board_read"}


def test_with_nothing_connected_every_way_is_named() -> None:
    found = reason(resolved(), "board_read")

    assert found.kind is ExclusionKind.NOT_CONNECTED
    assert found.next_step == "Connect Calendar feed or Google Calendar on the Connections page."


def test_a_connection_that_can_only_be_read_says_so_to_who_wants_to_write() -> None:
    found = reason(resolved(feed=Health.HEALTHY), "board_pin")

    assert (found.kind, found.sentence) == (ExclusionKind.CAPABILITY_MISSING, "Calendar feed can only be read.")
    assert found.next_step == "Connect Google Calendar on the Connections page to make changes."


def test_a_dead_connection_must_be_reconnected() -> None:
    found = reason(resolved(google=Health.REVOKED), "board_read")

    assert found.kind is ExclusionKind.CONNECTION_REVOKED
    assert found.sentence.startswith("Google Calendar must be reconnected")


def test_a_dead_connection_takes_nothing_from_what_the_other_gives() -> None:
    resolution = resolved(google=Health.REVOKED, feed=Health.HEALTHY)

    assert resolution.names == {"board_read"}
    assert reason(resolution, "board_pin").kind is ExclusionKind.CONNECTION_REVOKED


def test_an_assistant_with_a_calendar_of_its_own_offers_only_what_that_one_gives() -> None:
    feed, both = {"feed": Health.HEALTHY}, {"feed": Health.HEALTHY, "google": Health.HEALTHY}

    unconnected, read_only, whole = resolved(of("google"), **feed), resolved(of("feed"), **both), resolved(**both)

    assert (unconnected.names, unconnected.connected, unconnected.set_aside) == (frozenset(), (), ("Calendar feed",))
    assert reason(unconnected, "board_read").next_step == "Connect Google Calendar on the Connections page."
    assert (read_only.names, read_only.connected) == ({"board_read"}, ("feed",))
    assert reason(read_only, "board_pin").sentence == "Club works with Calendar feed alone, which cannot do this."
    assert whole.names == {"board_read", "board_pin"}


def test_a_calendar_that_nobody_offers_here_leaves_no_tool_and_says_so() -> None:
    resolution = resolved(of("outlook"), google=Health.HEALTHY)

    assert resolution.names == frozenset()
    assert reason(resolution, "board_read").sentence == "Club works with a calendar that is not set up here."
