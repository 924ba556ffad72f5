"""Where diagrams stand in an answer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from services.diagrams.diagram import Diagram
from services.diagrams.reading import LANGUAGES, read
from services.safety.dialect import parse
from services.safety.markdown import LONGEST
from services.safety.text import plain

MOST = 6
"""Diagrams that are drawn of one answer; the rest stays code."""
_HINTS = tuple(f"{marks}{language}" for marks in ("```", "~~~") for language in ("mermaid", "dot", "graphviz", "gv"))


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A block of code that is a diagram, and its source as it was written."""

    source: str = field(repr=False)
    diagram: Diagram = field(repr=False)


def split(text: str) -> Sequence[str | Drawn]:
    """The text in pieces: Markdown, not sanitised, and the diagrams between. One piece when there are none.

    Only closed fences count that stand by themselves, not in a list or a quote.
    """
    return _split(text) if any(hint in text for hint in _HINTS) and len(text) <= LONGEST else [text]


@lru_cache(maxsize=128)
def _split(text: str) -> Sequence[str | Drawn]:
    lines = plain(text).split("\n")
    pieces: list[str | Drawn] = []
    at, drawn = 0, 0
    for token in parse("\n".join(lines)):
        if token.type != "fence" or token.level or token.map is None or drawn == MOST:
            continue
        start, end = token.map
        is_closed = lines[end - 1].strip().startswith(token.markup) and end - 1 > start
        language, *more = token.info.split() or [""]
        diagram = read(language, token.content) if is_closed and not more and language in LANGUAGES else None
        if diagram is not None:
            pieces += ["\n".join(lines[at:start]), Drawn(source=token.content.rstrip(), diagram=diagram)]
            at, drawn = end, drawn + 1
    pieces.append("\n".join(lines[at:]))
    return [piece for piece in pieces if isinstance(piece, Drawn) or piece.strip()]
