"""Reads the source of a diagram, in the languages that models write: Mermaid and Graphviz."""

import re
from dataclasses import replace
from functools import lru_cache

from services.diagrams import dot, flowchart, sequence, trees
from services.diagrams.diagram import LONGEST_SOURCE, Diagram, NotUnderstood, words
from services.safety.text import plain

LANGUAGES = frozenset({"mermaid", "dot", "graphviz", "gv"})
_LONGEST_LINE = 600
_MOST_LINES = 300
_COMMENT = re.compile(r"[ \t]*%%(?!\{).*")
_FRONT = re.compile(r"\A\s*---[ \t]*\n[ \t]*title:(?P<title>[^\n]*)\n---[ \t]*\n")


@lru_cache(maxsize=256)
def read(language: str, source: str) -> Diagram | None:
    """The diagram that this source is, or None for what is not understood: it stays code.

    language: as a fence names it, in lower case. What would fetch, run, link or style anything is never understood or
    passed over, so that no word of the source reaches the page but as the text of a label.
    """
    try:
        return _read(language, plain(source))
    except NotUnderstood:
        return None


def _read(language: str, source: str) -> Diagram:
    if language not in LANGUAGES or len(source) > LONGEST_SOURCE:
        raise NotUnderstood
    if language != "mermaid":
        return dot.read(source).build()
    front = _FRONT.match(source)
    title = words(front["title"].strip().strip("\"'")) if front else ""
    lines = [line for line in source[front.end() if front else 0 :].expandtabs(4).split("\n") if line.strip()]
    lines = [line.rstrip() for line in lines if not _COMMENT.fullmatch(line)]
    if not lines or len(lines) > _MOST_LINES or max(map(len, lines)) > _LONGEST_LINE:
        raise NotUnderstood
    diagram = _of_mermaid(lines[0].strip(), lines[1:])
    return diagram if diagram.title or not title else replace(diagram, title=title)


def _of_mermaid(header: str, lines: list[str]) -> Diagram:
    if found := flowchart.HEADER.fullmatch(header):
        return flowchart.read([line.strip() for line in lines], found).build()
    if trees.MINDMAP.fullmatch(header):
        return trees.read_mindmap(lines).build()
    if trees.TIMELINE.fullmatch(header):
        return trees.read_timeline(lines).build()
    if sequence.HEADER.fullmatch(header):
        return sequence.read(lines)
    raise NotUnderstood
