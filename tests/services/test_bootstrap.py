"""Bootstrap: settings in, a whole container out."""

import subprocess
import sys
from pathlib import Path

import pytest

from services import bootstrap
from services.errors import ToolUnavailable
from services.settings import ROOT
from services.storage.sqlite import SqliteDocuments
from tests.rooms import demo_settings


def test_demo_settings_are_enough_for_a_whole_container(tmp_path: Path) -> None:
    container = bootstrap.build(demo_settings(tmp_path))

    assert container.settings.demo
    assert {"canvas", "google_calendar"} <= set(container.integrations)
    assert isinstance(container.store._engine.engine, SqliteDocuments)
    container.store.close()


def test_the_root_holds_every_tool_under_a_unique_name(tmp_path: Path) -> None:
    container = bootstrap.build(demo_settings(tmp_path))

    names = [tool.name for tool in container.root_tools.tools()]

    assert len(names) == len(set(names))
    assert container.tool("calendar_create_event").effect.needs_approval
    with pytest.raises(ToolUnavailable):
        container.tool("nothing")
    container.store.close()


def test_without_connections_only_own_tools_are_offered(tmp_path: Path) -> None:
    container = bootstrap.build(demo_settings(tmp_path))

    offered = container.agent.get_user_tools("somebody")

    assert offered
    assert {tool.integration for tool in offered} == {None}
    container.store.close()


def test_a_process_that_asks_no_model_imports_no_client_of_one() -> None:
    """The SDK takes as long as everything else together: a command, and a child of a test, wait for that each time."""
    command = "import sys, manage; print([name for name in ('anthropic', 'streamlit') if name in sys.modules])"

    done = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
