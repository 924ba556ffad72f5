"""Text reader: blocks of Markdown, LaTeX, notebooks, tables and plain text."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from services.files.documents.sections import Block
from services.files.documents.web_blocks import web_blocks
from services.files.upload import FileRefused

_HEADING = re.compile(r" {0,3}(#{1,6})\s++(.+)")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_TEX = re.compile(r"\\(part|chapter|section|subsection|subsubsection)\*?\{([^{}]{1,300})\}.*")
_TEX_LEVELS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4}
_CONTROL = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
"""Colours of a terminal."""
_MOST_OUTPUTS = 100
_LONGEST_OUTPUT = 4_000
_LONGEST_PAGE_SHOWN = 200_000
MARKDOWN = ("md", "markdown", "rmd", "qmd")


def text_blocks(text: str, ending: str) -> Iterator[Block]:
    """Paragraphs and headings. ending: the file's extension, which says what marks a heading."""
    if ending == "ipynb":
        yield from _notebook(text)
    else:
        yield from _marked(text, ending)


def _marked(text: str, ending: str) -> Iterator[Block]:
    paragraph: list[str] = []
    fence = ""
    for line in text.splitlines():
        is_fenced = bool(fence)
        if ending in MARKDOWN and (mark := _FENCE.match(line)):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        level, title = (0, "") if is_fenced or fence else _heading(line, ending)
        if level or (not line.strip() and not fence) or len(paragraph) >= 60:
            if paragraph:
                yield Block("\n".join(paragraph))
            paragraph = []
        if level:
            yield Block(title, level)
        elif line.strip() or fence:
            paragraph.append(line.rstrip())
    if paragraph:
        yield Block("\n".join(paragraph))


def _heading(line: str, ending: str) -> tuple[int, str]:
    if ending in MARKDOWN and (found := _HEADING.fullmatch(line)):
        return len(found[1]), found[2].rstrip().rstrip("#").rstrip() or found[2][0]
    if ending == "tex" and (found := _TEX.match(line.strip())):
        return _TEX_LEVELS[found[1]], found[2]
    return 0, ""


def _notebook(text: str) -> Iterator[Block]:
    """Cells of a Jupyter notebook: text as Markdown, code as code, and what it printed or showed."""
    try:
        cells = json.loads(text)["cells"]
        sources = [(str(cell["cell_type"]), "".join(cell["source"]), cell.get("outputs")) for cell in cells]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        yield from _marked(text, "txt")
        return
    for kind, source, outputs in sources:
        if kind == "markdown":
            yield from _marked(source, "md")
        elif source.strip():
            yield Block(f"```\n{source.strip()}\n```")
        for output in outputs[:_MOST_OUTPUTS] if isinstance(outputs, list) else ():
            if isinstance(output, dict):
                yield from _output(output)


def _output(output: Mapping[str, Any]) -> Iterator[Block]:
    """What a cell printed, showed, or failed with; warnings beside it are left out."""
    forms = output.get("data")
    forms = forms if isinstance(forms, dict) else {}
    if page := _joined(forms.get("text/html")):
        try:
            yield from web_blocks(page[:_LONGEST_PAGE_SHOWN])
        except FileRefused:
            yield Block("[an output that was not read]")
        return
    if formatted := _joined(forms.get("text/markdown")) or _joined(forms.get("text/latex")):
        yield from _marked(formatted[:_LONGEST_OUTPUT], "md")
        return
    printed = _joined(forms.get("text/plain")) or (
        "" if output.get("name") == "stderr" else _joined(output.get("text"))
    )
    failure = f"{output.get('ename')}: {_joined(output.get('evalue'))}" if output.get("output_type") == "error" else ""
    has_picture = any(str(form).startswith("image/") for form in forms)
    if has_picture:
        yield Block("[a picture that the code drew]", images=1)
    elif shown := _CONTROL.sub("", printed or failure).strip():
        yield Block(f"Output:\n```\n{shown[:_LONGEST_OUTPUT]}\n```")


def _joined(text: object) -> str:
    """A text of a notebook, which is kept whole or as a list of its lines."""
    if isinstance(text, list):
        return "".join(line for line in text if isinstance(line, str))
    return text if isinstance(text, str) else ""
