"""Canvas as tests call it: by canvasapi, and by plain HTTP where the client hides too much."""

import warnings
from collections.abc import Callable
from typing import Any

import httpx
from canvasapi import Canvas
from canvasapi.paginated_list import PaginatedList

from tests.campus_server import CampusServer

Get = Callable[..., httpx.Response]
BIOLOGY = 4201
PAGE = {"include[]": ["items", "content_details"], "per_page": 100}


class Row:
    """A row of a list; canvasapi's own classes try to read every attribute as a date, which takes 15 ms a row."""

    def __init__(self, requester: object, attributes: dict[str, Any]) -> None:
        self.id: int = attributes["id"]


def client(campus: CampusServer, person: str) -> Canvas:
    """A client of this person; canvasapi warns about http, which the campus's loopback is."""
    token = campus.token("canvas", person)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Canvas may respond unexpectedly")
        return Canvas(f"{campus.url}/canvas", token)


def getter(campus: CampusServer, person: str) -> Get:
    """GET below /api/v1, or of a whole address, as this person."""
    headers = {"authorization": f"Bearer {campus.token('canvas', person)}"}
    base = httpx.URL(f"{campus.url}/canvas/api/v1/")

    def get(path: str, accept: str = "*/*", **options: Any) -> httpx.Response:
        return campus.http.get(base.join(path.removeprefix("/")), headers={**headers, "accept": accept}, **options)

    return get


def pages(canvas: Canvas, path: str, per_page: int, **parameters: Any) -> PaginatedList[Row]:
    """A list by canvasapi's own paging; its `get_…` methods always ask for pages of 100."""
    requester = canvas._Canvas__requester
    return PaginatedList(Row, requester, "GET", path, per_page=per_page, **parameters)


def control(campus: CampusServer, kind: str = "files", **wish: Any) -> dict[str, Any]:
    """Change a file or a course; wish: course=, file=, do= and what that needs."""
    answer = campus.http.post(f"{campus.url}/canvas/control/{kind}", json={"course": BIOLOGY, **wish})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def item_of(get: Get, title: str, course: int = BIOLOGY) -> dict[str, Any] | None:
    """The module item with this title, with its details."""
    modules = get(f"/courses/{course}/modules", params={"per_page": 100}).json()
    rows = (get(f"/courses/{course}/modules/{module['id']}/items", params=PAGE).json() for module in modules)
    return next((item for items in rows for item in items if item["title"] == title), None)
