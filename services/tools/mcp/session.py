"""`McpSession`: one MCP session with a server. Only this file and the two transports load the SDK."""

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.client.session import ClientSession, IncomingMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CONNECTION_CLOSED,
    INTERNAL_ERROR,
    REQUEST_TIMEOUT,
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    ListToolsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    ToolListChangedNotification,
)
from pydantic import ValidationError

from services.settings.mcp_servers import McpServer
from services.tools.mcp import http_transport, stdio_transport
from services.tools.mcp.errors import AnswerLate, AnswerTooLarge, CallRefused, ServerGone
from services.tools.mcp.limits import McpLimits
from services.tools.mcp.server_process import ServerProcess

_HTTP_FAILED = "Server returned an error response"
_ENDED = "Session terminated"
_NO_ANSWER = (
    "Failed to parse ",
    "Unexpected content type",
    "server answered a request with 202",
    "SSE stream ",
    "Redirect to ",
)
"""How errors begin that the library makes in the place of an answer that it cannot read: no words of the server's."""

# Its loggers write whole messages, and with them what students said, and tracebacks of what hostile servers send.
logging.getLogger("mcp").setLevel(logging.CRITICAL)


class McpSession:
    """Client session. Every request is answered within the limits, or raises an `McpCallError`."""

    def __init__(self, client: ClientSession, limits: McpLimits, over: anyio.Event) -> None:
        self._client = client
        self._limits = limits
        self.over = over
        """Set when this session is closed."""

    async def tools(self) -> list[dict[str, Any]]:
        """List the tools as they are on the wire, never more than the limits allow."""
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        for _ in range(self._limits.pages):
            params = None if cursor is None else PaginatedRequestParams(cursor=cursor)
            page = await self._ask(ListToolsRequest(params=params), ListToolsResult, self._limits.start_s)
            found += page["tools"]
            cursor = page.get("nextCursor")
            if cursor is None or len(found) >= self._limits.tools:
                break
        return found[: self._limits.tools]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool; the result as it is on the wire."""
        params = CallToolRequestParams(name=name, arguments=dict(arguments))
        return await self._ask(CallToolRequest(params=params), CallToolResult, self._limits.call_s)

    async def _ask(self, request: Any, kind: Any, timeout_s: float) -> dict[str, Any]:
        try:
            # The SDK's own clock starts only when the request is written; a server that does not read would stop it.
            with anyio.fail_after(timeout_s + 1):
                answer = await self._client.send_request(request, kind, request_read_timeout_seconds=timeout_s)
        except MCPError as error:
            raise _outcome(error) from None
        except TimeoutError:
            raise AnswerLate from None
        except (ValidationError, RuntimeError, anyio.ClosedResourceError, anyio.BrokenResourceError):
            raise ServerGone from None
        dumped: dict[str, Any] = answer.model_dump(by_alias=True, mode="json", exclude_none=True)
        return dumped


def _outcome(error: MCPError) -> Exception:
    if error.code in (CONNECTION_CLOSED, stdio_transport.NONSENSE) or error.message == _ENDED:
        return ServerGone()
    if error.code == REQUEST_TIMEOUT:
        return AnswerLate()
    if error.code == stdio_transport.TOO_LARGE or http_transport.TOO_LARGE in error.message:
        return AnswerTooLarge()
    if error.code == INTERNAL_ERROR and error.message == _HTTP_FAILED:
        return ServerGone()
    if error.message.startswith(_NO_ANSWER):
        return ServerGone()
    return CallRefused(error.message)


@asynccontextmanager
async def open_session(
    server: McpServer, limits: McpLimits, *, on_change: Callable[[], None], on_process: Callable[[ServerProcess], None]
) -> AsyncIterator[McpSession]:
    """Connect and shake hands. We offer no sampling, roots or elicitation: a server gets nothing of ours by asking.

    on_change: called when the server says that its list of tools has changed.
    """
    over = anyio.Event()

    async def on_message(message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            on_change()

    async with _streams(server, limits, over, on_process) as (read, write):
        who = Implementation(name="homeroom", version="1")
        async with ClientSession(read, write, client_info=who, message_handler=on_message) as client:
            await client.initialize()
            yield McpSession(client, limits, over)


@asynccontextmanager
async def _streams(
    server: McpServer, limits: McpLimits, over: anyio.Event, on_process: Callable[[ServerProcess], None]
) -> AsyncIterator[Any]:
    if not server.command:
        async with http_transport.http_streams(server, limits) as streams:
            yield streams
        return
    async with ServerProcess.running(server, limits) as process:
        on_process(process)
        async with stdio_transport.stdio_streams(process, limits, over) as streams:
            yield streams
