"""Router of the HTTP API: every request passes the same checks in the same order before its endpoint runs."""

import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from api.auth import authenticate, presented_key, require
from api.body import parse_query, read_body
from api.endpoint import ApiCall, Endpoint, Reply
from api.errors import FRESH, ApiError, api_error, error_response
from api.key_limits import RequestLimits
from api.locale import preferred_locale
from api.method_route import method_refused
from api.workers import Workers
from services.errors import HomeroomError
from services.i18n import gettext, locale_scope, set_locale
from services.identity.api_keys import Caller
from services.runtime.logs import error_location
from services.wiring.container import ServiceContainer

log = logging.getLogger(__name__)
Answered = TypeVar("Answered", bound=ASGIApp)

PREFIXES = ("/api", "/tools")
"""Path prefixes of the API; every path below one of them is answered in JSON."""
KEY_DEADLINE_S = 5.0


@dataclass(frozen=True, kw_only=True)
class RequestChecks:
    """Services, workers and limits that all routes share."""

    services: ServiceContainer = field(repr=False)
    workers: Workers
    limits: RequestLimits

    async def caller(self, request: Request) -> Caller:
        """Authenticate the request and switch it to the caller's locale."""
        key = presented_key(request.headers)
        caller = await self.workers.run("keys", KEY_DEADLINE_S, authenticate, self.services.keys, key)
        set_locale(caller.student.locale)
        return caller

    def limited(self, caller: Caller) -> AbstractAsyncContextManager[None]:
        """The limits of the caller's key, for one request; entering raises `ApiError` 429."""
        return self.limits.request(caller.key.id, self.services.rate_limiter, self.workers)


def endpoint_routes(endpoints: Sequence[Endpoint], checks: RequestChecks) -> list[BaseRoute]:
    """Starlette routes for the endpoints; other paths below the prefixes answer 404 in JSON."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    apps: dict[str, ASGIApp] = {path: PathEndpoints(methods, checks) for path, methods in by_path.items()}
    return [route for prefix in PREFIXES for route in _routes_below(prefix, apps)]


def _routes_below(prefix: str, apps: Mapping[str, ASGIApp]) -> list[BaseRoute]:
    routes = [Route(path.removeprefix(prefix), app) for path, app in apps.items() if path.startswith(f"{prefix}/")]
    # Redirects for a slash too many would lead a program, and its key, to another address.
    router = Router(routes, redirect_slashes=False, default=not_found)
    return [_Below(prefix, app=router), Route(prefix, apps.get(prefix) or _NotFound())]


class _Below(Mount):
    """Mount that also matches paths with a line break, which Streamlit would answer otherwise."""

    def __init__(self, path: str, app: ASGIApp) -> None:
        super().__init__(path, app=app)
        self.path_regex = re.compile(self.path_regex.pattern, re.DOTALL)


class PathEndpoints:
    """ASGI app for one path, with one endpoint for each method."""

    def __init__(self, methods: Mapping[str, Endpoint], checks: RequestChecks) -> None:
        self._methods = dict(methods)
        self._checks = checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = next(iter(self._methods.values())).path
        await respond(scope, receive, send, answer=self._answer, path=path, event="api_answered")

    async def _answer(self, request: Request) -> Response:
        endpoint = self._methods.get("GET" if request.method == "HEAD" else request.method)
        if endpoint is None:
            raise method_refused({*self._methods, *(["HEAD"] if "GET" in self._methods else [])})
        if endpoint.is_public:
            return _response(await self._called(endpoint, request, None))
        caller = await self._checks.caller(request)
        async with self._checks.limited(caller):
            require(caller, endpoint.scopes)
            return _response(await self._called(endpoint, request, caller))

    async def _called(self, endpoint: Endpoint, request: Request, caller: Caller | None) -> Reply:
        given: dict[str, Any] = {}
        if endpoint.query is not None:
            given["query"] = parse_query(request, endpoint.query)
        if endpoint.body is not None:
            given["body"] = await read_body(request, endpoint.body)
        checks = self._checks
        call = ApiCall(services=checks.services, workers=checks.workers, request=request, caller=caller, **given)
        return await endpoint.handler(call)


async def respond(
    scope: Scope,
    receive: Receive,
    send: Send,
    *,
    answer: Callable[[Request], Awaitable[ASGIApp]],
    path: str,
    event: str,
) -> None:
    """Answer a request in the language of its headers, with every error as JSON, and log the route, never the address.

    path: of the route, as it is declared. event: name in the log.
    """
    request = Request(scope, receive)
    started = time.monotonic()
    try:
        with locale_scope(preferred_locale(request.headers)):
            response = await error_boundary(answer(request))
    except ClientDisconnect:
        return
    took_ms = (time.monotonic() - started) * 1000
    status = getattr(response, "status_code", 200)
    log.info("%s method=%s path=%s status=%d ms=%d", event, request.method, path, status, took_ms)
    await response(scope, receive, send)


async def error_boundary(work: Awaitable[Answered]) -> Answered | Response:
    """Error boundary: turn every exception into a JSON error without a traceback; only `ClientDisconnect` passes."""
    try:
        return await work
    except ApiError as error:
        return error_response(error)
    except HomeroomError as error:
        return error_response(api_error(error))
    except ClientDisconnect:
        raise
    except Exception as error:
        id = secrets.token_hex(4)
        log.error("api_crashed id=%s at=%s", id, error_location(error))
        message = gettext("This did not work because of a mistake of ours (reference {id}).", id=id)
        return error_response(ApiError(500, "internal", message))


def _response(reply: Reply) -> Response:
    headers = {**FRESH, **reply.headers}
    if reply.body is None:
        return Response(status_code=reply.status, headers=headers)
    return JSONResponse(reply.body.model_dump(mode="json", by_alias=True), status_code=reply.status, headers=headers)


class _NotFound:
    """404 response as an ASGI app: Starlette would call a plain function with a request."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await not_found(scope, receive, send)


async def not_found(scope: Scope, receive: Receive, send: Send) -> None:
    """404 response in JSON, or a closed websocket."""
    if scope["type"] == "websocket":
        await WebSocketClose()(scope, receive, send)
        return
    message = "There is nothing at this address. GET /api/openapi.json lists what there is."
    await error_response(ApiError(404, "not_found", message))(scope, receive, send)
