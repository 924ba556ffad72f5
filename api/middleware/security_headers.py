"""Security headers of every response: pages, static files, sign-in, HTTP routes and the demo campus."""

import base64
import hashlib
import re
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

from starlette.types import ASGIApp, Message, Receive, Scope, Send

# No host but our own anywhere: an allowed image host is a way out for data (EchoLeak, CVE-2025-32711).
_POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval' {scripts}",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "media-src": "'self' blob:",
    "worker-src": "'self' blob:",
    "frame-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
_PERMISSIONS = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "payment", "usb")
_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<code>.*?)</script>", re.DOTALL | re.IGNORECASE)
_YEAR_S = 31_536_000
_OWN_POLICY = ("/lti/", "/sandbox/lti/")
"""Paths whose pages bring a policy of their own: what a school's system shows in a frame, and the campus's one."""
_POLICY_HEADERS = (b"content-security-policy", b"x-frame-options", b"cross-origin-opener-policy")


class SecurityHeaders:
    """Middleware that adds the headers, and `Secure` to every cookie when the site is served over https.

    public_url: the address that students type; it decides about https.
    """

    def __init__(self, app: ASGIApp, *, public_url: str) -> None:
        self.app = app
        self._is_https = public_url.startswith("https://")
        self._headers = [(name.encode(), value.encode()) for name, value in headers(is_https=self._is_https).items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": self._complete(scope["path"], message.get("headers", []))}
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)

    def _complete(self, path: str, given: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        has_own = path.startswith(_OWN_POLICY) and any(name.lower() == _POLICY_HEADERS[0] for name, _ in given)
        ours = [pair for pair in self._headers if not (has_own and pair[0] in _POLICY_HEADERS)]
        names = {name for name, _ in ours}
        kept = [(name, self._secured(name, value)) for name, value in given if name.lower() not in names]
        return [*kept, *ours]

    def _secured(self, name: bytes, value: bytes) -> bytes:
        is_open = self._is_https and name.lower() == b"set-cookie" and b"secure" not in _flags(value)
        return value + b"; Secure" if is_open else value


def headers(*, is_https: bool) -> dict[str, str]:
    """Header names in lower case, and their values."""
    policy = "; ".join(f"{name} {value}" for name, value in _POLICY.items()).format(scripts=" ".join(script_hashes()))
    return {
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "permissions-policy": ", ".join(f"{feature}=()" for feature in _PERMISSIONS),
        "cross-origin-opener-policy": "same-origin",
    } | ({"strict-transport-security": f"max-age={_YEAR_S}; includeSubDomains"} if is_https else {})


@cache
def streamlit_page() -> str:
    """The HTML that Streamlit answers every page's address with."""
    path = str(distribution("streamlit").locate_file("streamlit/static/index.html"))
    return Path(path).read_text(encoding="utf-8")


@cache
def script_hashes() -> tuple[str, ...]:
    """CSP sources of the inline scripts in the installed Streamlit's page (CSP Level 3, section 2.3.1)."""
    found = _SCRIPT.finditer(streamlit_page())
    codes = [match["code"] for match in found if "src=" not in match["attributes"]]
    digests = (hashlib.sha256(code.encode()).digest() for code in codes)
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def _flags(cookie: bytes) -> set[bytes]:
    return {flag.strip().lower() for flag in cookie.split(b";")[1:]}
