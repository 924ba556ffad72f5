"""A sign-in that failed leads back to the welcome page, which says so; Streamlit's own routes would say nothing."""

from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.auth import SIGNED_IN
from api.middleware.origin import is_begun_elsewhere
from api.middleware.return_to import with_cookie

LOGIN = "/auth/login"
CALLBACK = "/oauth2callback"
CANCELLED = "/?signin=cancelled"
FAILED = "/?signin=failed"


class SignInErrors:
    """Middleware that watches the two routes of a sign-in (`starlette_auth_routes.py` in Streamlit 1.67)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_watched = scope["type"] == "http" and scope["path"] in (LOGIN, CALLBACK)
        await self.app(scope, receive, _leading_back(scope, send) if is_watched else send)


def _leading_back(scope: Scope, send: Send) -> Send:
    is_replaced = False

    async def send_or_lead(message: Message) -> None:
        nonlocal is_replaced
        if message["type"] == "http.response.start" and (target := _way_back(scope, message)):
            is_replaced = True
            kept = [(name, value) for name, value in message["headers"] if name.lower() == b"set-cookie"]
            message = {**message, "status": 303, "headers": [*kept, (b"location", target.encode())]}
        elif message["type"] == "http.response.body" and is_replaced:
            message = {**message, "body": b""}
        await send(message)

    return send_or_lead


def _way_back(scope: Scope, start: Message) -> str | None:
    """Where to lead instead; None for an answer that is well. A callback without a state ends a sign-out."""
    if scope["path"] == LOGIN:
        return FAILED if start["status"] >= 400 else None
    query = parse_qs(scope["query_string"].decode("latin-1"))
    if "state" not in query or _signs_in(start):
        return None
    return CANCELLED if query.get("error") == ["access_denied"] else FAILED


def _signs_in(start: Mapping[str, object]) -> bool:
    headers = start["headers"]
    assert isinstance(headers, list | tuple)
    cookies = [value.decode("latin-1") for name, value in headers if name.lower() == b"set-cookie"]
    values = [cookie.partition("=")[2].partition(";")[0].strip('"') for cookie in cookies if _is_identity(cookie)]
    return any(values)


def _is_identity(cookie: str) -> bool:
    return cookie.partition("=")[0] == SIGNED_IN


LOGOUT = "/auth/logout"


MARKS = {"everywhere": "ended", "deleted": "deleted", "deleted-later": "deleted-later"}
"""In the address of the sign-out, as `ui.session` sends the browser there, and what the welcome page is told of it."""


"""In the address of the sign-out, as `ui.session` sends the browser there, and what the welcome page is told of it."""


COOKIE = "homeroom_signed_out"


TOLD = "/?signin="


KEEP_S = 120


class SignOutNotice:
    """Middleware around Streamlit's own sign-out, which leads by the provider to "/" and keeps no parameter.

    Only a page of ours can begin it so: a stranger's link would have the welcome page say what is not true.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if _is_begun_elsewhere(request):
            await RedirectResponse("/", status_code=303)(scope, receive, send)
            return
        if scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        if mark := _mark(request):
            await self.app(scope, receive, with_cookie(send, COOKIE, mark, keep_s=KEEP_S))
        elif scope["path"] == "/" and COOKIE in request.cookies and SIGNED_IN not in request.cookies:
            word = MARKS.get(request.cookies[COOKIE], MARKS["everywhere"])
            response = RedirectResponse(TOLD + word, status_code=303)
            response.delete_cookie(COOKIE, path="/")
            await response(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _is_begun_elsewhere(request: Request) -> bool:
    is_sign_out = request.url.path.rstrip("/").endswith(LOGOUT)
    return is_sign_out and is_begun_elsewhere(request.headers)


def _mark(request: Request) -> str | None:
    is_ours = request.headers.get("sec-fetch-site") == "same-origin" and request.url.path == LOGOUT
    return next((mark for mark in MARKS if is_ours and mark in request.query_params), None)
