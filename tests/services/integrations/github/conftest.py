"""`github_api` called as the app does, against the campus."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from services.container import ServiceContainer
from services.integrations.github.tools import github_api
from services.tools.base import ToolExecutionContext, ToolResult
from tests.campus_server import CampusServer
from tests.tool_calls import MAYA

Call = Callable[..., ToolResult]


@dataclass(frozen=True)
class Extensions:
    """The part of `Settings` that the tool reads."""

    environment: Mapping[str, str]

    def extension(self, id: str) -> Mapping[str, str]:
        assert id == "github"
        return self.environment


@dataclass(frozen=True)
class Container:
    settings: Extensions

    def clock(self) -> datetime:
        return datetime.now(UTC)


@pytest.fixture
def ask(campus: CampusServer) -> Call:
    """Call the tool with these arguments, in a deployment with the campus's token."""
    return caller(campus, "homeroom-demo-github-token")


def caller(campus: CampusServer, token: str) -> Call:
    container = Container(Extensions({"TOKEN": token, "API_BASE_URL": f"{campus.url}/github"}))
    context = ToolExecutionContext(student=MAYA, container=cast(ServiceContainer, container))

    def call(**arguments: Any) -> ToolResult:
        return github_api.function(context, **github_api.validate(arguments))

    return call
