"""An app that shows the corpus, with or without the security headers."""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.health import health_routes
from api.middleware.security_headers import SecurityHeaders


class HeadersWhenAsked:
    """The real middleware for documents asked for with `?headers=on`."""

    def __init__(self, app: ASGIApp) -> None:
        self._bare = app
        self._guarded = SecurityHeaders(app, public_url="http://localhost")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_asked = scope["type"] == "http" and Request(scope).query_params.get("headers") == "on"
        await (self._guarded if is_asked else self._bare)(scope, receive, send)


app = st.App(
    Path(__file__).with_name("hostile_page.py"),
    routes=health_routes({}),
    middleware=[Middleware(HeadersWhenAsked)],
)
