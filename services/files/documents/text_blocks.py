"""Text reader: blocks of Markdown, LaTeX, notebooks, tables and plain text."""

import json
import re
from collections.abc import Iterator

from services.files.documents.sections import Block

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.+?)\s*#*\s*")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_TEX = re.compile(r"\\(part|chapter|section|subsection|subsubsection)\*?\{([^{}]{1,300})\}.*")
_TEX_LEVELS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4}
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
        return len(found[1]), found[2]
    if ending == "tex" and (found := _TEX.match(line.strip())):
        return _TEX_LEVELS[found[1]], found[2]
    return 0, ""


def _notebook(text: str) -> Iterator[Block]:
    """Cells of a Jupyter notebook: text as Markdown, code as code, without what it printed."""
    try:
        cells = json.loads(text)["cells"]
        sources = [(str(cell["cell_type"]), "".join(cell["source"])) for cell in cells]
    except (ValueError, KeyError, TypeError, RecursionError):
        yield from _marked(text, "txt")
        return
    for kind, source in sources:
        if kind == "markdown":
            yield from _marked(source, "md")
        elif source.strip():
            yield Block(f"```\n{source.strip()}\n```")
