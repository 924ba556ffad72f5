"""Where links lead: redirects of all kinds, dead pages, and hosts that are slow or say nothing."""

import asyncio

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus

POLL_S = 0.05
MOVES = {
    "moved": ("/sandbox/web/news/library-hours", 301),
    "temporary": ("/sandbox/web/library/hours", 302),
    "dead": ("/sandbox/web/status/404", 301),
    "private": ("http://169.254.169.254/latest/meta-data/", 302),
    "file": ("file:///etc/passwd", 302),
    "loop": ("/sandbox/web/go/back", 302),
    "back": ("/sandbox/web/go/loop", 302),
}


def target_routes(campus: Campus) -> list[BaseRoute]:
    """Relative to /sandbox/web."""
    return [
        Route("/go/chain/{left:int}", _chain),
        Route("/go/{name}", _go),
        Route("/status/{status:int}", _status),
        Route("/no-head", _no_head, methods=["GET", "HEAD"]),
        Route("/slow/{seconds:float}", _slow),
        Route("/hang", _hang, methods=["GET", "HEAD"]),
        Route("/hang/{any:path}", _hang, methods=["GET", "HEAD"]),
        Route("/item/{number:int}", _item),
    ]


async def _go(request: Request) -> Response:
    to, status = MOVES.get(request.path_params["name"], ("/sandbox/web/status/404", 302))
    return RedirectResponse(to, status)


async def _chain(request: Request) -> Response:
    left = request.path_params["left"]
    return RedirectResponse(f"/sandbox/web/go/chain/{left - 1}" if left > 1 else "/sandbox/web/item/1", 302)


async def _status(request: Request) -> Response:
    status = request.path_params["status"]
    known = 200 <= status <= 599 and status not in (204, 205, 304)
    return HTMLResponse(f"<title>{status}</title><p>{status}</p>", status if known else 404)


async def _no_head(request: Request) -> Response:
    """A server that knows GET alone, as some do."""
    if request.method == "HEAD":
        return PlainTextResponse("Method Not Allowed", 405)
    return HTMLResponse("<title>Here</title><p>Here it is.</p>")


async def _slow(request: Request) -> Response:
    await asyncio.sleep(min(request.path_params["seconds"], 30.0))
    return HTMLResponse("<title>Slow</title><p>Here at last.</p>")


async def _hang(request: Request) -> Response:
    while not await request.is_disconnected():
        await asyncio.sleep(POLL_S)
    return Response(status_code=204)


async def _item(request: Request) -> Response:
    number = request.path_params["number"]
    return HTMLResponse(f"<title>Item {number}</title><p>Item {number} of the collection.</p>")
