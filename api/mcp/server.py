"""MCP server over the same tool gateway as the other routes; imported late, as the SDK takes a second."""

import logging
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, TypeVar

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from starlette.datastructures import State
from starlette.types import ASGIApp, Receive, Scope, Send

from api.auth import may_use, require, scope_of
from api.body import MOST_BYTES
from api.errors import CONSENT_REQUIRED, ApiError, sentence_of
from api.handlers.tools import EXECUTE_DEADLINE_S
from api.mcp.listed_tools import CALL, FIND, found, query_of, tool_listing, wanted_call
from api.mcp.results import call_result
from api.openapi import VERSION
from api.router import RequestChecks
from services.assistants.assistant import DEFAULT_ASSISTANT
from services.conversations.mentioned_addresses import texts_in
from services.errors import BadArguments, ConsentRequired, HomeroomError, ToolUnavailable
from services.identity.api_keys import Caller, KeyScope
from services.materials.picture_blocks import drawn_picture
from services.materials.results import PagePicture
from services.runtime.logs import error_location
from services.runtime.prompt_files import prompt
from services.safety.seen_addresses import SeenAddresses
from services.tools import failures
from services.tools.dispatch import bulkhead_of
from services.tools.result import FailureKind, ToolResult
from services.tools.tool import Tool

log = logging.getLogger(__name__)

LIST_DEADLINE_S = 15.0
PICTURES_DEADLINE_S = 20.0
FORBIDDEN = -32003
"""JSON-RPC error code of our own, in the range for servers."""
_KINDS = {
    403: FailureKind.NOT_ALLOWED,
    429: FailureKind.USED_TOO_OFTEN,
    503: FailureKind.UNAVAILABLE,
    504: FailureKind.TIMED_OUT,
}
"""Failure kind of a call that the router refused, by HTTP status."""

Context = ServerRequestContext[Any, Any]
Result = TypeVar("Result")


def server_app(checks: RequestChecks) -> ASGIApp:
    """ASGI app that answers one POST at a time, in JSON, without sessions; `request.state.caller` says who asks.

    A call without the student's consent sets `request.state.status`, the HTTP status beside its JSON-RPC error.
    """
    handlers = _Handlers(checks)
    server: Server[Any] = Server(
        "homeroom",
        version=VERSION,
        title="Homeroom",
        instructions=prompt("mcp_server"),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
    )

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        # One for each request: nothing of it outlives the answer, so there is nothing to start, to keep or to close.
        manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=MOST_BYTES
        )
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    return app


