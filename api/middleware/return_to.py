"""Return-to cookie: sign-in always lands on "/", so a cookie keeps the page that the visitor asked for."""

from http.cookies import SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.auth import SIGN_IN_COOKIE
from services.navigation import PAGE_PATHS

COOKIE = "homeroom_wanted"
DEEP_LINKS = PAGE_PATHS - {"/"}
LTI_OPEN = "/lti/open"
"""Where a launch goes on after a sign-in in between (`api.lti.hand_over`)."""
LOGIN = "/auth/login"
RETURN_TO_LIFETIME_S = 600
KEPT_PARAMETERS = frozenset({"c", "class", "join", "view"})
"""Query parameters that are kept: a conversation, a class and its join code; codes and states of an OAuth redirect are
never stored."""


class ReturnToPage:
    """Middleware that stores the page of a signed-out visit, or of the sign-in button, and returns there once."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        wanted = request.cookies.get(COOKIE)
        if scope["path"] == "/" and wanted and SIGN_IN_COOKIE in request.cookies:
            await _redirect(wanted)(scope, receive, send)
        elif address := _sign_in_page(request) or _visited_page(request):
            await self.app(scope, receive, _with_return_to_cookie(send, address))
        else:
            await self.app(scope, receive, send)


def _page_address(url: URL) -> str | None:
    kept = urlencode([(k, v) for k, v in parse_qsl(url.query) if k in KEPT_PARAMETERS])
    if url.path.rstrip("/") in DEEP_LINKS:
        return url.path.rstrip("/") + (f"?{kept}" if kept else "")
    return f"/?{kept}" if url.path == "/" and kept else None


def _visited_page(request: Request) -> str | None:
    return None if SIGN_IN_COOKIE in request.cookies else _page_address(request.url)


def _sign_in_page(request: Request) -> str | None:
    """Page on which the sign-in button was pressed: a session ended on another device still has its cookie, so no visit
    was stored."""
    page = URL(request.headers.get("referer", ""))
    is_ours = request.url.path == LOGIN and page.netloc == request.url.netloc
    return _page_address(page) if is_ours else None


def _redirect(wanted: str) -> RedirectResponse:
    """Redirect to a known page; any other cookie value redirects to the first page."""
    is_ours = wanted.startswith("/?c=") or wanted.split("?")[0] in DEEP_LINKS or wanted == LTI_OPEN
    response = RedirectResponse(wanted if is_ours else "/", status_code=303)
    response.delete_cookie(COOKIE, path="/")
    return response


def _with_return_to_cookie(send: Send, address: str) -> Send:
    return with_cookie(send, COOKIE, address, keep_s=RETURN_TO_LIFETIME_S)


def with_cookie(send: Send, name: str, value: str, *, keep_s: int) -> Send:
    """Wrap `send` to set a cookie (HttpOnly, SameSite=Lax) on the response."""
    cookie: SimpleCookie = SimpleCookie({name: value})
    cookie[name].update({"path": "/", "max-age": str(keep_s), "httponly": "true", "samesite": "Lax"})

    async def send_with_cookie(message: Message) -> None:
        if message["type"] == "http.response.start":
            header = (b"set-cookie", cookie.output(header="", sep="").strip().encode())
            message = {**message, "headers": [*message["headers"], header]}
        await send(message)

    return send_with_cookie
