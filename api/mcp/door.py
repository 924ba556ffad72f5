"""`POST /mcp`: every request passes the same checks as the other HTTP routes; no session ever stands for a key."""

import asyncio
import logging
import time

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from api.body import read_json
from api.door import Checks, guarded
from api.mcp.hosts import Hosts
from api.problems import FRESH, ApiError
from api.speaking import asked_for
from services.language import spoken

log = logging.getLogger(__name__)

PATH = "/mcp"
DISCOVERY = ("/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server")


def mcp_routes(checks: Checks) -> list[BaseRoute]:
    """The server, and a plain no where MCP clients look for a way to sign in other than by key."""
    places = [Route(path + rest, _NoOAuth()) for path in DISCOVERY for rest in ("", "/{rest:path}")]
    return [Route(PATH, McpDoor(checks)), *places]


class McpDoor:
    """An ASGI app. Each request stands alone (stateless): it brings its key, and any replica can answer it."""

    def __init__(self, checks: Checks) -> None:
        self._checks = checks
        self._hosts = Hosts(checks.services.settings.public_url)
        self._loading = asyncio.Lock()
        self._server: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await WebSocketClose()(scope, receive, send)
            return
        request = Request(scope, receive)
        started = time.monotonic()
        try:
            with spoken(asked_for(request.headers)):
                response = await guarded(self._answer(request))
        except ClientDisconnect:
            return
        took_ms = (time.monotonic() - started) * 1000
        log.info("mcp_answered method=%s status=%d ms=%d", request.method, response.status_code, took_ms)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        self._hosts.check(request.headers)
        caller = await self._checks.caller(request)
        with self._checks.limits.request(caller.key.id):
            if request.method != "POST":
                message = "This address knows POST only: there are no sessions and no streams here."
                raise ApiError(405, "method_not_allowed", message, headers={"allow": "POST"})
            raw, _ = await read_json(request)
            request.state.caller = caller
            return await _collected(await self._loaded(), request, raw)

    async def _loaded(self) -> ASGIApp:
        """The SDK takes a second to import: at the first request, on a thread, not at the start of the app."""
        async with self._loading:
            if self._server is None:
                self._server = await asyncio.to_thread(_load, self._checks)
            return self._server


def _load(checks: Checks) -> ASGIApp:
    from api.mcp.server import server_app

    return server_app(checks)


async def _collected(app: ASGIApp, request: Request, raw: bytes) -> Response:
    """The whole answer of an app that answers in one piece, so that a crash of it can still become an error."""
    response = Response(headers=FRESH)
    body = bytearray()

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": raw, "more_body": False}

    async def send(message: object) -> None:
        assert isinstance(message, dict)
        if message["type"] == "http.response.start":
            response.status_code = message["status"]
            response.raw_headers.extend(h for h in message["headers"] if h[0].lower() not in _OURS)
        else:
            body.extend(message.get("body", b""))

    await app(request.scope, receive, send)
    response.body = bytes(body)
    response.headers["content-length"] = str(len(body))
    return response


_OURS = (b"content-length", b"cache-control")


class _NoOAuth:
    """Without this line Streamlit would answer with a page, which clients take for a broken sign-in."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def none() -> Response:
            message = "There is no OAuth here: send a key made in Homeroom's settings as `Authorization: Bearer …`."
            raise ApiError(404, "not_found", message)

        await (await guarded(none()))(scope, receive, send)
