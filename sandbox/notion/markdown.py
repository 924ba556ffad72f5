"""Page content: Notion's enhanced Markdown, one block a line, children a tab deeper, tables as tags.

https://developers.notion.com/guides/data-apis/enhanced-markdown; as in Notion, blank lines between blocks are dropped.
"""

import re
from dataclasses import dataclass, field

HEADING = re.compile(r"(#{1,6})\s+(.*)")
TO_DO = re.compile(r"[-*+]\s+\[([ xX])\]\s+(.*)")
BULLET = re.compile(r"[-*+]\s+(.*)")
NUMBER = re.compile(r"\d+[.)]\s+(.*)")
DIVIDER = re.compile(r"(?:-{3,}|\*{3,}|_{3,})")
DELIMITERS = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?")
ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<td>(.*?)</td>", re.DOTALL)
TAG = re.compile(r"</?(?:td|tr|table)\b[^>]*>")
INDENTED = re.compile(r"\t| {2,}")
LISTS = ("bulleted_list_item", "numbered_list_item", "to_do", "quote", "paragraph")


@dataclass(kw_only=True)
class Node:
    """One block: `kind` is Notion's block type, `text` inline Markdown (or literal code), `rows` a table's cells.

    id: "" until it is known.
    """

    kind: str
    id: str = ""
    text: str = ""
    children: list["Node"] = field(default_factory=list)
    is_checked: bool = False
    language: str = "plain text"
    rows: list[list[str]] = field(default_factory=list)


def parse(markdown: str) -> list[Node]:
    """The blocks of a page's content."""
    lines = re.split(r"\r\n?|\n", markdown)
    nodes: list[Node] = []
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        node, at = _block(lines, at)
        if node.kind in LISTS:
            inner, at = _indented(lines, at)
            node.children = parse("\n".join(inner))
        nodes.append(node)
    return nodes


def render(nodes: list[Node], depth: int = 0) -> str:
    """The content as Notion gives it back."""
    lines: list[str] = []
    number = 0
    for node in nodes:
        number = number + 1 if node.kind == "numbered_list_item" else 0
        lines += ["\t" * depth + line for line in _lines(node, number)]
        if node.children:
            lines.append(render(node.children, depth + 1))
    return "\n".join(lines)


def normalized(markdown: str) -> str:
    """The content as it reads after Notion has stored it."""
    return render(parse(markdown))


def _block(lines: list[str], at: int) -> tuple[Node, int]:
    line = lines[at].strip()
    if line.startswith("```"):
        end = _closing(lines, at, "```")
        language = line.removeprefix("```").strip() or "plain text"
        return Node(kind="code", text="\n".join(_dedented(lines[at + 1 : end], lines[at])), language=language), end + 1
    if line == "$$":
        end = _closing(lines, at, "$$")
        return Node(kind="equation", text="\n".join(lines[at + 1 : end]).strip()), end + 1
    if line.startswith("<table"):
        end = _closing(lines, at, "</table>")
        rows = [[cell.strip() for cell in CELL.findall(row)] for row in ROW.findall("\n".join(lines[at : end + 1]))]
        return Node(kind="table", rows=rows), end + 1
    if "|" in line and at + 1 < len(lines) and _is_delimiter(lines[at + 1], columns=len(_cells(line))):
        return _piped(lines, at)
    return _single(line), at + 1


def _single(line: str) -> Node:
    if found := HEADING.fullmatch(line):
        return Node(kind=f"heading_{min(len(found[1]), 4)}", text=found[2])
    if DIVIDER.fullmatch(line):
        return Node(kind="divider")
    if found := TO_DO.fullmatch(line):
        return Node(kind="to_do", text=found[2], is_checked=found[1] != " ")
    if found := BULLET.fullmatch(line):
        return Node(kind="bulleted_list_item", text=found[1])
    if found := NUMBER.fullmatch(line):
        return Node(kind="numbered_list_item", text=found[1])
    if line.startswith(">"):
        return Node(kind="quote", text=line[1:].strip())
    if "|" in line and DELIMITERS.fullmatch(line):
        # Alone it is text; escaped, it stays text when the blank line above it is gone.
        return Node(kind="paragraph", text=line.replace("|", "\\|", 1))
    return Node(kind="paragraph", text=line)


def _piped(lines: list[str], at: int) -> tuple[Node, int]:
    rows = [_cells(lines[at])]
    at += 2
    while at < len(lines) and "|" in lines[at]:
        rows.append(_cells(lines[at]))
        at += 1
    return Node(kind="table", rows=rows), at


def _is_delimiter(line: str, *, columns: int) -> bool:
    return "|" in line and DELIMITERS.fullmatch(line.strip()) is not None and len(_cells(line)) == columns


def _cells(line: str) -> list[str]:
    return [TAG.sub("", cell).strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _closing(lines: list[str], at: int, mark: str) -> int:
    for end in range(at + 1, len(lines)):
        if lines[end].strip() == mark:
            return end
    return len(lines)


def _indented(lines: list[str], at: int) -> tuple[list[str], int]:
    """The lines below a block that are deeper than it, without their first indentation."""
    end = at
    while end < len(lines) and (INDENTED.match(lines[end]) or not lines[end].strip()):
        end += 1
    inner = lines[at:end]
    width = min((len(line) - len(line.lstrip()) for line in inner if line.strip()), default=0)
    return [line[width:] for line in inner], end


def _dedented(lines: list[str], fence: str) -> list[str]:
    width = len(fence) - len(fence.lstrip())
    return [line[width:] if not line[:width].strip() else line for line in lines]


def _lines(node: Node, number: int) -> list[str]:
    match node.kind:
        case "code":
            return [f"```{node.language}", *node.text.split("\n"), "```"]
        case "equation":
            return ["$$", node.text, "$$"]
        case "divider":
            return ["---"]
        case "table":
            cells = [["<tr>", *(f"<td>{cell}</td>" for cell in row), "</tr>"] for row in node.rows]
            return ['<table header-row="true">', *(line for row in cells for line in row), "</table>"]
        case "to_do":
            return [f"- [{'x' if node.is_checked else ' '}] {node.text}"]
        case "bulleted_list_item":
            return [f"- {node.text}"]
        case "numbered_list_item":
            return [f"{number}. {node.text}"]
        case "quote":
            return [f"> {node.text}"]
        case "paragraph":
            return [node.text]
    return [f"{'#' * int(node.kind[-1])} {node.text}"]
