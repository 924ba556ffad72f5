"""Brings a visitor back to the page they wanted: sign-in always lands on "/", so a cookie keeps the way."""

from http.cookies import SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.auth import SIGNED_IN

PAGES = ("/week", "/chats", "/connections", "/toolbox", "/activity", "/insights", "/settings")
COOKIE = "homeroom_wanted"
LOGIN = "/auth/login"
KEEP_S = 600
KEPT_PARAMETERS = frozenset({"c"})
"""Of an address, only the conversation is kept: codes and states of an OAuth redirect are never written down."""


class ReturnToPage:
    """Remembers the page of a signed-out visit, or the one sign-in was begun on, for ten minutes; goes there, once."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        wanted = request.cookies.get(COOKIE)
        if scope["path"] == "/" and wanted and SIGNED_IN in request.cookies:
            await _go(wanted)(scope, receive, send)
        elif address := _begun_on(request) or _visited(request):
            await self.app(scope, receive, _remembering(send, address))
        else:
            await self.app(scope, receive, send)


def _wanted_address(url: URL) -> str | None:
    kept = urlencode([(k, v) for k, v in parse_qsl(url.query) if k in KEPT_PARAMETERS])
    if url.path.rstrip("/") in PAGES:
        return url.path.rstrip("/") + (f"?{kept}" if kept else "")
    return f"/?{kept}" if url.path == "/" and kept else None


def _visited(request: Request) -> str | None:
    return None if SIGNED_IN in request.cookies else _wanted_address(request.url)


def _begun_on(request: Request) -> str | None:
    """Our own page with the button: a session that was ended elsewhere has its cookie still, so no visit was kept."""
    page = URL(request.headers.get("referer", ""))
    is_ours = request.url.path == LOGIN and page.netloc == request.url.netloc
    return _wanted_address(page) if is_ours else None


def _go(wanted: str) -> RedirectResponse:
    """Redirect to a page of ours; anything else in the cookie leads home."""
    is_ours = wanted.startswith("/?c=") or wanted.split("?")[0] in PAGES
    response = RedirectResponse(wanted if is_ours else "/", status_code=303)
    response.delete_cookie(COOKIE, path="/")
    return response


def _remembering(send: Send, address: str) -> Send:
    return with_cookie(send, COOKIE, address, keep_s=KEEP_S)


def with_cookie(send: Send, name: str, value: str, *, keep_s: int) -> Send:
    """`send`, with a cookie on the answer whoever gives it: for this site's own requests only, and for no script."""
    cookie: SimpleCookie = SimpleCookie({name: value})
    cookie[name].update({"path": "/", "max-age": str(keep_s), "httponly": "true", "samesite": "Lax"})

    async def send_with_cookie(message: Message) -> None:
        if message["type"] == "http.response.start":
            header = (b"set-cookie", cookie.output(header="", sep="").strip().encode())
            message = {**message, "headers": [*message["headers"], header]}
        await send(message)

    return send_with_cookie
