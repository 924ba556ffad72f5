"""Streamlit guard: closes routes of Streamlit that Homeroom does not use and refuses unsafe options."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from api.auth import SignInCookie
from api.middleware.upload_quota import UPLOAD, HeldBytes, UploadQuota
from api.router import PREFIXES, not_found
from services.errors import SettingsError

_CLOSED = re.compile(r"(?:^|/)_stcore/+(?:metrics|agent)(?:/|$)")
"""Wherever in a path: Streamlit takes these by their end."""
_REFUSED = {
    413: "This tab holds too many files. Send or reload it.",
    503: "Many files are arriving just now. Send it again in a moment.",
}
_AGAIN = {"retry-after": "3"}
_SAFE: dict[str, object] = {
    "server.trustedUserHeaders": {},
    "server.enableAgentApi": False,
    "server.enableXsrfProtection": True,
    "server.enableCORS": True,
    "server.enableStaticServing": False,
    "server.baseUrlPath": "",
}


class StreamlitGuard:
    """Middleware that answers 404 for Streamlit's numbers on its memory, and for driving pages without a browser.

    That the asker is on this machine proves nothing: behind a proxy here everybody is. Files are taken only of who has
    signed in, and within a quota: Streamlit keeps what a visitor sends in memory, 20 MB at a time, for as long as their
    tab is open.
    Below our prefixes a path that Streamlit would refuse in plain text, before any route, is answered in JSON.
    """

    def __init__(self, app: ASGIApp, *, cookie: SignInCookie, held: HeldBytes) -> None:
        """held: bytes that Streamlit holds for a tab, by the tab's session id."""
        self.app = app
        self._cookie = cookie
        self._quota = UploadQuota(held)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and _CLOSED.search(scope["path"]):
            await PlainTextResponse("Not Found", status_code=404)(scope, receive, send)
            return
        if _is_file(scope):
            await self._take_file(scope, receive, send)
            return
        if _is_unsafe_for_a_program(scope):
            await not_found(scope, receive, send)
            return
        await self.app(scope, receive, send)

    async def _take_file(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = HTTPConnection(scope)
        account = self._cookie.account(request)
        if account is None:
            await _refusal("Sign in first.", 403)(scope, receive, send)
            return
        with self._quota.admit(request, account=account) as status:
            answer = _refusal(_REFUSED[status], status, _AGAIN) if status in _REFUSED else self.app
            await answer(scope, receive, send)


def _refusal(words: str, status: int, headers: Mapping[str, str] | None = None) -> PlainTextResponse:
    return PlainTextResponse(words, status_code=status, headers={**(headers or {}), "connection": "close"})


def _is_file(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] == "PUT" and str(scope["path"]).startswith(UPLOAD)


def _is_unsafe_for_a_program(scope: Scope) -> bool:
    """What of streamlit/path_security.py (1.67) can be met behind the name of a prefix."""
    path = scope.get("path", "")
    is_ours = scope["type"] == "http" and path.startswith(tuple(f"{prefix}/" for prefix in PREFIXES))
    return is_ours and ("\0" in path or ".." in re.split(r"[/\\]", path))


def require_safe_options(option: Callable[[str], Any]) -> None:
    """Raise `SettingsError` when Streamlit was told, wherever, to let a request name its user or the like.

    option: what Streamlit goes by, by the option's name.
    """
    for name, safe in _SAFE.items():
        if (option(name) or type(safe)()) != safe:
            variable = "STREAMLIT_" + re.sub(r"[.]|(?<=[a-z])(?=[A-Z])", "_", name).upper()
            raise SettingsError(
                variable,
                f"Streamlit's option {name} must be {json.dumps(safe)} for Homeroom.",
                next_step="Take it out of the environment, of Streamlit's config.toml in your home and of the command.",
            )
