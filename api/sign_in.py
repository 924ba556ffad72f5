"""A sign-in that failed leads back to the welcome page, which says so; Streamlit's own routes would say nothing."""

from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.wanted import SIGNED_IN

LOGIN = "/auth/login"
CALLBACK = "/oauth2callback"
CANCELLED = "/?signin=cancelled"
FAILED = "/?signin=failed"


class SignInTrouble:
    """Middleware that watches the two routes of a sign-in (`starlette_auth_routes.py` in Streamlit 1.67)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_watched = scope["type"] == "http" and scope["path"] in (LOGIN, CALLBACK)
        await self.app(scope, receive, _leading_back(scope, send) if is_watched else send)


def _leading_back(scope: Scope, send: Send) -> Send:
    is_replaced = False

    async def send_or_lead(message: Message) -> None:
        nonlocal is_replaced
        if message["type"] == "http.response.start" and (target := _way_back(scope, message)):
            is_replaced = True
            kept = [(name, value) for name, value in message["headers"] if name.lower() == b"set-cookie"]
            message = {**message, "status": 303, "headers": [*kept, (b"location", target.encode())]}
        elif message["type"] == "http.response.body" and is_replaced:
            message = {**message, "body": b""}
        await send(message)

    return send_or_lead


def _way_back(scope: Scope, start: Message) -> str | None:
    """Where to lead instead; None for an answer that is well. A callback without a state ends a sign-out."""
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
    return cookie.partition("=")[0] == SIGNED_IN
