"""Running the campus alone on uvicorn: the socket, the mount at /sandbox and the server."""

import socket
from datetime import date
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount

from sandbox.app import campus_app
from sandbox.connection_faults import Breakable


def listen(host: str, port: int) -> socket.socket:
    """A bound socket; port 0 takes a free one. Raises OSError when the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named TCP, or asyncio would not switch Nagle's algorithm off and every second answer would wait 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    return listener


def server(*, origin: str, database: Path, today: date | None = None) -> uvicorn.Server:
    """A server that is ready to `run(sockets=[listener])`; every path keeps its /sandbox prefix."""
    campus = campus_app(origin=origin, database=database, today=today)
    app = Breakable(Starlette(routes=[Mount("/sandbox", app=campus)]))
    config = uvicorn.Config(
        app,
        lifespan="off",
        ws="none",
        log_level="error",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)
