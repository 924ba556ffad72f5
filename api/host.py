"""Leads a browser to the host that sign-in knows: cookies of 127.0.0.1 are not those of localhost."""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_THIS_MACHINE = ("127.0.0.1", "[::1]", "::1")
_OPEN = ("/health", "/ready", "/api", "/tools", "/mcp", "/sandbox", "/_stcore")


class OneHost:
    """Middleware that redirects page visits on 127.0.0.1 or [::1] when the public address is on localhost.

    Programs (no `Accept: text/html`), health checks, the HTTP routes and the campus answer under any name.
    """

    def __init__(self, app: ASGIApp, *, public_url: str) -> None:
        self.app = app
        self._public_url = public_url
        self._is_local = urlsplit(public_url).hostname == "localhost"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._is_local and scope["type"] == "http" and scope["method"] == "GET" and _is_visit(Request(scope)):
            query = scope["query_string"].decode("latin-1")
            path = scope.get("raw_path", scope["path"].encode()).decode("latin-1").partition("?")[0]
            target = f"{self._public_url}/{path.lstrip('/')}" + (f"?{query}" if query else "")
            await RedirectResponse(target, status_code=307)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _is_visit(request: Request) -> bool:
    path = request.url.path
    return (
        request.url.hostname in _THIS_MACHINE
        and "text/html" in request.headers.get("accept", "")
        and not any(path == start or path.startswith(f"{start}/") for start in _OPEN)
    )
