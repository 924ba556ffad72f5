"""Diagram parser: find diagrams in an answer and parse them, in Mermaid or Graphviz."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from services.diagrams import graphviz, mermaid_charts, mermaid_sequence
from services.diagrams.diagram import LONGEST_SOURCE, Diagram, DiagramNotSupported, parse_label
from services.safety.markdown.parser import parse
from services.safety.markdown.sanitiser import LONGEST
from services.safety.text import plain

LANGUAGES = frozenset({"mermaid", "dot", "graphviz", "gv"})
_LONGEST_LINE = 600
_MOST_LINES = 300
_COMMENT = re.compile(r"[ \t]*%%(?!\{).*")
_FRONT = re.compile(r"\A\s*---[ \t]*\n[ \t]*title:(?P<title>[^\n]*)\n---[ \t]*\n")
MOST = 6
"""Diagrams that are drawn of one answer; the rest stays code."""
_HINTS = tuple(f"{marks}{language}" for marks in ("```", "~~~") for language in ("mermaid", "dot", "graphviz", "gv"))


@lru_cache(maxsize=256)
def parse_diagram(language: str, source: str) -> Diagram | None:
    """Parse a source; None for what is not supported, which stays code.

    language: as a fence names it, in lower case. What would fetch, run, link or style anything is never understood or
    passed over, so that no word of the source reaches the page but as the text of a label.
    """
    try:
        return _read(language, plain(source))
    except DiagramNotSupported:
        return None


def _read(language: str, source: str) -> Diagram:
    if language not in LANGUAGES or len(source) > LONGEST_SOURCE:
        raise DiagramNotSupported
    if language != "mermaid":
        return graphviz.parse_graphviz(source).build()
    front = _FRONT.match(source)
    title = parse_label(front["title"].strip().strip("\"'")) if front else ""
    lines = [line for line in source[front.end() if front else 0 :].expandtabs(4).split("\n") if line.strip()]
    lines = [line.rstrip() for line in lines if not _COMMENT.fullmatch(line)]
    if not lines or len(lines) > _MOST_LINES or max(map(len, lines)) > _LONGEST_LINE:
        raise DiagramNotSupported
    diagram = _of_mermaid(lines[0].strip(), lines[1:])
    return diagram if diagram.title or not title else replace(diagram, title=title)


def _of_mermaid(header: str, lines: list[str]) -> Diagram:
    if found := mermaid_charts.HEADER.fullmatch(header):
        return mermaid_charts.parse_flowchart([line.strip() for line in lines], found).build()
    if mermaid_charts.MINDMAP.fullmatch(header):
        return mermaid_charts.parse_mindmap(lines).build()
    if mermaid_charts.TIMELINE.fullmatch(header):
        return mermaid_charts.parse_timeline(lines).build()
    if mermaid_sequence.HEADER.fullmatch(header):
        return mermaid_sequence.parse_sequence(lines)
    raise DiagramNotSupported


@dataclass(frozen=True, kw_only=True)
class DiagramBlock:
    """Code block that is a diagram, with its source."""

    source: str = field(repr=False)
    diagram: Diagram = field(repr=False)


def split_diagrams(text: str) -> Sequence[str | DiagramBlock]:
    """Split a text into Markdown, not sanitised, and the diagrams between. One piece when there are none.

    Only closed fences count that stand by themselves, not in a list or a quote.
    """
    return _split(text) if any(hint in text for hint in _HINTS) and len(text) <= LONGEST else [text]


@lru_cache(maxsize=128)
def _split(text: str) -> Sequence[str | DiagramBlock]:
    lines = plain(text).split("\n")
    pieces: list[str | DiagramBlock] = []
    at, drawn = 0, 0
    for token in parse("\n".join(lines)):
        if token.type != "fence" or token.level or token.map is None or drawn == MOST:
            continue
        start, end = token.map
        is_closed = lines[end - 1].strip().startswith(token.markup) and end - 1 > start
        language, *more = token.info.split() or [""]
        diagram = parse_diagram(language, token.content) if is_closed and not more and language in LANGUAGES else None
        if diagram is not None:
            pieces += ["\n".join(lines[at:start]), DiagramBlock(source=token.content.rstrip(), diagram=diagram)]
            at, drawn = end, drawn + 1
    pieces.append("\n".join(lines[at:]))
    return [piece for piece in pieces if isinstance(piece, DiagramBlock) or piece.strip()]
