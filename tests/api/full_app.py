"""A small app behind the door's own `LoadShedding` and `IdleConnections`, whose clock runs twenty times as fast."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from api.auth import SignInCookie
from api.graceful_shutdown import current_server
from api.idle_connections import IdleConnections
from api.middleware.load_shedding import LoadShedding
from services.runtime import capacity
from tests.api.sealed import SECRET

room = capacity.process_capacity()


async def _page(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


async def _tab(tab: WebSocket) -> None:
    await tab.accept()
    async for text in tab.iter_text():
        await tab.send_text(text)


@asynccontextmanager
async def _lifespan(_app: Starlette) -> AsyncIterator[dict[str, Any]]:
    server = current_server()
    assert server is not None
    silent = IdleConnections(server, room, monotonic=lambda: 20 * time.monotonic())
    sweeping = asyncio.create_task(_sweep(silent))
    yield {}
    sweeping.cancel()


async def _sweep(silent: IdleConnections) -> None:
    while True:
        await asyncio.sleep(0.02)
        silent.sweep()


app = Starlette(
    routes=[Route("/", _page), Route("/health", _page), WebSocketRoute("/tab", _tab)],
    middleware=[Middleware(LoadShedding, capacity=room, cookie=SignInCookie(SECRET))],
    lifespan=_lifespan,
)
