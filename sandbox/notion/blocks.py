"""The blocks methods of the Notion API: reading, appending and deleting (https://developers.notion.com/reference/block)."""

import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.campus import Campus
from sandbox.notion.access import Access, Call, one_page
from sandbox.notion.content import AppendChildren, blocks_of, carried_ids, children_shapes, node_of, walk
from sandbox.notion.errors import invalid, not_found
from sandbox.notion.ids import read_id
from sandbox.notion.markdown import LISTS, Node, render
from sandbox.notion.shapes import list_shape
from sandbox.notion.workspace import Record
from sandbox.refusals import Refused

Place = tuple[int, ...]


class BlockMethods:
    """Answers blocks.retrieve, blocks.delete, blocks.children.list and blocks.children.append."""

    def __init__(self, campus: Campus, access: Access) -> None:
        self._campus = campus
        self._access = access

    async def retrieve(self, request: Request) -> Response:
        """GET /v1/blocks/{id}"""
        call = self._access.admit(request)
        page, place = _locate(call, call.path_id("block_id"))
        shape = _shape_at(call, page, place) if place else _child_page(call, page)
        return JSONResponse({**shape, "request_id": str(uuid.uuid4())})

    async def list_children(self, request: Request) -> Response:
        """GET /v1/blocks/{id}/children"""
        call = self._access.admit(request, query=("start_cursor", "page_size"))
        page, place = _locate(call, call.path_id("block_id"))
        shapes = children_shapes(blocks_of(page), page["id"], place, _facts(call, page))
        if not place:
            shapes += [_child(call, kind, child) for kind, child in call.workspace.children(page["id"])]
        found, cursor = one_page(shapes, request.query_params.get("start_cursor"), call.page_size())
        return JSONResponse(list_shape("block", found, cursor))

    async def append(self, request: Request) -> Response:
        """PATCH /v1/blocks/{id}/children"""
        call = self._access.admit(request)
        wish = await call.body(AppendChildren)
        with self._campus.state.transaction():
            page, place = _locate(call, call.path_id("block_id"))
            call.workspace.check_editable(page)
            nodes = blocks_of(page)
            siblings = _siblings(nodes, place)
            at = _position(wish, siblings)
            siblings[at:at] = [node_of(block) for block in wish.children]
            page = call.workspace.save(_with_content(page, nodes))
        shapes = children_shapes(blocks_of(page), page["id"], place, _facts(call, page))
        return JSONResponse(list_shape("block", shapes[at : at + len(wish.children)], None))

    async def delete(self, request: Request) -> Response:
        """DELETE /v1/blocks/{id}: a page goes to the trash, a content block for good."""
        call = self._access.admit(request)
        with self._campus.state.transaction():
            page, place = _locate(call, call.path_id("block_id"))
            call.workspace.check_editable(page)
            if not place:
                shape = _child_page(call, call.workspace.save({**page, "in_trash": True}))
            else:
                shape = _shape_at(call, page, place) | {"in_trash": True, "archived": True}
                nodes = blocks_of(page)
                del _siblings(nodes, place[:-1])[place[-1]]
                call.workspace.save(_with_content(page, nodes))
        return JSONResponse({**shape, "request_id": str(uuid.uuid4())})


def _locate(call: Call, block: str) -> tuple[Record, Place]:
    """The page of a block and the block's place in it, () for the page itself; raises Refused (404)."""
    try:
        return call.workspace.page(block, what="block"), ()
    except Refused:
        page = call.workspace.page_of_block(block)
    for place, node in walk(blocks_of(page), page["id"]):
        if node.id == block:
            return page, place
    raise not_found("block", block)


def _with_content(page: Record, nodes: list[Node]) -> Record:
    markdown = render(nodes)
    return {**page, "markdown": markdown, "block_ids": carried_ids(nodes, markdown, page["id"])}


def _siblings(nodes: list[Node], place: Place) -> list[Node]:
    """The list that holds what is directly below the place; raises Refused (400) where nothing can be."""
    for index in place:
        if nodes[index].kind not in LISTS:
            raise invalid(f"Block type {nodes[index].kind} does not support children.")
        nodes = nodes[index].children
    return nodes


def _position(wish: AppendChildren, siblings: list[Node]) -> int:
    after = wish.after
    if wish.position is not None and wish.position.after_block is not None:
        after = wish.position.after_block.get("id")
    if after is None:
        is_first = wish.position is not None and wish.position.type in ("start", "page_start")
        return 0 if is_first else len(siblings)
    wanted = read_id(after, "after", where="body")
    for at, node in enumerate(siblings):
        if node.id == wanted:
            return at + 1
    raise not_found("block", after)


def _shape_at(call: Call, page: Record, place: Place) -> dict[str, Any]:
    return children_shapes(blocks_of(page), page["id"], place[:-1], _facts(call, page))[place[-1]]


def _facts(call: Call, page: Record) -> dict[str, Any]:
    return {key: value for key, value in call.shapes.history(page).items() if key != "id"}


def _child(call: Call, kind: str, record: Record) -> dict[str, Any]:
    if not call.workspace.sees(record):
        head = {"object": "block", "id": record["id"], "parent": record["parent"], **_facts(call, record)}
        return {**head, "has_children": False, "type": "unsupported", "unsupported": {}}
    if kind == "page":
        return _child_page(call, record)
    head = {"object": "block", "id": record["id"], "parent": record["parent"], **_facts(call, record)}
    return {**head, "has_children": False, "type": "child_database", "child_database": {"title": record["title"]}}


def _child_page(call: Call, page: Record) -> dict[str, Any]:
    has_children = bool(page["markdown"] or call.workspace.children(page["id"]))
    head = {"object": "block", "id": page["id"], "parent": page["parent"], **_facts(call, page)}
    return {**head, "has_children": has_children, "type": "child_page", "child_page": {"title": page["title"]}}
