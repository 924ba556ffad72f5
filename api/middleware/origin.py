"""Same-origin check for websockets, against cross-site pages and DNS rebinding."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

_DEFAULT_PORTS = {"http": 80, "https": 443}
_POLICY_VIOLATION = 1008
"""RFC 6455, section 7.4.1; before the handshake is answered the server turns it into a 403."""


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
