"""The pages methods of the Notion API (https://developers.notion.com/reference/page)."""

import re
import uuid
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.campus import Campus
from sandbox.notion.access import Access, Call
from sandbox.notion.bodies import Body, Icon, Parent, Position
from sandbox.notion.content import Blocks, node_of
from sandbox.notion.errors import invalid
from sandbox.notion.ids import new_id, read_id
from sandbox.notion.markdown import normalized, render
from sandbox.notion.page_edits import MarkdownChange, change_content, markdown_shape, page_text
from sandbox.notion.properties import TITLE_ONLY, read_values
from sandbox.notion.shapes import is_row
from sandbox.notion.workspace import Record

FIRST_HEADING = re.compile(r"\s*#\s+(?P<title>[^\n]*)\n?")


class NoTemplate(Body):
    """The only template the campus knows."""

    type: Literal["none"]


class NewPage(Body):
    """POST /v1/pages"""

    parent: Parent
    properties: dict[str, Any] = {}
    icon: Icon | None = None
    cover: Icon | None = None
    content: Blocks | None = None
    children: Blocks | None = None
    markdown: str | None = None
    template: NoTemplate | None = None
    position: Position | None = None


class PageChange(Body):
    """PATCH /v1/pages/{id}"""

    properties: dict[str, Any] = {}
    icon: Icon | None = None
    cover: Icon | None = None
    is_locked: bool | None = None
    erase_content: bool = False
    archived: bool | None = None
    in_trash: bool | None = None


class PageMethods:
    """Answers pages.create, retrieve, update, retrieve_markdown and update_markdown."""

    def __init__(self, campus: Campus, access: Access) -> None:
        self._campus = campus
        self._access = access

    async def create(self, request: Request) -> Response:
        """POST /v1/pages"""
        call = self._access.admit(request)
        wish = await call.body(NewPage)
        with self._campus.state.transaction():
            parent = _parent(call, wish.parent)
            values, title = _written(call, parent, wish.properties)
            markdown = _content(wish)
            if title is None and wish.markdown is not None and (found := FIRST_HEADING.match(markdown)):
                title, markdown = found["title"].strip(), markdown[found.end() :]
            page = call.workspace.add(
                {
                    "id": new_id(),
                    "parent": parent,
                    "title": title or "",
                    "icon": _icon(wish.icon),
                    "cover": _icon(wish.cover),
                    "markdown": markdown,
                    "values": values,
                    "private": False,
                }
            )
        return _answer(call.shapes.page(page))

    async def retrieve(self, request: Request) -> Response:
        """GET /v1/pages/{id}"""
        call = self._access.admit(request, query=("filter_properties",))
        shape = call.shapes.page(call.workspace.page(call.path_id("page_id")))
        wanted = [text for key, text in request.query_params.multi_items() if key.startswith("filter_properties")]
        if wanted:
            kept = {
                name: value for name, value in shape["properties"].items() if value["id"] in wanted or name in wanted
            }
            shape["properties"] = kept
        return _answer(shape)

    async def update(self, request: Request) -> Response:
        """PATCH /v1/pages/{id}"""
        call = self._access.admit(request)
        wish = await call.body(PageChange)
        with self._campus.state.transaction():
            page = call.workspace.page(call.path_id("page_id"))
            in_trash = wish.archived if wish.in_trash is None else wish.in_trash
            if in_trash is None or page["in_trash"] == in_trash:
                call.workspace.check_editable(page)
            changed = self._changed(call, page, wish) | ({} if in_trash is None else {"in_trash": in_trash})
            if wish.erase_content:
                changed = change_content(self._campus, call.workspace, changed, "", may_delete=True)
            return _answer(call.shapes.page(call.workspace.save(changed)))

    async def retrieve_markdown(self, request: Request) -> Response:
        """GET /v1/pages/{id}/markdown"""
        call = self._access.admit(request, query=("include_transcript",))
        page = call.workspace.page(call.path_id("page_id"))
        return _answer(markdown_shape(page, *page_text(self._campus, call.workspace, page)))

    async def update_markdown(self, request: Request) -> Response:
        """PATCH /v1/pages/{id}/markdown"""
        call = self._access.admit(request)
        wish = await call.body(MarkdownChange)
        with self._campus.state.transaction():
            page = call.workspace.page(call.path_id("page_id"))
            call.workspace.check_editable(page)
            text, _ = page_text(self._campus, call.workspace, page)
            page = change_content(self._campus, call.workspace, page, wish.applied(text), may_delete=wish.may_delete)
            return _answer(markdown_shape(page, *page_text(self._campus, call.workspace, page)))

    def _changed(self, call: Call, page: Record, wish: PageChange) -> Record:
        values, title = _written(call, page["parent"], wish.properties)
        changed = {**page, "values": page["values"] | values}
        if title is not None:
            changed["title"] = title
        if wish.is_locked is not None:
            changed["is_locked"] = wish.is_locked
        for name in ("icon", "cover"):
            if name in wish.model_fields_set:
                changed[name] = _icon(getattr(wish, name))
        return changed


def _parent(call: Call, wish: Parent) -> Record:
    """The parent as pages name it; raises Refused (400, 404)."""
    if wish.workspace:
        return {"type": "workspace", "workspace": True}
    if wish.page_id is not None:
        page = call.workspace.page(read_id(wish.page_id, "parent.page_id", where="body"))
        call.workspace.check_editable(page)
        return {"type": "page_id", "page_id": page["id"]}
    if wish.database_id is not None:
        database = call.workspace.database(read_id(wish.database_id, "parent.database_id", where="body"))
        source_id = database["source"]
    else:
        source_id = read_id(str(wish.data_source_id), "parent.data_source_id", where="body")
    source = call.workspace.source(source_id)
    call.workspace.check_editable(call.workspace.database(source["database"]))
    return {"type": "data_source_id", "data_source_id": source["id"], "database_id": source["database"]}


def _written(call: Call, parent: Record, properties: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """The values to keep and the title, if one was given; options that are new are learnt; raises Refused (400)."""
    if not is_row({"parent": parent}):
        values, _ = read_values(properties, TITLE_ONLY)
        return {}, values.get("title")
    source = call.workspace.source(parent["data_source_id"])
    values, new_options = read_values(properties, source["schema"])
    for name, option in new_options:
        call.workspace.learn_option(source, name, option)
    title_name = next(name for name, spec in source["schema"].items() if spec["type"] == "title")
    return {name: value for name, value in values.items() if name != title_name}, values.get(title_name)


def _content(wish: NewPage) -> str:
    blocks = wish.children if wish.children is not None else wish.content
    if wish.markdown is not None and blocks is not None:
        raise invalid(
            "body failed validation: body.markdown should be not present when body.children or body.content is."
        )
    if wish.markdown is not None:
        return normalized(wish.markdown)
    return render([node_of(block) for block in blocks or []])


def _icon(wish: Icon | None) -> dict[str, Any] | None:
    if wish is None:
        return None
    inner = getattr(wish, wish.kind)
    return {"type": wish.kind, wish.kind: inner if isinstance(inner, str) else inner.model_dump()}


def _answer(shape: dict[str, Any]) -> Response:
    return JSONResponse({**shape, "request_id": str(uuid.uuid4())})
