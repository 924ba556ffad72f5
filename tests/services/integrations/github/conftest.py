"""`github_api` called as the app does, against the campus."""

from collections.abc import Callable
from typing import Any

import pytest

from services.integrations.github import client
from services.integrations.github.tools import github_api
from services.tools.result import ToolResult
from tests.campus_server import CampusServer
from tests.tool_calls import FakeSettings, container_of, run

Call = Callable[..., ToolResult]


@pytest.fixture(autouse=True)
def fresh() -> None:
    """A process that has not been asked to slow down yet."""
    client._shared.cache_clear()


@pytest.fixture
def ask(campus: CampusServer) -> Call:
    """Call the tool with these arguments, in a deployment with the campus's token."""
    return caller(campus, "homeroom-demo-github-token")


def caller(campus: CampusServer, token: str) -> Call:
    container = container_of(
        settings=FakeSettings({"github": {"TOKEN": token, "API_BASE_URL": f"{campus.url}/github"}})
    )

    def call(**arguments: Any) -> ToolResult:
        return run(github_api, arguments, container=container)

    return call