class _Handlers:
    def __init__(self, checks: RequestChecks) -> None:
        self._services = checks.services
        self._workers = checks.workers
        self._heard = SeenAddressesByKey(checks.services.settings.public_url)

    async def list_tools(self, context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        """List tools that the student can use now with the default assistant and this key's scopes."""
        caller, headers = _caller(context), _headers(context)
        try:
            root, usable = await _with_error_boundary(self._workers.run("own", LIST_DEADLINE_S, self._usable, caller))
            listing = tool_listing(caller.key, headers, root)
        except BadArguments as error:
            raise MCPError(INVALID_PARAMS, sentence_of(error)) from None
        except ApiError as error:
            raise MCPError(INTERNAL_ERROR, str(error)) from None
        except HomeroomError as error:
            raise MCPError(INTERNAL_ERROR, sentence_of(error)) from None
        return ListToolsResult(tools=listing.entries(usable, can_write=KeyScope.WRITE in caller.key.scopes))

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        caller = _caller(context)
        try:
            result = await _with_error_boundary(self._answered(caller, params.name, params.arguments or {}))
        except ToolUnavailable as error:
            raise MCPError(INVALID_PARAMS, sentence_of(error)) from None
        except ConsentRequired as error:
            _state(context).status = 403
            told = {"code": CONSENT_REQUIRED, "agree_at": error.address}
            raise MCPError(FORBIDDEN, sentence_of(error), told) from None
        except ApiError as error:
            result = ToolResult(
                success=False, error=str(error), error_kind=_KINDS.get(error.status, FailureKind.INTERNAL)
            )
        except HomeroomError as error:
            result = failures.failed_result(error)
        pictures = await self._pictures(caller, result) if result.pictures else ()
        return call_result(result, self._services.settings.public_url, pictures)

    async def _pictures(self, caller: Caller, result: ToolResult) -> Sequence[PagePicture]:
        """Pages that only their picture tells; none of them when they cannot be drawn now."""
        try:
            return await self._workers.run("own", PICTURES_DEADLINE_S, self._drawn, caller, result)
        except ApiError as error:
            log.warning("mcp_pictures_left_out status=%s", error.status)
            return ()

    def _drawn(self, caller: Caller, result: ToolResult) -> Sequence[PagePicture]:
        draw = partial(self._services.materials.page_picture, caller.student)
        pictures = [drawn_picture(draw, reference) for reference in result.pictures]
        return [picture for picture in pictures if picture is not None]

    async def _answered(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        if name == FIND:
            return await self._workers.run("own", LIST_DEADLINE_S, self._found, caller, query_of(arguments))
        if name != CALL:
            return await self._called(caller, name, arguments)
        name, arguments = wanted_call(arguments)
        try:
            return await self._called(caller, name, arguments)
        except ToolUnavailable as error:
            # The name is an argument here: the model that mistook it reads what there is.
            return failures.failed_result(error)

    def _usable(self, caller: Caller) -> tuple[Sequence[Tool], Sequence[Tool]]:
        """Every tool there is, and those that this key can use now."""
        listings = self._services.gateway.list_tools(caller.student.id, assistant=DEFAULT_ASSISTANT)
        usable = [listing.tool for listing in listings if listing.reason is None and may_use(caller.key, listing.tool)]
        return [listing.tool for listing in listings], usable

    def _found(self, caller: Caller, query: str) -> ToolResult:
        root, usable = self._usable(caller)
        contexts = [context.name for context in self._services.detector.detect(query, tools=root)]
        return found(usable, query, contexts)

    async def _called(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        gateway = self._services.gateway
        tool = await self._workers.run("own", LIST_DEADLINE_S, gateway.tool, name)
        if tool is not None:
            require(caller, frozenset({scope_of(tool)}))
        # What writes waits for the student, who sees every field of it.
        is_bound = tool is not None and not tool.effect.needs_approval and KeyScope.OPEN not in caller.key.scopes
        call: Callable[[], ToolResult] = partial(
            gateway.call,
            caller.student,
            name,
            arguments,
            asked_by=caller.key.label,
            assistant=DEFAULT_ASSISTANT,
            seen_addresses=partial(self._heard.known, caller.key.id) if is_bound else None,
        )
        result = await self._workers.run(bulkhead_of(tool), EXECUTE_DEADLINE_S, call, lane=caller.student.id)
        self._heard.add_tool_result(caller.key.id, arguments, result)
        return result


async def _with_error_boundary(work: Awaitable[Result]) -> Result:
    """Error boundary: the SDK would send the text of an unexpected error to the client and log it."""
    try:
        return await work
    except (ApiError, HomeroomError):
        raise
    except Exception as error:
        id = secrets.token_hex(4)
        log.error("mcp_crashed id=%s at=%s", id, error_location(error))
        raise ApiError(500, "internal", f"This did not work because of a mistake of ours (reference {id}).") from None


def _caller(context: Context) -> Caller:
    caller: Caller = _state(context).caller
    return caller


def _state(context: Context) -> State:
    assert context.request is not None
    state: State = context.request.state
    return state


def _headers(context: Context) -> Mapping[str, str]:
    assert context.request is not None
    headers: Mapping[str, str] = context.request.headers
    return headers


SEEN_ADDRESSES_LIFETIME_S = 3600.0


MOST_KEYS_WITH_ADDRESSES = 1000


class SeenAddressesByKey:
    """Addresses that the results of each API key have named, which a model behind /mcp may open. In-memory: on another
    replica the client has to find the address again."""

    def __init__(self, own_origin: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._own_origin = own_origin
        self._clock = clock
        self._lock = threading.Lock()
        self._keys: dict[str, tuple[float, SeenAddresses]] = {}

    def known(self, key_id: str) -> SeenAddresses:
        """Copy of the addresses: what happens within a call does not count after it."""
        with self._lock:
            return deepcopy(self._of(key_id))

    def add_tool_result(self, key_id: str, arguments: Mapping[str, Any], result: ToolResult) -> None:
        """Add the addresses of a result; a failure names none, but may tell of what was read."""
        urls = [source.url for source in result.sources]
        with self._lock:
            known = self._of(key_id)
            if result.success:
                known.add_result(result.output, urls, arguments=texts_in(arguments), of=result.provenance)
            else:
                known.add_failure(result.provenance)

    def _of(self, key_id: str) -> SeenAddresses:
        now = self._clock()
        since, known = self._keys.pop(key_id, (now, None))
        if known is None or now - since > SEEN_ADDRESSES_LIFETIME_S:
            since, known = now, SeenAddresses(own_origin=self._own_origin)
            known.assume_private()
        self._keys[key_id] = (since, known)
        while len(self._keys) > MOST_KEYS_WITH_ADDRESSES:
            self._keys.pop(next(iter(self._keys)))
        return known
