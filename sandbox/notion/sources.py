"""Databases, data sources, search and users of the Notion API."""

import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.campus import Campus
from sandbox.notion.access import Access, Call, one_page
from sandbox.notion.bodies import Query, Search
from sandbox.notion.errors import invalid, not_found
from sandbox.notion.query import RowQuery
from sandbox.notion.shapes import list_shape
from sandbox.notion.workspace import Record

KINDS = ("page", "data_source")
DIRECTIONS = ("ascending", "descending")


class SourceMethods:
    """Answers databases.retrieve, data_sources.retrieve and query, search, and users.me, list and retrieve."""

    def __init__(self, campus: Campus, access: Access) -> None:
        self._campus = campus
        self._access = access

    async def database(self, request: Request) -> Response:
        """GET /v1/databases/{id}"""
        call = self._access.admit(request)
        return _answer(call.shapes.database(call.workspace.database(call.path_id("database_id"))))

    async def source(self, request: Request) -> Response:
        """GET /v1/data_sources/{id}"""
        call = self._access.admit(request)
        return _answer(call.shapes.source(call.workspace.source(call.path_id("data_source_id"))))

    async def query(self, request: Request) -> Response:
        """POST /v1/data_sources/{id}/query"""
        call = self._access.admit(request, query=("filter_properties",), write=False)
        wish = await call.body(Query)
        source = call.workspace.source(call.path_id("data_source_id"))
        query = RowQuery(source["schema"], self._campus.today)
        trashed = bool(wish.archived if wish.in_trash is None else wish.in_trash)
        rows = [row for row in call.workspace.rows(source["id"]) if row["in_trash"] == trashed]
        # Checked against an empty row too, so that a bad filter is refused when there is nothing to look at.
        query.passes({"title": "", "values": {}, "created_time": None, "last_edited_time": None}, wish.filter)
        kept = query.ordered([row for row in rows if query.passes(row, wish.filter)], wish.sorts)
        page, cursor = one_page(kept, wish.start_cursor, wish.page_size)
        return JSONResponse(list_shape("page_or_data_source", [call.shapes.page(row) for row in page], cursor))

    async def search(self, request: Request) -> Response:
        """POST /v1/search: by title."""
        call = self._access.admit(request, write=False)
        wish = await call.body(Search)
        kinds, trashed = _wanted(wish.filter)
        found = [
            {**record, "object": kind}
            for kind, record in _everything(call)
            if kind in kinds and call.workspace.is_trashed(record) == trashed and _has_words(record, wish.query)
        ]
        found.sort(key=lambda record: record["last_edited_time"], reverse=_is_newest_first(wish.sort))
        page, cursor = one_page(found, wish.start_cursor, wish.page_size)
        shapes = [_shape(call, record) for record in page]
        return JSONResponse(list_shape("page_or_data_source", shapes, cursor))

    async def me(self, request: Request) -> Response:
        """GET /v1/users/me: the integration's own user, with whom it belongs to."""
        return _answer(self._access.admit(request).shapes.bot())

    async def users(self, request: Request) -> Response:
        """GET /v1/users"""
        call = self._access.admit(request, query=("start_cursor", "page_size"))
        everyone = [call.shapes.owner(), call.shapes.bot()]
        page, cursor = one_page(everyone, request.query_params.get("start_cursor"), call.page_size())
        return JSONResponse(list_shape("user", page, cursor))

    async def user(self, request: Request) -> Response:
        """GET /v1/users/{id}"""
        call = self._access.admit(request)
        wanted = call.path_id("user_id")
        for shape in (call.shapes.owner(), call.shapes.bot()):
            if shape["id"] == wanted:
                return _answer(shape)
        raise not_found("user", wanted)


def _everything(call: Call) -> list[tuple[str, Record]]:
    sources = []
    for source in call.workspace.sources():
        database = call.workspace.database(source["database"])
        sources.append(("data_source", {**database, "id": source["id"], "title": source["title"]}))
    return [("page", page) for page in call.workspace.pages()] + sources


def _shape(call: Call, record: Record) -> dict[str, Any]:
    if record["object"] == "page":
        return call.shapes.page(record)
    return call.shapes.source(call.workspace.source(record["id"]))


def _wanted(wish: dict[str, Any] | None) -> tuple[tuple[str, ...], bool]:
    if wish is None:
        return KINDS, False
    if unknown := set(wish) - {"property", "value", "in_trash"}:
        raise invalid(f"body failed validation: body.filter.{min(unknown)} should be not present.")
    if "value" not in wish and "property" not in wish:
        return KINDS, bool(wish["in_trash"])
    if wish.get("property") != "object":
        raise invalid('body failed validation: body.filter.property should be `"object"`.')
    if wish.get("value") not in KINDS:
        value = wish.get("value")
        raise invalid(
            f'body failed validation: body.filter.value should be `"page"` or `"data_source"`, instead was `"{value}"`.'
        )
    return (wish["value"],), bool(wish.get("in_trash"))


def _is_newest_first(sort: dict[str, Any] | None) -> bool:
    if sort is None or sort == {"property": "relevance"}:
        return True
    if set(sort) != {"timestamp", "direction"} or sort["timestamp"] != "last_edited_time":
        raise invalid('body failed validation: body.sort.timestamp should be `"last_edited_time"`.')
    if sort["direction"] not in DIRECTIONS:
        raise invalid('body failed validation: body.sort.direction should be `"ascending"` or `"descending"`.')
    return bool(sort["direction"] == "descending")


def _has_words(record: Record, query: str) -> bool:
    return all(word in record["title"].casefold() for word in query.casefold().split())


def _answer(shape: dict[str, Any]) -> Response:
    return JSONResponse({**shape, "request_id": str(uuid.uuid4())})
