"""Breaking a connection on purpose: what a server's crash or a bad network looks like to the caller."""

from starlette.types import ASGIApp, Receive, Scope, Send

EXTENSION = "sandbox.connection"


class Breakable:
    """The outermost layer of a campus that runs on uvicorn: remembers the transport, so that `cut` can close it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        transport = getattr(getattr(send, "__self__", None), "transport", None)
        extensions = {**(scope.get("extensions") or {}), EXTENSION: {"transport": transport}}
        await self._app({**scope, "extensions": extensions} if scope["type"] == "http" else scope, receive, send)


async def cut(scope: Scope, receive: Receive, send: Send, *, has_begun: bool = False) -> None:
    """Close the caller's connection without an answer, or in the middle of one that `has_begun`.

    Inside another server, where the transport is out of reach, an answer is begun and never completed.
    """
    transport = ((scope.get("extensions") or {}).get(EXTENSION) or {}).get("transport")
    if transport is not None:
        transport.close()
        while (await receive())["type"] != "http.disconnect":
            pass
    elif not has_begun:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1000")]})
        await send({"type": "http.response.body", "body": b"", "more_body": True})
