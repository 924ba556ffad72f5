"""Blocks as HTML: the body of a Canvas page, and a whole page as a file."""

import base64
from collections.abc import Callable, Sequence
from html import escape

from sandbox.canvas.documents.blocks import (
    Block,
    CodeBlock,
    Figure,
    Formula,
    Heading,
    Invisible,
    Listing,
    Paragraph,
    Quotation,
    Run,
    Runs,
    Table,
)
from sandbox.canvas.documents.pictures import figure_png
from sandbox.canvas.documents.source import Source

Link = Callable[[str], str]
STYLE = (
    "body{font:16px/1.5 Georgia,serif;max-width:42em;margin:2em auto}"
    "table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.3em .6em}"
)


def page_file(source: Source) -> bytes:
    """The source as an HTML file of its own."""
    language = source.head.get("language", "en")
    title = f"<meta charset='utf-8'><title>{escape(source.title)}</title>"
    head = f"<!doctype html>\n<html lang='{escape(language)}'>\n<head>{title}"
    by = f"<p><small>{escape(source.subtitle)} · {escape(source.author)}</small></p>"
    return f"{head}<style>{STYLE}</style></head>\n<body>\n{fragment(source)}\n{by}\n</body>\n</html>\n".encode()


def login_page(source: Source) -> bytes:
    """The sign-in page that some servers send in place of a file, with status 200."""
    form = (
        "<form method='post' action='/idp/login'><label>User name <input name='user'></label> "
        "<label>Password <input name='secret' type='password'></label> <button>Sign in</button></form>"
    )
    head = f"<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>Sign in</title><style>{STYLE}</style>"
    return f"{head}</head>\n<body>\n{fragment(source)}\n{form}\n</body></html>\n".encode()


def fragment(source: Source, link: Link = lambda address: address) -> str:
    """The source's blocks as HTML; `link` makes addresses of what links name."""
    parts = (html([*leaf.blocks, *leaf.right], link) for leaf in source.leaves)
    return "\n<hr>\n".join(parts)


def html(blocks: Sequence[Block], link: Link) -> str:
    """Blocks as HTML."""
    return "\n".join(_block(block, link) for block in blocks)


def _block(block: Block, link: Link) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{_runs(block.runs, link)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{_runs(block.runs, link)}</p>"
    if isinstance(block, Listing):
        items = "".join(f"<li>{_item(item, link)}</li>" for item in block.items)
        return f"<ul>{items}</ul>" if block.start is None else f'<ol start="{block.start}">{items}</ol>'
    if isinstance(block, CodeBlock):
        return f"<pre><code>{escape(block.text)}</code></pre>"
    if isinstance(block, Quotation):
        return f"<blockquote>{html(block.blocks, link)}</blockquote>"
    if isinstance(block, Table):
        return _table(block, link)
    if isinstance(block, Formula):
        number = f" ({escape(block.number)})" if block.number else ""
        return f'<p style="text-align: center;"><em>{_runs(block.runs, link)}</em>{number}</p>'
    if isinstance(block, Figure):
        picture = base64.b64encode(figure_png(block)).decode()
        image = f'<img src="data:image/png;base64,{picture}" alt="{escape(block.caption)}" width="470">'
        return f"<figure>{image}<figcaption>{escape(block.caption)}</figcaption></figure>"
    return _invisible(block)


def _item(blocks: Sequence[Block], link: Link) -> str:
    first = blocks[0] if blocks else None
    if isinstance(first, Paragraph):
        return _runs(first.runs, link) + html(blocks[1:], link)
    return html(blocks, link)


def _table(table: Table, link: Link) -> str:
    head, *rows = table.rows
    caption = f"<caption>{_runs(table.caption, link)}</caption>" if table.caption else ""
    top = "".join(f"<th>{_runs(cell, link)}</th>" for cell in head)
    lines = ("".join(f"<td>{_runs(cell, link)}</td>" for cell in row) for row in rows)
    return f"<table>{caption}<tr>{top}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _invisible(block: Invisible) -> str:
    return f'<p style="color: #ffffff; font-size: 1px;">{escape(block.text)}</p>'


def _runs(runs: Runs, link: Link) -> str:
    return "".join(_run(run, link) for run in runs)


def _run(run: Run, link: Link) -> str:
    text = escape(run.text).replace("\n", "<br>")
    for tag, is_set in (
        ("code", run.is_code),
        ("sup", run.shift > 0),
        ("sub", run.shift < 0),
        ("em", run.is_italic),
        ("strong", run.is_bold),
    ):
        text = f"<{tag}>{text}</{tag}>" if is_set else text
    return f'<a href="{escape(link(run.link))}">{text}</a>' if run.link else text
