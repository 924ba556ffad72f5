"""Brings the word of a sign-out from everywhere to the welcome page: on the way there, everything else is forgotten."""

from http.cookies import SimpleCookie

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from api.wanted import SIGNED_IN, with_cookie

LOGOUT = "/auth/logout"
MARK = "everywhere"
"""In the address of the sign-out, as `ui.session` sends the browser there."""
COOKIE = "homeroom_signed_out"
TOLD = "/?signin=ended"
KEEP_S = 120


class SignedOutEverywhere:
    """Middleware around Streamlit's own sign-out, which leads by the provider to "/" and keeps no parameter.

    Only a page of ours can begin it so: a stranger's link would have the welcome page say what is not true.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        if _begins(request):
            await self.app(scope, receive, with_cookie(send, _cookie()))
        elif scope["path"] == "/" and COOKIE in request.cookies and SIGNED_IN not in request.cookies:
            response = RedirectResponse(TOLD, status_code=303)
            response.delete_cookie(COOKIE, path="/")
            await response(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _begins(request: Request) -> bool:
    is_ours = request.headers.get("sec-fetch-site") == "same-origin"
    return is_ours and request.url.path == LOGOUT and MARK in request.query_params


def _cookie() -> SimpleCookie:
    cookie: SimpleCookie = SimpleCookie({COOKIE: "1"})
    cookie[COOKIE].update({"path": "/", "max-age": str(KEEP_S), "httponly": "true", "samesite": "Lax"})
    return cookie
