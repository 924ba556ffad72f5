"""Search as SearXNG answers it (docs.searxng.org/dev/search_api.html), over the pages of the outside web."""

import re
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus
from sandbox.web.articles import Article, articles

RANGES = {"day": 1, "week": 7, "month": 31, "year": 366}
KNOWN = {"q", "format", "categories", "engines", "language", "pageno", "time_range", "safesearch", "theme"}
PER_PAGE = 10


def search_routes(campus: Campus) -> list[BaseRoute]:
    """GET and POST /search, relative to /sandbox/web."""

    async def search(request: Request) -> Response:
        fields = request.query_params if request.method == "GET" else await request.form()
        asked = {name: str(value) for name, value in fields.items()}
        if problem := _problem(asked):
            return Response(problem, 400)
        if asked.get("format", "html") != "json":
            return HTMLResponse("<!doctype html><title>SearXNG</title><p>Results are drawn here.</p>")
        return JSONResponse(_answer(campus, asked))

    return [Route("/search", search, methods=["GET", "POST"])]


def _problem(asked: dict[str, str]) -> str | None:
    if not asked.get("q", "").strip():
        return "No query"
    if unknown := set(asked) - KNOWN:
        return f"unknown parameters: {', '.join(sorted(unknown))}"
    if asked.get("time_range", "day") not in RANGES:
        return "Invalid value for parameter time_range"
    return None if asked.get("pageno", "1").isdigit() else "Invalid value for parameter pageno"


def _answer(campus: Campus, asked: dict[str, str]) -> dict[str, Any]:
    scored = [(_score(asked["q"], article), article) for article in articles().values()]
    found = sorted(((s, a) for s, a in scored if s > 0 and _is_recent(campus, a, asked)), key=lambda pair: -pair[0])
    start = (int(asked.get("pageno", "1")) - 1) * PER_PAGE
    return {
        "query": asked["q"],
        "number_of_results": len(found),
        "results": [_result(campus, a, score) for score, a in found[start : start + PER_PAGE]],
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [],
    }


def _is_recent(campus: Campus, article: Article, asked: dict[str, str]) -> bool:
    days = RANGES.get(asked.get("time_range", ""))
    return days is None or campus.now() - article.published(campus) <= timedelta(days=days)


def _score(query: str, article: Article) -> float:
    wanted = set(re.findall(r"\w{3,}", query.lower()))
    title, rest = article.title.lower(), f"{article.summary} {article.body}".lower()
    return sum(3.0 * (word in title) + 1.0 * (word in rest) for word in wanted)


def _result(campus: Campus, article: Article, score: float) -> dict[str, Any]:
    return {
        "url": article.url(campus),
        "title": article.title,
        "content": article.summary,
        "publishedDate": article.published(campus).replace(tzinfo=None).isoformat(),
        "engine": "campus",
        "engines": ["campus"],
        "parsed_url": ["http", campus.origin, f"/web/{article.path}", "", "", ""],
        "template": "default.html",
        "category": "general",
        "score": score,
        "thumbnail": None,
    }
