"""Blocks as the API gives and takes them, and the page content they stand for."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Annotated, Any

from pydantic import Field

from sandbox.notion.bodies import MOST_ITEMS, Body, OneOf, Position, Runs
from sandbox.notion.ids import block_id
from sandbox.notion.markdown import Node, parse
from sandbox.notion.richtext import markdown_of, plain_runs, runs_of, words_of

Json = dict[str, Any]
LANGUAGES = {
    *("bash", "c", "c++", "css", "html", "java", "javascript", "json", "latex", "markdown", "mermaid", "plain text"),
    *("python", "r", "rust", "shell", "sql", "typescript", "yaml"),
}


class TextBlock(Body):
    """Rich text, and blocks below it."""

    rich_text: Runs
    color: str = "default"
    children: "Blocks" = []


class ToDoBlock(TextBlock):
    """Something to tick."""

    checked: bool = False


class HeadingBlock(TextBlock):
    """A heading."""

    is_toggleable: bool = False


class CodeBlock(Body):
    """Code, literal."""

    rich_text: Runs
    language: str
    caption: Runs = []


class EquationBlock(Body):
    """A formula of its own."""

    expression: str


class RowBlock(Body):
    """A table's row."""

    cells: list[Runs]


class TableBlock(Body):
    """A table with its rows."""

    table_width: int
    children: "Blocks"
    has_column_header: bool = False
    has_row_header: bool = False


class Block(OneOf):
    """A block of a request; the kinds that Markdown can say."""

    object: str = "block"
    paragraph: TextBlock | None = None
    heading_1: HeadingBlock | None = None
    heading_2: HeadingBlock | None = None
    heading_3: HeadingBlock | None = None
    heading_4: HeadingBlock | None = None
    bulleted_list_item: TextBlock | None = None
    numbered_list_item: TextBlock | None = None
    quote: TextBlock | None = None
    to_do: ToDoBlock | None = None
    code: CodeBlock | None = None
    equation: EquationBlock | None = None
    divider: Body | None = None
    table: TableBlock | None = None
    table_row: RowBlock | None = None


Blocks = Annotated[list[Block], Field(max_length=MOST_ITEMS)]


class AppendChildren(Body):
    """PATCH /v1/blocks/{id}/children"""

    children: Blocks
    after: str | None = None
    position: Position | None = None


def node_of(block: Block) -> Node:
    """The content that a block of a request stands for."""
    inner = getattr(block, block.kind)
    if isinstance(inner, TextBlock):
        children = [node_of(child) for child in inner.children]
        checked = isinstance(inner, ToDoBlock) and inner.checked
        return Node(kind=block.kind, text=markdown_of(inner.rich_text), children=children, is_checked=checked)
    if isinstance(inner, CodeBlock):
        return Node(kind="code", text=words_of(inner.rich_text), language=inner.language)
    if isinstance(inner, EquationBlock):
        return Node(kind="equation", text=inner.expression)
    if isinstance(inner, TableBlock):
        rows = [child.table_row for child in inner.children if child.table_row is not None]
        return Node(kind="table", rows=[[markdown_of(cell) for cell in row.cells] for row in rows])
    return Node(kind=block.kind)


def blocks_of(page: Json) -> list[Node]:
    """The blocks of a page, each with its id: the stored one, or that of its place on a page nobody has changed."""
    nodes = parse(page["markdown"])
    found = list(_preorder(nodes))
    ids = page.get("block_ids") or [block_id(page["id"], str(place)) for place in range(len(found))]
    for node, id in zip(found, ids, strict=True):
        node.id = id
    return nodes


def carried_ids(nodes: Sequence[Node], markdown: str, page_id: str) -> list[str]:
    """The ids to store with a page's new content: as in Notion, a block that
    stays keeps its own, others get new ones.
    """
    before, after = list(_preorder(nodes)), list(_preorder(parse(markdown)))
    match = SequenceMatcher(None, [_words(node) for node in before], [_words(node) for node in after], autojunk=False)
    for old, new, size in match.get_matching_blocks():
        for offset in range(size):
            after[new + offset].id = before[old + offset].id
    return [node.id or block_id(page_id) for node in after]


def walk(nodes: list[Node], page_id: str, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Node]]:
    """Every block of a page with its place, parents first; a table's rows count as blocks."""
    for index, node in enumerate(nodes):
        here = (*path, index)
        yield here, node
        yield from walk(_below(node, page_id), page_id, here)


def children_shapes(nodes: list[Node], page_id: str, path: tuple[int, ...], facts: Json) -> list[Json]:
    """The API's blocks directly below this place of a page; `facts` are the fields that they share with their page."""
    parent: Json = {"type": "page_id", "page_id": page_id}
    for index in path:
        parent = {"type": "block_id", "block_id": nodes[index].id}
        nodes = _below(nodes[index], page_id)
    shapes = []
    for node in nodes:
        head = {
            "object": "block",
            "id": node.id,
            "parent": parent,
            **facts,
            "has_children": bool(_below(node, page_id)),
        }
        shapes.append({**head, "type": node.kind, node.kind: _inner(node)})
    return shapes


def _preorder(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from _preorder(node.children)


def _words(node: Node) -> str:
    return repr((node.kind, node.text, node.is_checked, node.language, node.rows))


def _below(node: Node, page_id: str) -> list[Node]:
    if node.kind == "table":
        return [
            Node(kind="table_row", id=block_id(page_id, f"{node.id} {index}"), rows=[row])
            for index, row in enumerate(node.rows)
        ]
    return node.children


def _inner(node: Node) -> Json:
    match node.kind:
        case "divider":
            return {}
        case "equation":
            return {"expression": node.text}
        case "code":
            language = node.language if node.language in LANGUAGES else "plain text"
            return {"rich_text": plain_runs(node.text), "language": language, "caption": []}
        case "table":
            width = max((len(row) for row in node.rows), default=0)
            return {"table_width": width, "has_column_header": True, "has_row_header": False}
        case "table_row":
            return {"cells": [runs_of(cell) for cell in node.rows[0]]}
    inner: Json = {"rich_text": runs_of(node.text), "color": "default"}
    if node.kind == "to_do":
        inner["checked"] = node.is_checked
    if node.kind.startswith("heading"):
        inner["is_toggleable"] = False
    return inner
