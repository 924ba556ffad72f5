"""Who may call the API, with which parameters, and how it answers and refuses."""

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.refusals import Refused

TOKEN = "homeroom-demo-github-token"
DOCS = "https://docs.github.com/rest"
USUAL_PER_PAGE, MOST_PER_PAGE = 30, 100
LIMITS = {
    "x-github-media-type": "github.v3; format=json",
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "4987",
    "x-ratelimit-used": "13",
    "x-ratelimit-resource": "core",
}


def admit(request: Request, *, query: Sequence[str] = (), needs_token: bool = False) -> None:
    """Let a request through; raises Refused (401) for a wrong token, and (422) for parameters nobody knows."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if token and (kind.lower() not in ("token", "bearer") or token.strip() != TOKEN):
        raise refused(401, "Bad credentials")
    if needs_token and not token:
        raise refused(401, "Requires authentication")
    for name in request.query_params:
        if name not in query:
            raise refused(422, f'Validation Failed: "{name}" is not a permitted key.')


def answer(content: Any, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse(content, 200, {**LIMITS, **(headers or {})})


def refused(status: int, message: str) -> Refused:
    """The refusal to raise."""
    return Refused(JSONResponse({"message": message, "documentation_url": DOCS, "status": str(status)}, status, LIMITS))


def page_of(request: Request, rows: list[Any]) -> tuple[list[Any], dict[str, str]]:
    """The rows of the page that is asked for, and the Link header when there are more."""
    size = min(_number(request, "per_page", USUAL_PER_PAGE), MOST_PER_PAGE)
    page = _number(request, "page", 1)
    last = max(1, -(-len(rows) // size))
    relations = {"next": page + 1, "last": last} if page < last else {}
    links = (
        f'<{request.url.include_query_params(page=number, per_page=size)}>; rel="{name}"'
        for name, number in relations.items()
    )
    shown = rows[(page - 1) * size : page * size]
    return shown, {"link": ", ".join(links)} if relations else {}


def _number(request: Request, name: str, usual: int) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and int(text) > 0 else usual
