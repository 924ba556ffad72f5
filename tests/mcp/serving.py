"""ASGI apps on real sockets, for MCP clients that speak HTTP."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp


@contextmanager
def bound() -> Iterator[socket.socket]:
    """A listening socket on a free port of this machine: its address is known before an app is made for it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@contextmanager
def serving(app: ASGIApp, listener: socket.socket) -> Iterator[None]:
    """Serve the app on the socket, in a thread, until the end of the block."""
    config = uvicorn.Config(app, lifespan="off", ws="none", log_level="critical", log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(10)
