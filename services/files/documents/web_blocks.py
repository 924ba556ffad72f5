"""HTML reader: blocks of what a browser would show, with headings, lists, tables and formulas."""

import re
from collections.abc import Iterator
from typing import Any

from services.files.documents.office.package import damaged
from services.files.documents.sections import Block
from services.safety.rich_text.hidden import HIDDEN_STYLE
from services.safety.rich_text.html_tables import own_rows
from services.safety.rich_text.html_tree import LIST_MARK, say_signs

_UNSEEN = frozenset(
    [
        "script",
        "style",
        "template",
        "head",
        "title",
        "noscript",
        "iframe",
        "object",
        "svg",
        "select",
        "textarea",
        "button",
        "input",
        "nav",
    ]
)
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "td",
        "th",
        "tr",
        "ul",
    ]
)
_ELSEWHERE = re.compile(r"https?://[^\s()<>]{3,300}")
_PAINTED = re.compile(r"background")
_MOST_ELEMENTS = 200_000
_DEEPEST = 200


def web_blocks(html: str) -> Iterator[Block]:
    """Blocks of a page; raises `FileRefused` for one of far too many elements."""
    from lxml import etree
    from lxml import html as parser

    if html.count("<") > 2 * _MOST_ELEMENTS:
        raise damaged()
    try:
        root = parser.document_fromstring(
            html.encode(),
            parser=parser.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True),
        )
    except (etree.LxmlError, ValueError):
        return
    say_signs(root)
    reader = _Reader()
    reader.read(root, 0, is_painted=False)
    reader.end()
    yield from reader.blocks


class _Reader:
    """Collects blocks; `_line` is what was read since the last one."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._line: list[str] = []
        self._images = 0
        self._has_hidden = False

    def end(self, level: int = 0) -> None:
        lines = (" ".join(line.split()) for line in "".join(self._line).split("\n"))
        text = "\n".join(line for line in lines if line)
        if text or self._images:
            self.blocks.append(Block(text, level, "", self._images, self._has_hidden))
            self._images, self._has_hidden = 0, False
        self._line = []

    def read(self, element: Any, depth: int, *, is_painted: bool) -> None:
        """is_painted: a ground with a colour of its own lies below, on which white letters are seen."""
        style = element.get("style", "").casefold()
        is_painted = is_painted or bool(_PAINTED.search(style)) or bool(element.get("bgcolor"))
        tag = element.tag if isinstance(element.tag, str) else ""
        if tag in _UNSEEN or not tag:
            return
        if _is_hidden(element, style, is_painted=is_painted):
            self._has_hidden |= bool("".join(element.itertext()).strip())
            return
        if tag == "table" and depth < _DEEPEST:
            self._table(element)
        elif tag == "pre":
            self._pre(element)
        elif tag == "img":
            self._picture(element)
        elif tag == "br":
            self._line.append("\n")
        elif len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            self._heading(element, int(tag[1]), depth, is_painted=is_painted)
        else:
            self._children(element, tag, depth, is_painted=is_painted)

    def _children(self, element: Any, tag: str, depth: int, *, is_painted: bool) -> None:
        if tag in _BLOCKS:
            self.end()
            self._line.append(f"{element.get(LIST_MARK) or '-'} " if tag == "li" else "")
        start = len(self._line)
        self._text(element.text)
        for child in element.iterchildren() if depth < _DEEPEST else ():
            self.read(child, depth + 1, is_painted=is_painted)
            self._text(child.tail)
        if tag in _BLOCKS:
            self.end()
        elif tag == "a":
            self._link(element.get("href", ""), "".join(self._line[start:]))

    def _heading(self, element: Any, level: int, depth: int, *, is_painted: bool) -> None:
        """Heading on one line, even where blocks stand in it."""
        self.end()
        inner = _Reader()
        inner._children(element, "", depth, is_painted=is_painted)
        inner.end()
        self._line.append(" ".join(block.text.replace("\n", " ") for block in inner.blocks))
        self._images += sum(block.images for block in inner.blocks)
        self._has_hidden |= inner._has_hidden or any(block.has_hidden_text for block in inner.blocks)
        self.end(level)

    def _text(self, text: str | None) -> None:
        self._line.append(re.sub(r"\s+", " ", text or ""))

    def _link(self, address: str, words: str) -> None:
        """The address of a link behind its words, where it leads elsewhere and they do not say it themselves."""
        if _ELSEWHERE.fullmatch(address) and words.strip() and address not in words:
            self._line.append(f" ({address})")

    def _picture(self, picture: Any) -> None:
        words = " ".join((picture.get("alt") or "").split())
        if words.startswith("LaTeX:"):
            self._line.append(f" ${words.removeprefix('LaTeX:').strip()}$ ")
            return
        self._images += picture.get("role") != "presentation"
        if " " in words:
            self._line.append(f" [Picture: {words[:500]}] ")

    def _pre(self, element: Any) -> None:
        self.end()
        if text := "".join(element.itertext()).strip("\n"):
            self.blocks.append(Block(f"```\n{text}\n```"))

    def _table(self, table: Any) -> None:
        self.end()
        rows: list[str] = []
        for row in own_rows(table):
            cells = (" ".join(_cell(cell).split()) for cell in row.iterchildren("td", "th"))
            rows.append(f"| {' | '.join(cells)} |")
        self._images += sum(1 for _ in table.iter("img"))
        caption = (
            " ".join("".join(table.find("caption").itertext()).split()) if table.find("caption") is not None else ""
        )
        self.blocks.append(Block("\n".join([caption, *rows] if caption else rows), 0, "", self._images))
        self._images = 0


def _cell(cell: Any) -> str:
    inner = _Reader()
    inner.read(cell, _DEEPEST - 20, is_painted=True)
    inner.end()
    return " / ".join(block.text.replace("\n", " / ") for block in inner.blocks)


def _is_hidden(element: Any, style: str, *, is_painted: bool) -> bool:
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    found = HIDDEN_STYLE.search(style)
    return found is not None and not (is_painted and "color" in found[0])
