"""The HTTP door itself: every request passes the same checks in the same order before its endpoint sees it."""

import logging
import re
import secrets
import time
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from api.auth import authenticate, presented_key, require
from api.body import query, read_body
from api.endpoint import ApiCall, Endpoint, Reply
from api.errors import FRESH, ApiError, api_error, error_response
from api.limits import Limits
from api.locale import preferred_locale
from api.workers import Workers
from services.errors import HomeroomError
from services.i18n import gettext, locale_scope, set_locale
from services.identity.api_keys import Caller
from services.tools.dispatch import place
from services.wiring.container import ServiceContainer

log = logging.getLogger(__name__)

ROOMS = ("/api", "/tools")
"""Every address below these is ours; an endpoint lies at or below one of them."""
KEY_DEADLINE_S = 5.0


@dataclass(frozen=True, kw_only=True)
class RequestChecks:
    """What all routes share."""

    services: ServiceContainer = field(repr=False)
    workers: Workers
    limits: Limits

    async def caller(self, request: Request) -> Caller:
        """Who calls; from here on this request speaks their language."""
        key = presented_key(request.headers)
        caller = await self.workers.run("keys", KEY_DEADLINE_S, authenticate, self.services.keys, key)
        set_locale(caller.student.locale)
        return caller


def endpoint_routes(endpoints: Sequence[Endpoint], checks: RequestChecks) -> list[BaseRoute]:
    """The Starlette routes of a table; every other path below our rooms is answered in JSON, too."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    doors: dict[str, ASGIApp] = {path: PathEndpoints(methods, checks) for path, methods in by_path.items()}
    return [route for room in ROOMS for route in _room(room, doors)]


def _room(room: str, doors: Mapping[str, ASGIApp]) -> list[BaseRoute]:
    routes = [Route(path.removeprefix(room), door) for path, door in doors.items() if path.startswith(f"{room}/")]
    # Redirects for a slash too many would lead a program, and its key, to another address.
    router = Router(routes, redirect_slashes=False, default=nothing_here)
    return [_Below(room, app=router), Route(room, doors.get(room) or _NothingHere())]


class _Below(Mount):
    """A mount that also takes paths with a line break in them, which would be Streamlit's otherwise."""

    def __init__(self, path: str, app: ASGIApp) -> None:
        super().__init__(path, app=app)
        self.path_regex = re.compile(self.path_regex.pattern, re.DOTALL)


class PathEndpoints:
    """One path with its methods, as an ASGI app."""

    def __init__(self, methods: Mapping[str, Endpoint], checks: RequestChecks) -> None:
        self._methods = dict(methods)
        self._checks = checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        started = time.monotonic()
        try:
            with locale_scope(preferred_locale(request.headers)):
                response = await error_boundary(self._answer(request))
        except ClientDisconnect:
            return
        log.info(
            "api_answered method=%s path=%s status=%d ms=%d",
            request.method,
            next(iter(self._methods.values())).path,
            response.status_code,
            (time.monotonic() - started) * 1000,
        )
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        endpoint = self._methods.get("GET" if request.method == "HEAD" else request.method)
        if endpoint is None:
            allowed = ", ".join(sorted({*self._methods, *(["HEAD"] if "GET" in self._methods else [])}))
            message = f"This address knows {allowed} only."
            raise ApiError(405, "method_not_allowed", message, headers={"allow": allowed})
        if endpoint.is_public:
            return _response(await self._called(endpoint, request, None))
        caller = await self._checks.caller(request)
        with self._checks.limits.request(caller.key.id):
            require(caller, endpoint.scopes)
            return _response(await self._called(endpoint, request, caller))

    async def _called(self, endpoint: Endpoint, request: Request, caller: Caller | None) -> Reply:
        given: dict[str, Any] = {}
        if endpoint.query is not None:
            given["query"] = query(request, endpoint.query)
        if endpoint.body is not None:
            given["body"] = await read_body(request, endpoint.body)
        checks = self._checks
        call = ApiCall(services=checks.services, workers=checks.workers, request=request, caller=caller, **given)
        return await endpoint.answer(call)


async def error_boundary(work: Awaitable[Response]) -> Response:
    """An outer door: whatever happens, a program gets JSON, and never a trace. Lets only `ClientDisconnect` out."""
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
        log.error("api_crashed id=%s at=%s", id, place(error))
        message = gettext("This did not work because of a mistake of ours (reference {id}).", id=id)
        return error_response(ApiError(500, "internal", message))


def _response(reply: Reply) -> Response:
    headers = {**FRESH, **reply.headers}
    if reply.body is None:
        return Response(status_code=reply.status, headers=headers)
    return JSONResponse(reply.body.model_dump(mode="json", by_alias=True), status_code=reply.status, headers=headers)


class _NothingHere:
    """The answer for a path without a route, as an ASGI app: a function would count as one that takes a request."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await nothing_here(scope, receive, send)


async def nothing_here(scope: Scope, receive: Receive, send: Send) -> None:
    """What is said for a path below our rooms at which nothing lies."""
    if scope["type"] == "websocket":
        await WebSocketClose()(scope, receive, send)
        return
    message = "There is nothing at this address. GET /api/openapi.json lists what there is."
    await error_response(ApiError(404, "not_found", message))(scope, receive, send)
