"""Registries of published works: doi.org's content negotiation with Crossref behind it, and Open Library's books.

https://citation.crosscite.org/docs.html, https://openlibrary.org/dev/docs/api/books
"""

import json
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus

CSL = "application/vnd.citationstyles.csl+json"
_WORKS: dict[str, Any] = json.loads((Path(__file__).parent / "works.json").read_text(encoding="utf-8"))


def registry_routes(campus: Campus) -> list[BaseRoute]:
    """Relative to /sandbox/web."""
    return [
        Route("/doi/{doi:path}", _resolve),
        Route("/crossref/v1/works/{doi:path}/transform", _transform),
        Route("/openlibrary/api/books", _books),
    ]


async def _resolve(request: Request) -> Response:
    """The resolver: a known DOI leads to its registry when that is asked for metadata, else to its page."""
    doi = request.path_params["doi"].lower()
    if doi not in _WORKS["dois"]:
        return HTMLResponse("<title>Error: DOI Not Found</title><h1>DOI Not Found</h1>", 404)
    if CSL in request.headers.get("accept", ""):
        return RedirectResponse(f"/sandbox/web/crossref/v1/works/{doi}/transform", 302, {"vary": "Accept"})
    return RedirectResponse("/sandbox/web/library/citing", 302)


async def _transform(request: Request) -> Response:
    if CSL not in request.headers.get("accept", ""):
        return Response(status_code=406)
    return JSONResponse(_WORKS["dois"][request.path_params["doi"]], media_type=CSL)


async def _books(request: Request) -> Response:
    """`jscmd=data`: the books that are known, by the keys that were asked for; no others."""
    keys = request.query_params.get("bibkeys", "").split(",")
    return JSONResponse({key: _WORKS["books"][key] for key in keys if key in _WORKS["books"]})
