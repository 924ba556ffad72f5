"""Load shedding: new visitors get 503 while open files or memory run short, so that open sessions go on."""

import asyncio
import logging
import random
import re
import time
from contextlib import suppress
from html import escape

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from api.auth import KEY_HEADERS, SignInCookie
from api.errors import ApiError, error_response
from api.live.bytes_in_flight import AGAIN
from api.locale import preferred_locale
from api.middleware.upload_quota import UPLOAD
from api.router import PREFIXES
from services.i18n import LANGUAGE_COOKIE, LANGUAGES, get_language, gettext, locale_scope
from services.navigation import PAGE_PATHS
from services.runtime.capacity import Capacity

log = logging.getLogger(__name__)

FILES_OF_A_TAB = 4
"""Open files of one tab: its connection, and three for the event loop that Streamlit 1.67 keeps for its script."""
WAIT_S = (10, 20)
"""Range of Retry-After in seconds, random so that clients do not return together."""
LOG_EVERY_S = 60.0
_MESSAGE = re.compile(r"/live/(?:[^/]+/)?messages")
_PROGRAMS = (*PREFIXES, "/mcp")
_PAGE = """\
<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title} · Homeroom</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root {{ color-scheme: light dark }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem }}
</style></head><body><main><h1>{title}</h1><p>{words}</p></main></body></html>
"""


class LoadShedding:
    """Middleware that answers 503 to a new page, websocket, upload, message or API request while capacity is short.

    Open connections, health checks and the demo campus always pass.
    """

    def __init__(self, app: ASGIApp, *, capacity: Capacity, cookie: SignInCookie) -> None:
        self.app = app
        self._capacity = capacity
        self._cookie = cookie
        self._logged_at = float("-inf")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        files = _files(scope)
        if files is None or self._admits(scope, files):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await _deny(scope, receive, send)
        else:
            await _refusal(Request(scope))(scope, receive, send)

    def _admits(self, scope: Scope, files: int) -> bool:
        is_known = self._is_known(HTTPConnection(scope))
        admits = self._capacity.admits(files, is_stranger=not is_known)
        if not admits and time.monotonic() - self._logged_at > LOG_EVERY_S:
            self._logged_at = time.monotonic()
            log.warning("newcomers_wait %s", self._capacity)
        return admits

    def _is_known(self, request: HTTPConnection) -> bool:
        """Whether the request is signed in. A key is not looked up: that costs more than the request it saves."""
        if _is_api_path(request.scope["path"]):
            return any(name in request.headers for name in KEY_HEADERS)
        return self._cookie.is_good(request)


def _files(scope: Scope) -> int | None:
    """Number of files that it would keep open; None for what is never refused."""
    if scope["type"] == "websocket":
        return FILES_OF_A_TAB - 1
    if scope["type"] != "http":
        return None
    path = scope["path"]
    sends_file = scope["method"] == "PUT" and path.startswith(UPLOAD)
    return 0 if path in PAGE_PATHS or sends_file or _is_api_path(path) or _is_message(scope) else None


def _is_message(scope: Scope) -> bool:
    """Whether it begins a turn, perhaps with files; what else an open page asks is small, and stopping makes room."""
    return scope["method"] == "POST" and _MESSAGE.fullmatch(scope["path"]) is not None


def _is_api_path(path: str) -> bool:
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in _PROGRAMS)


async def _deny(scope: Scope, receive: Receive, send: Send) -> None:
    await WebSocket(scope, receive, send).send_denial_response(_with_retry_after(PlainTextResponse("Busy", 503)))
    with suppress(TimeoutError):
        async with asyncio.timeout(1):
            # uvicorn 0.54 logs an error for each refusal that returns before its connection has ended: what it tells is
            # that the connection began, that it is refused, and that it ended.
            for _ in range(3):
                await receive()


def _refusal(request: Request) -> Response:
    chosen = request.cookies.get(LANGUAGE_COOKIE)
    with locale_scope(chosen if chosen in LANGUAGES else preferred_locale(request.headers)):
        is_message = _is_message(request.scope)
        if is_message or _is_api_path(request.url.path):
            words = gettext("Too much is going on just now. Try again in a moment.")
            # The page keeps such a message, and sends it again by itself for a while.
            return _with_retry_after(error_response(ApiError(503, AGAIN if is_message else "busy", words)))
        title, words = (
            gettext("Homeroom is full just now"),
            gettext("Nothing is lost. This page tries again by itself."),
        )
        html = _PAGE.format(language=get_language(), title=escape(title), words=escape(words))
        response = _with_retry_after(HTMLResponse(html, 503, {"cache-control": "no-store"}))
        response.headers["refresh"] = response.headers["retry-after"]
        return response


def _with_retry_after(response: Response) -> Response:
    """Add Retry-After and close the connection, which frees its file."""
    response.headers.update({"retry-after": str(random.randint(*WAIT_S)), "connection": "close"})
    return response
