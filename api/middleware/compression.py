"""Compression policy: no response to a request with credentials is compressed, static files apart."""

from starlette.types import ASGIApp, Receive, Scope, Send

from services.navigation import PAGE_PATHS

_CREDENTIALS = {b"cookie", b"authorization", b"x-api-key"}
_STATIC = ("/assets/", "/where.", "/static/")


class UncompressedSecrets:
    """Middleware that hides `accept-encoding` from Streamlit's gzip.

    A secret beside text that another site can choose leaks through the length of the compressed whole (BREACH,
    CVE-2013-3587). The pages' HTML is the same for everybody, and so are scripts, styles and fonts.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _is_same_for_all(scope["path"]):
            names = {name for name, _ in scope["headers"]}
            if names & _CREDENTIALS:
                kept = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
                scope = {**scope, "headers": kept}
        await self.app(scope, receive, send)


def _is_same_for_all(path: str) -> bool:
    return path in PAGE_PATHS or path.startswith(_STATIC)
