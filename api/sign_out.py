"""A sign-out is begun by our own pages, and its word comes to the welcome page: all else is forgotten on the way."""

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from api.origin import is_begun_elsewhere
from api.wanted import SIGNED_IN, with_cookie

LOGOUT = "/auth/logout"
MARKS = {"everywhere": "ended", "deleted": "deleted", "deleted-later": "deleted-later"}
"""In the address of the sign-out, as `ui.session` sends the browser there, and what the welcome page is told of it."""
COOKIE = "homeroom_signed_out"
TOLD = "/?signin="
KEEP_S = 120


class SignedOutEverywhere:
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
