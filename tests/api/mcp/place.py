"""A Homeroom on a real port, asked by the SDK's client and by the npm inspector."""

import asyncio
import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from services.settings import process_environment
from tests import node
from tests.api.room import ApiRoom, Program


@dataclass(frozen=True)
class McpPlace:
    """A Homeroom on a real port; `ask` runs one conversation of the SDK's client with a student's key."""

    api: ApiRoom
    url: str

    def ask(self, who: Program, talk: Callable[[Client], Any], *, mode: str = "auto", **headers: str) -> Any:
        return asyncio.run(self._talk(who, talk, mode, headers))

    def tools(self, who: Program, **more: Any) -> dict[str, Any]:
        listed = self.ask(who, lambda client: client.list_tools(), **more)
        return {tool.name: tool for tool in listed.tools}

    def call(self, who: Program, tool: str, **arguments: Any) -> Any:
        return self.ask(who, lambda client: client.call_tool(tool, arguments))

    def refusal(self, who: Program, tool: str) -> str:
        """The words of a protocol error."""

        async def refused(client: Client) -> str:
            with pytest.raises(MCPError) as caught:
                await client.call_tool(tool, {})
            return str(caught.value)

        return str(self.ask(who, refused))

    async def _talk(self, who: Program, talk: Callable[[Client], Any], mode: str, headers: Mapping[str, str]) -> Any:
        bearer = {"authorization": f"Bearer {who.key.secret}", **headers}
        async with httpx2.AsyncClient(headers=bearer, trust_env=False) as http:
            transport = streamable_http_client(f"{self.url}/mcp", http_client=http)
            async with Client(transport, read_timeout_seconds=20, mode=mode) as client:
                return await talk(client)


def text(result: Any) -> str:
    return str(result.content[0].text)


def inspect(place: McpPlace, who: Program, method: str, *more: str) -> Any:
    done = run_inspector(place, who.key.secret, method, *more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run_inspector(place: McpPlace, key: str, method: str, *more: str) -> "subprocess.CompletedProcess[str]":
    target = ["--cli", f"{place.url}/mcp", "--transport", "http", "--method", method]
    preload = {"NODE_OPTIONS": f"--import {(node.FOLDER / 'bearer.mjs').as_uri()}", "MCP_KEY": key}
    environment = {**process_environment(), **preload}
    command = [*node.command("mcp-inspector"), *target, *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
