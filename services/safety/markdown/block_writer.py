"""Markdown block writer: paragraphs, headings, lists, quotes, tables, code, formulas and footnotes, written anew."""

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

from services.safety.markdown.escape import escaped
from services.safety.markdown.formulas import write_formula
from services.safety.markdown.inline_writer import InlineWriter, footnote_label

_DEEPEST = 40
_WIDEST_TABLE = 50
_LANGUAGE = re.compile(r"[A-Za-z][\w+#.-]{0,29}", re.ASCII)
_TASK = re.compile(r"\[[ xX]\] (?=\S)")
_ALIGNED = {"text-align:left": ":---", "text-align:center": ":---:", "text-align:right": "---:"}
_CONTAINERS = re.compile(r"(blockquote|bullet_list|ordered_list|list_item|footnote_reference|table)_(open|close)")


@dataclass
class _Open:
    """Container that is still open: its kind, and the blocks written inside so far."""

    kind: str
    token: Token | None = None
    is_too_deep: bool = False
    is_tight: bool = True
    blocks: list["_Block"] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)


@dataclass(frozen=True)
class _Block:
    kind: str
    text: str


class BlockWriter:
    """Writer of the tokens of one text."""

    def __init__(self, allowed: Container[str]) -> None:
        self._inline = InlineWriter(allowed)
        self._open = [_Open("root")]

    def write(self, tokens: Sequence[Token]) -> list[str]:
        """The top-level blocks, to be joined by an empty line."""
        for token, following in zip(tokens, [*tokens[1:], None], strict=False):
            self._read(token, following)
        return [block.text for block in self._open[0].blocks]

    def _read(self, token: Token, following: Token | None) -> None:
        children = following.children or [] if following else []
        match token.type:
            case "paragraph_open":
                self._paragraph(children, is_tight=token.hidden)
            case "heading_open":
                words = self._inline.write(children, one_line=True)
                self._put("heading", words and f"{'#' * int(token.tag[1])} {words}")
            case "fence" | "code_block":
                self._put("fence", fence(token.content, _language(token.info)))
            case "math_block":
                self._formula(token.content)
            case "hr":
                self._put("hr", "___")
            case "tr_open":
                self._open[-1].rows.append([])
            case "th_open" | "td_open":
                self._open[-1].rows[-1].append(self._inline.write(children, in_table=True))
                if token.type == "th_open":
                    self._open[-1].blocks.append(_Block("alignment", str(token.attrs.get("style", ""))))
            case _ if _CONTAINERS.fullmatch(token.type):
                self._enter_or_leave(token)

    def _paragraph(self, children: Sequence[Token], *, is_tight: bool) -> None:
        parent = self._open[-1]
        task = ""
        if parent.kind == "list_item":
            self._open[-2].is_tight &= is_tight
            if not parent.blocks and children and (match := _TASK.match(children[0].content)):
                task = match[0]
                children = [_without(children[0], len(task)), *children[1:]]
        words = self._inline.write(children)
        self._put("paragraph", words and task + words)

    def _formula(self, content: str) -> None:
        if self._inline.formula(content):
            self._put("math", f"$$\n{write_formula(content)}\n$$")
        else:
            self._put("fence", fence(content.strip("\n"), "latex"))

    def _put(self, kind: str, text: str) -> None:
        if text:
            self._open[-1].blocks.append(_Block(kind, text))

    def _enter_or_leave(self, token: Token) -> None:
        kind = token.type.rpartition("_")[0]
        if token.nesting == 1:
            is_too_deep = self._open[-1].is_too_deep if kind == "list_item" else len(self._open) > _DEEPEST
            self._open.append(_Open(kind, token, is_too_deep))
            return
        container = self._open.pop()
        if container.is_too_deep and kind != "table":
            self._open[-1].blocks += container.blocks
        else:
            self._put(kind, _WRITERS[kind](container))


def _blockquote(container: _Open) -> str:
    body = "\n\n".join(block.text for block in container.blocks)
    return "\n".join(f"> {line}" if line else ">" for line in body.split("\n")) if body else ""


def _item(container: _Open) -> str:
    """An item without its marker; the list decides which blocks follow one another closely."""
    text = ""
    for before, block in zip([None, *container.blocks], container.blocks, strict=False):
        text += block.text if before is None else ("\n" if _follows_closely(before, block) else "\n\n") + block.text
    return text or " "


def _follows_closely(before: _Block, block: _Block) -> bool:
    """True when no empty line is needed between the two, so that a tight list stays tight."""
    if before.kind in ("heading", "fence", "hr"):
        return True
    if block.kind == "ordered_list":
        return before.kind == "paragraph" and block.text.startswith(("1. ", "1) "))
    return before.kind == "paragraph" and block.kind in ("bullet_list", "fence", "heading", "blockquote", "hr")


def _list(container: _Open) -> str:
    assert container.token is not None
    is_ordered = container.kind == "ordered_list"
    start = int(container.token.attrs.get("start", 1))
    items = []
    for number, block in enumerate(container.blocks, start):
        marker = f"{number if is_ordered else ''}{container.token.markup} "
        items.append((marker + _indented(block.text, len(marker))).rstrip())
    return ("\n" if container.is_tight else "\n\n").join(items)


def _footnote(container: _Open) -> str:
    assert container.token is not None
    label = container.token.meta["label"]
    body = "\n\n".join(block.text for block in container.blocks)
    if footnote_label(label):
        return f"[^{label}]: {_indented(body, 4)}".rstrip()
    return f"{escaped(f'[^{label}]:')}\n\n{body}"


def _indented(text: str, width: int) -> str:
    return re.sub(r"\n(?=[^\n])", "\n" + " " * width, text)


def _table(container: _Open) -> str:
    alignments = [_ALIGNED.get(block.text, "---") for block in container.blocks][:_WIDEST_TABLE]
    head, *body = (row[: len(alignments)] for row in container.rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, alignments, *body))


_WRITERS = {
    "blockquote": _blockquote,
    "bullet_list": _list,
    "ordered_list": _list,
    "list_item": _item,
    "footnote_reference": _footnote,
    "table": _table,
}


def fence(content: str, language: str) -> str:
    """A code block, with a fence longer than any in it."""
    marks = "`" * (max((len(run) for run in re.findall("`{3,}", content)), default=2) + 1)
    return f"{marks}{language}\n{content}{'' if content.endswith(chr(10)) or not content else chr(10)}{marks}"


def _language(info: str) -> str:
    """The language for the highlighter. A diagram from outside stays code: drawing one may fetch what it names."""
    words = unescapeAll(info).split()
    if not words:
        return ""
    if not _LANGUAGE.fullmatch(words[0]) or "mermaid" in words[0].lower():
        return "text"
    return "latex" if words[0].lower() == "math" else words[0]


def _without(token: Token, start: int) -> Token:
    return token.copy(content=token.content[start:])
