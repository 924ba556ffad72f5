"""Resolutions are kept as long as nothing that they depend on changes."""

import logging
from dataclasses import replace

import pytest

from services.assistants.assistant import Assistant
from services.connections.connection import Health
from services.tools.availability import ExclusionKind
from services.tools.tool import Obstacle
from tests.services.tools.conftest import connection
from tests.tool_roots import MAYA, FakeAccounts, Root

NOTES = connection(integration="notes")


def test_a_turn_reads_the_connections_once_and_the_same_state_is_resolved_once() -> None:
    accounts = FakeAccounts({"notes": NOTES})
    toolboxes = Root(8).toolboxes(accounts)

    first, second = toolboxes.for_student(MAYA), toolboxes.for_student(MAYA)

    assert accounts.reads == 2
    assert first.resolution is second.resolution


def test_a_change_of_a_connection_shows_at_once() -> None:
    accounts = FakeAccounts({"notes": NOTES})
    toolboxes = Root(8).toolboxes(accounts)
    before = toolboxes.for_student(MAYA).resolution.names
    accounts.connections["notes"] = replace(NOTES, health=Health.REVOKED, reason="You ended it there.")

    after = toolboxes.for_student(MAYA).resolution

    assert before - after.names == {"tool_2", "tool_6"}
    assert after.excluded["tool_2"].kind is ExclusionKind.CONNECTION_REVOKED
    assert "You ended it there" in after.excluded["tool_2"].sentence


def test_a_new_version_of_an_assistant_shows_at_once() -> None:
    toolboxes = Root(8).toolboxes(FakeAccounts({}))
    assistant = Assistant(id="one", name="One", version="1")
    assert "tool_3" in toolboxes.for_student(MAYA, assistant).resolution.names

    changed = replace(assistant, version="2", switches={"tool_3": False})

    assert toolboxes.for_student(MAYA, changed).resolution.excluded["tool_3"].kind is ExclusionKind.SWITCHED_OFF


def test_what_an_assistant_leaves_out_stays_usable_when_nobody_names_it() -> None:
    toolboxes = Root(8).toolboxes(FakeAccounts({"notes": NOTES}))
    narrow = Assistant(id="narrow", name="Narrow", categories=("planner",))

    resolution = toolboxes.for_student(MAYA, narrow).resolution

    assert resolution.excluded["tool_2"].sentence == "Narrow does not use notes tools."
    assert resolution.set_aside == ("Notes",)
    assert (resolution.connected, resolution.disabled) == ((), ())
    assert "tool_2" in toolboxes.for_student(MAYA).resolution.names


def test_an_empty_list_of_categories_is_no_tools_and_fine() -> None:
    empty = Assistant(id="empty", name="Empty", categories=())

    assert Root(8).toolboxes(FakeAccounts({})).for_student(MAYA, empty).resolution.tools == ()


def test_a_name_that_nobody_registered_is_logged_once_and_skipped(caplog: pytest.LogCaptureFixture) -> None:
    toolboxes = Root(4).toolboxes(FakeAccounts({}))
    wishful = Assistant(id="wishful", name="Wishful", switches={"tool_of_tomorrow": True})

    with caplog.at_level(logging.WARNING):
        names = toolboxes.for_student(MAYA, wishful).resolution.names
        toolboxes.for_student(MAYA, replace(wishful, version="2"))

    assert names == {"tool_3"}
    assert caplog.text.count("tool_not_in_registry") == 1


def test_a_server_that_is_down_is_the_reason_of_its_tools() -> None:
    root = Root(4)
    down = Obstacle(kind=ExclusionKind.SERVER_DOWN, reason="Files does not answer.", next_step="Try again in a minute.")
    tools = (*root.tools[:3], replace(root.tools[3], server="files", obstacle=down))

    reason = root.toolboxes(FakeAccounts({}), tools).for_student(MAYA).resolution.excluded["tool_3"]

    assert (reason.kind, reason.sentence) == (ExclusionKind.SERVER_DOWN, "Files does not answer.")


def test_a_missing_capability_says_how_to_get_it() -> None:
    root = Root(4)
    tools = tuple(replace(tool, capabilities=("notes", "web")) for tool in root.tools)

    lacks_both = root.toolboxes(FakeAccounts({}), tools).for_student(MAYA).resolution.excluded["tool_3"]
    lacks_one = root.toolboxes(FakeAccounts({"notes": NOTES}), tools).for_student(MAYA).resolution.excluded["tool_3"]

    assert (lacks_both.kind, lacks_both.integration) == (ExclusionKind.CAPABILITY_MISSING, "notes")
    assert lacks_both.next_step == "Connect Notes on the Connections page."
    assert lacks_one.sentence == "This needs web, which is not set up here."
