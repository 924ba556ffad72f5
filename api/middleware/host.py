"""Host and Origin checks: known names only, one canonical name for browsers, same-origin websockets, and our routes."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from api.errors import ApiError

_POLICY_VIOLATION = 1008
"""RFC 6455, section 7.4.1."""
_REMEDY = (
    "Whoever runs it: HOMEROOM_PUBLIC_URL must be the address that students type, and a proxy must pass its name on."
)
_THIS_MACHINE = ("127.0.0.1", "[::1]", "::1")
_OPEN = ("/health", "/ready", "/metrics", "/api", "/tools", "/mcp", "/sandbox", "/_stcore")
_HEALTH = ("/health", "/ready", "/metrics", "/_stcore/health")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
Place = tuple[str, int]


class KnownHost:
    """Middleware that answers 421 under any other name than that of the public address and of this machine.

    A stranger's name that was pointed at this machine (DNS rebinding) would make their page one of ours to a browser.
    Health checks of a load balancer come by number and learn nothing, so they are answered under any name, and so is a
    scraper of metrics, whose key no page has. A proxy in front must pass the name on that the browser used.
    """

    def __init__(self, app: ASGIApp, *, public_url: str) -> None:
        self.app = app
        self._public_url = public_url
        self._known = {urlsplit(public_url).hostname, "localhost", "127.0.0.1", "::1"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or self._is_known(scope):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        else:
            words = f"Homeroom answers at {self._public_url} only.\n{_REMEDY}\n"
            await PlainTextResponse(words, status_code=421)(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        if scope["type"] == "http" and scope["path"] in _HEALTH:
            return True
        names = {_name(host) for host in Headers(scope=scope).getlist("host")}
        return bool(names) and names <= self._known


def _name(host: str) -> str | None:
    """Host name of a Host header without its port; None when malformed."""
    try:
        parts = urlsplit(f"//{host}")
        return None if parts.path or "@" in host or parts.port == 0 else (parts.hostname or "").rstrip(".") or None
    except ValueError:
        return None


class CanonicalHost:
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


class SameOrigin:
    """Middleware that closes websockets of any other origin than the public address.

    Streamlit would ask a machine of Amazon for this one's address first, and let nobody else be served meanwhile
    (streamlit/net_util.py, 1.67); and it trusts whatever name the browser used, so that a stranger's name pointed at
    this machine (DNS rebinding) would pass. Programs send no `Origin`; without one nobody is signed in.
    """

    def __init__(self, app: ASGIApp, *, public_url: str) -> None:
        self.app = app
        self._ours = _origin(public_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and any(
            _origin(origin) != self._ours for origin in Headers(scope=scope).getlist("origin")
        ):
            await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return
        await self.app(scope, receive, send)


def is_cross_site(headers: Headers) -> bool:
    """Whether another site's page caused the request (`Sec-Fetch-Site`); typed addresses and programs did not."""
    return headers.get("sec-fetch-site") in ("cross-site", "same-site")


def _origin(address: str) -> tuple[str, str | None, int | None] | None:
    """Scheme, host and port; None for what is no address."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    return parts.scheme, parts.hostname, port or _DEFAULT_PORTS.get(parts.scheme)


class AllowedHosts:
    """Check of `Host` and `Origin` against the public address (MCP 2025-11-25, transports: security warning)."""

    def __init__(self, public_url: str) -> None:
        self._scheme = urlsplit(public_url).scheme
        host, port = _place(public_url, self._scheme) or ("", 0)
        # On one machine programs may use any of its names: none of them can be another's page.
        names = _LOCAL_NAMES if host in _LOCAL_NAMES else {host}
        self._places = frozenset((name, port) for name in names)

    def check(self, headers: Headers) -> None:
        """Raises `ApiError` 421 for another host, 403 for a page of another origin. Programs send no `Origin`."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or _place(f"{self._scheme}://{hosts[0]}", self._scheme) not in self._places:
            raise ApiError(421, "wrong_host", "This is not the address of this Homeroom.")
        self.check_origin(headers)

    def check_origin(self, headers: Headers) -> None:
        """Raises `ApiError` 403 for a page of another origin."""
        for origin in headers.getlist("origin"):
            if urlsplit(origin).scheme != self._scheme or _place(origin, self._scheme) not in self._places:
                raise ApiError(403, "wrong_origin", "Pages of other sites may not call this.")


def _place(address: str, scheme: str) -> Place | None:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.hostname is None or parts.username is not None or parts.path or parts.query:
        return None
    return parts.hostname, port or _DEFAULT_PORTS.get(scheme, 0)
