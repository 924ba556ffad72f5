"""`POST /mcp`: the same checks as the other HTTP routes; stateless, so every request brings its key."""

import asyncio
import logging

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from api.body import read_json
from api.errors import FRESH, ApiError
from api.middleware.host import AllowedHosts
from api.router import RequestChecks, error_boundary, respond

log = logging.getLogger(__name__)

PATH = "/mcp"
DISCOVERY = ("/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server")
_OWN_HEADERS = (b"content-length", b"cache-control")


def mcp_routes(checks: RequestChecks) -> list[BaseRoute]:
    """Routes of the MCP server, and JSON 404s where MCP clients look for OAuth metadata."""
    places = [Route(path + rest, _NoOAuth()) for path in DISCOVERY for rest in ("", "/{rest:path}")]
    return [Route(PATH, McpRoute(checks)), *places]


class McpRoute:
    """ASGI app of the MCP server. Stateless: each request brings its key, and any replica can answer it."""

    def __init__(self, checks: RequestChecks) -> None:
        self._checks = checks
        self._hosts = AllowedHosts(checks.services.settings.public_url)
        self._loading = asyncio.Lock()
        self._server: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await WebSocketClose()(scope, receive, send)
            return
        await respond(scope, receive, send, answer=self._answer, path=PATH, event="mcp_answered")

    async def _answer(self, request: Request) -> Response:
        self._hosts.check(request.headers)
        caller = await self._checks.caller(request)
        async with self._checks.limited(caller):
            if request.method != "POST":
                message = "This address knows POST only: there are no sessions and no streams here."
                raise ApiError(405, "method_not_allowed", message, headers={"allow": "POST"})
            raw, _ = await read_json(request)
            request.state.caller = caller
            return await _collected(await self._loaded(), request, raw)

    async def _loaded(self) -> ASGIApp:
        """Import the SDK, which takes a second, at the first request and on a thread."""
        async with self._loading:
            if self._server is None:
                self._server = await asyncio.to_thread(_load, self._checks)
            return self._server


def _load(checks: RequestChecks) -> ASGIApp:
    from api.mcp.server import server_app

    return server_app(checks)


async def _collected(app: ASGIApp, request: Request, raw: bytes) -> Response:
    """Collect the whole response, so that a crash in the app can still become an error response."""
    response = Response(headers=FRESH)
    body = bytearray()

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": raw, "more_body": False}

    async def send(message: object) -> None:
        assert isinstance(message, dict)
        if message["type"] == "http.response.start":
            response.status_code = message["status"]
            response.raw_headers.extend(h for h in message["headers"] if h[0].lower() not in _OWN_HEADERS)
        else:
            body.extend(message.get("body", b""))

    await app(request.scope, receive, send)
    response.status_code = getattr(request.state, "status", response.status_code)
    response.body = bytes(body)
    response.headers["content-length"] = str(len(body))
    return response


class _NoOAuth:
    """404 for OAuth metadata: Streamlit would answer with a page, which clients take for a broken sign-in."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def none() -> Response:
            message = "There is no OAuth here: send a key made in Homeroom's settings as `Authorization: Bearer …`."
            raise ApiError(404, "not_found", message)

        await (await error_boundary(none()))(scope, receive, send)
