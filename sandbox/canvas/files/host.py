"""The host that keeps the bytes of files, under /sandbox/files: a key in the address opens one, a token never."""

from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.canvas.documents.html_text import login_page
from sandbox.canvas.files.contents import content_of, source_of
from sandbox.canvas.files.download_key import DownloadKey


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
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(row['name'])}"}
        return Response(content, media_type=row["type"], headers={**headers, "etag": f'"{row["id"]}"'})

    return [Route("/{key}/{number:int}", send)]


def seed(campus: Campus) -> None:
    """Nothing of its own: the rows are Canvas's."""
