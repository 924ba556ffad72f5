"""The host that keeps the bytes of files, under /sandbox/files: a key in the address opens one, a token never."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.canvas.documents.html_text import login_page
from sandbox.canvas.files.contents import content_of, size_of, source_of
from sandbox.canvas.files.download_key import DownloadKey

PIECE = 256 * 1024


def routes(campus: Campus) -> list[BaseRoute]:
    """Relative to /sandbox/files."""

    async def send(request: Request) -> Response:
        # As storage services refuse a request that is signed twice.
        if "authorization" in request.headers:
            return PlainTextResponse("Only one auth mechanism allowed", 400)
        found = DownloadKey(campus).file(request.path_params["key"])
        row = campus.state.get("canvas.files", found[0]) if found else None
        if row is None or found is None or found[1] != row["updated_at"]:
            return PlainTextResponse("Access denied", 403)
        source = source_of(row)
        if source and source.kind == "login":
            return Response(login_page(source), media_type="text/html; charset=utf-8")
        content = await run_in_threadpool(content_of, row, campus.state)
        name = {"content-disposition": f"attachment; filename*=UTF-8''{quote(row['name'])}"}
        headers = {**name, "etag": f'"{row["id"]}"', "content-length": str(size := size_of(row))}
        if size <= len(content):
            return Response(content, media_type=row["type"], headers=headers | {"content-length": str(len(content))})
        return StreamingResponse(_long(content, size), media_type=row["type"], headers=headers)

    return [Route("/{key}/{number:int}", send)]


async def _long(head: bytes, size: int) -> AsyncIterator[bytes]:
    """The beginning of a recording, and as many empty bytes as it has left."""
    yield head
    left = size - len(head)
    while left > 0:
        yield bytes(min(PIECE, left))
        left -= PIECE
        await asyncio.sleep(0)


def seed(campus: Campus) -> None:
    """Nothing of its own: the rows are Canvas's."""
