"""Sign-in and sign-out results for the welcome page; Streamlit's own routes report neither."""

from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.auth import SIGN_IN_COOKIE
from api.middleware.host import is_cross_site
from api.middleware.return_to import with_cookie

LOGIN = "/auth/login"
CALLBACK = "/oauth2callback"
CANCELLED = "/?signin=cancelled"
FAILED = "/?signin=failed"
LOGOUT = "/auth/logout"
SIGN_OUT_NOTICES = {"everywhere": "ended", "deleted": "deleted", "deleted-later": "deleted-later"}
"""Query parameter of the sign-out address set by `ui.session`, and the `signin` value that the welcome page shows."""
COOKIE = "homeroom_signed_out"
NOTICE_ADDRESS = "/?signin="
NOTICE_LIFETIME_S = 120


class SignInErrors:
    """Middleware that redirects a failed sign-in to the welcome page (`starlette_auth_routes.py` in Streamlit 1.67)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_watched = scope["type"] == "http" and scope["path"] in (LOGIN, CALLBACK)
        await self.app(scope, receive, _with_redirect(scope, send) if is_watched else send)


def _with_redirect(scope: Scope, send: Send) -> Send:
    is_replaced = False

    async def send_or_redirect(message: Message) -> None:
        nonlocal is_replaced
        if message["type"] == "http.response.start" and (target := _redirect_target(scope, message)):
            is_replaced = True
            kept = [(name, value) for name, value in message["headers"] if name.lower() == b"set-cookie"]
            message = {**message, "status": 303, "headers": [*kept, (b"location", target.encode())]}
        elif message["type"] == "http.response.body" and is_replaced:
            message = {**message, "body": b""}
        await send(message)

    return send_or_redirect


def _redirect_target(scope: Scope, start: Message) -> str | None:
    """Address to redirect to; None for a success. A callback without a state ends a sign-out."""
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
    return cookie.partition("=")[0] == SIGN_IN_COOKIE


class SignOutNotice:
    """Middleware that carries the result of a sign-out to the welcome page in a short-lived cookie: Streamlit's own
    sign-out returns from the provider to "/" without parameters.

    Only a page of ours can begin it so: a stranger's link would have the welcome page say what is not true.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if _is_cross_site_sign_out(request):
            await RedirectResponse("/", status_code=303)(scope, receive, send)
            return
        if scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        if mark := _mark(request):
            await self.app(scope, receive, with_cookie(send, COOKIE, mark, keep_s=NOTICE_LIFETIME_S))
        elif scope["path"] == "/" and COOKIE in request.cookies and SIGN_IN_COOKIE not in request.cookies:
            word = SIGN_OUT_NOTICES.get(request.cookies[COOKIE], SIGN_OUT_NOTICES["everywhere"])
            response = RedirectResponse(NOTICE_ADDRESS + word, status_code=303)
            response.delete_cookie(COOKIE, path="/")
            await response(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _is_cross_site_sign_out(request: Request) -> bool:
    is_sign_out = request.url.path.rstrip("/").endswith(LOGOUT)
    return is_sign_out and is_cross_site(request.headers)


def _mark(request: Request) -> str | None:
    is_ours = request.headers.get("sec-fetch-site") == "same-origin" and request.url.path == LOGOUT
    return next((mark for mark in SIGN_OUT_NOTICES if is_ours and mark in request.query_params), None)
