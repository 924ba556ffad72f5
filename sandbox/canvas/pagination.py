"""Pages of a list, with the Link header by which a client finds the next one."""

import base64
import binascii
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from sandbox.canvas.answers import answer, bad_request

DEFAULT_PER_PAGE = 10
MOST_PER_PAGE = 100
BOOKMARK = "bookmark:"


def paged(request: Request, rows: list[Any], *, by: str) -> Response:
    """The page that the request asks for; `by` is "number" (with a last page) or "bookmark" (opaque, without)."""
    per_page = _per_page(request)
    start = _start(request, per_page, by)
    links = [("current", start), ("next", start + per_page), ("prev", start - per_page), ("first", 0)]
    last = max(0, (len(rows) - 1) // per_page * per_page)
    if by == "number":
        links.append(("last", last))
    relations = {name: offset for name, offset in links if 0 <= offset <= last}
    header = ",".join(
        f'<{_address(request, offset, per_page, by)}>; rel="{name}"' for name, offset in relations.items()
    )
    return answer(rows[start : start + per_page], headers={"link": header})


def _per_page(request: Request) -> int:
    text = (request.query_params.getlist("per_page") or [""])[-1]
    return min(int(text), MOST_PER_PAGE) if text.isdecimal() and int(text) > 0 else DEFAULT_PER_PAGE


def _start(request: Request, per_page: int, by: str) -> int:
    text = (request.query_params.getlist("page") or [""])[-1]
    if not text or text == "first":
        return 0
    if by == "number" and text.isdecimal() and int(text) > 0:
        return (int(text) - 1) * per_page
    if by == "bookmark":
        return _bookmarked(text)
    raise bad_request("invalid page")


def _bookmarked(text: str) -> int:
    """The offset in a bookmark; 0 for what is none, which Canvas takes as the first page
    (gems/bookmarked_collection).
    """
    try:
        return max(0, int(base64.urlsafe_b64decode(text.removeprefix(BOOKMARK))))
    except (ValueError, binascii.Error):
        return 0


def _address(request: Request, offset: int, per_page: int, by: str) -> str:
    # The host that the client used, as the real one answers: a client must never see its own paging leave its host.
    kept = [(name, value) for name, value in request.query_params.multi_items() if name not in ("page", "per_page")]
    mark = BOOKMARK + base64.urlsafe_b64encode(str(offset).encode()).decode()
    page = str(offset // per_page + 1) if by == "number" else mark
    query = urlencode([*kept, ("page", page), ("per_page", str(per_page))])
    return f"{request.url.replace(query='')}?{query}"
