"""The body of a source as blocks: CommonMark with tables, sub- and superscripts, slides, columns, notes and figures."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.subscript import sub_plugin
from mdit_py_plugins.superscript import superscript_plugin

from sandbox.canvas.documents.blocks import (
    Block,
    CodeBlock,
    Figure,
    Formula,
    Heading,
    Invisible,
    Leaf,
    Listing,
    Paragraph,
    Quotation,
    Run,
    Runs,
    Table,
    words,
)

BREAK = re.compile(r"^---[ \t]*$", re.MULTILINE)
FENCE = re.compile(r"^(```|~~~)")
ALONE = re.compile(r"\$\$|Table:")
"""Lines that are a paragraph of their own, also without an empty line before them."""
TITLE = re.compile(r"# [^\n]+(\n+(?![-#|$`>{]|\d+\. )[^\n]+){0,4}")
FORMULA = re.compile(r"^\$\$\s*+(.*?)(?:(?<!\s)\s*+\$\$)?(?:(?<!\s)\s{2,}+\((\d[\w.]*)\))?(?:(?<!\s)\s*+\$\$)?$")
SCRIPTS = re.compile(r"([_^])(?:\{([^{}]*)\}|(\w+))")
OWN_LINKS = ("file:", "page:")
SHIFTS = {"sub": -1, "sup": 1}


def leaves(body: str, *, is_slides: bool = False) -> list[Leaf]:
    """The leaves of a body: what stands between lines of three hyphens. is_slides: lines of a title keep apart."""
    return [_leaf(text, is_slides=is_slides) for text in _split(body)]


def _split(body: str) -> Iterator[str]:
    lines: list[str] = []
    fence = ""
    for line in body.strip("\n").split("\n"):
        mark = FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        if not fence and BREAK.match(line):
            yield "\n".join(lines)
            lines = []
        elif not fence and ALONE.match(line):
            lines += ["", line, ""] if line.startswith("$$") else ["", line]
        else:
            lines.append(line)
    yield "\n".join(lines)


def _leaf(text: str, *, is_slides: bool) -> Leaf:
    text, _, notes = ("\n" + text).partition("\nNotes:")
    marks = {mark: bool(re.search(rf"^\{{{mark}\}}[ \t]*$", text, re.MULTILINE)) for mark in ("hidden", "small")}
    text = re.sub(r"^\{(?:hidden|small)\}[ \t]*$", "", text, flags=re.MULTILINE)
    if is_slides and TITLE.fullmatch(text.strip()):
        text = "\n\n".join(text.split("\n"))
    left, _, right = text.partition("\n|||\n")
    return Leaf(
        blocks=tuple(blocks(left)),
        right=tuple(blocks(right)),
        notes="\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", notes.strip())),
        is_hidden=marks["hidden"],
        is_small=marks["small"],
    )


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    allows = parser.validateLink
    # Sources name each other by "file:SLUG" and "page:SLUG", which a browser would take for addresses.
    parser.validateLink = lambda url: url.startswith(OWN_LINKS) or allows(url)  # type: ignore[method-assign]
    return parser.use(sub_plugin).use(superscript_plugin)


def blocks(text: str) -> list[Block]:
    """The blocks of a piece of Markdown."""
    found = list(_blocks(SyntaxTreeNode(_parser().parse(text)).children))
    return _with_captions(found)


def _with_captions(found: list[Block]) -> list[Block]:
    # "Table: …" under a table is its caption.
    result: list[Block] = []
    for block in found:
        last = result[-1] if result else None
        if isinstance(block, Paragraph) and isinstance(last, Table) and words(block.runs).startswith("Table:"):
            first, *rest = block.runs
            result[-1] = replace(last, caption=(replace(first, text=first.text.removeprefix("Table:").lstrip()), *rest))
        else:
            result.append(block)
    return result


def _blocks(nodes: Sequence[SyntaxTreeNode]) -> Iterator[Block]:
    for node in nodes:
        if node.type == "heading":
            yield Heading(level=int(node.tag[1]), runs=_runs(node))
        elif node.type == "paragraph":
            yield from _paragraph(node)
        elif node.type in ("bullet_list", "ordered_list"):
            start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
            yield Listing(items=[list(_blocks(item.children)) for item in node.children], start=start)
        elif node.type == "fence" and node.info.strip() == "figure":
            yield _figure(node.content)
        elif node.type in ("fence", "code_block"):
            yield CodeBlock(text=node.content.rstrip("\n"))
        elif node.type == "blockquote":
            yield Quotation(blocks=list(_blocks(node.children)))
        elif node.type == "table":
            yield Table(
                rows=[[_runs(cell) for cell in row.children] for part in node.children for row in part.children]
            )
        else:
            raise ValueError(f"no layout for {node.type}")


def _paragraph(node: SyntaxTreeNode) -> Iterator[Block]:
    source = node.children[0].content
    formula = FORMULA.match(source.replace("\n", " "))
    if formula:
        yield Formula(runs=_scripts(formula[1]), number=formula[2] or "")
    elif source.startswith("{invisible}"):
        yield Invisible(text=source.removeprefix("{invisible}").strip().replace("\n", " "))
    else:
        yield Paragraph(runs=_runs(node))


def _figure(text: str) -> Figure:
    facts = tomllib.loads(text)
    return Figure(kind=facts.pop("kind"), caption=facts.pop("caption", ""), facts=facts)


def _scripts(text: str) -> Runs:
    """A formula's text, with what stands after _ and ^ set below and above the line; letters lean."""
    runs: list[Run] = []
    end = 0
    for match in SCRIPTS.finditer(text):
        runs.append(Run(text=text[end : match.start()]))
        runs.append(Run(text=match[2] if match[2] is not None else match[3], shift=1 if match[1] == "^" else -1))
        end = match.end()
    return [run for run in [*runs, Run(text=text[end:])] if run.text]


def _runs(node: SyntaxTreeNode) -> Runs:
    inline = node.children[0] if node.children else None
    return _merged(_inline(inline.children, Run(text=""))) if inline else []


def _inline(nodes: Sequence[SyntaxTreeNode], look: Run) -> Iterator[Run]:
    for node in nodes:
        if node.type == "text":
            yield replace(look, text=node.content)
        elif node.type == "softbreak":
            yield replace(look, text=" ")
        elif node.type == "hardbreak":
            yield replace(look, text="\n")
        elif node.type == "code_inline":
            yield replace(look, text=node.content, is_code=True)
        elif node.type == "strong":
            yield from _inline(node.children, replace(look, is_bold=True))
        elif node.type == "em":
            yield from _inline(node.children, replace(look, is_italic=True))
        elif node.type == "link":
            yield from _inline(node.children, replace(look, link=str(node.attrs["href"])))
        elif node.type in SHIFTS:
            inner = node.children or [node]
            if node.children:
                yield from _inline(inner, replace(look, shift=SHIFTS[node.type]))
            else:
                yield replace(look, text=node.content, shift=SHIFTS[node.type])
        else:
            raise ValueError(f"no layout for {node.type}")


def _merged(runs: Iterator[Run]) -> Runs:
    result: list[Run] = []
    for run in runs:
        if result and replace(result[-1], text="") == replace(run, text=""):
            result[-1] = replace(run, text=result[-1].text + run.text)
        elif run.text:
            result.append(run)
    return result
