"""Blocks of an answer's text, sanitised and ready to insert: HTML, or a diagram with its labels."""

from collections.abc import Mapping
from typing import Any

from services.conversations.answer_rows import Tones, split_rows
from services.diagrams.parser import DiagramBlock, split_diagrams
from services.diagrams.renderer import summary_of, to_mermaid, to_text_lines
from services.safety.markdown.html import to_html
from services.safety.markdown.parser import parse
from services.safety.markdown.sanitiser import sanitise, write
from services.safety.markdown.unfinished import without_unfinished
from services.safety.text import plain

Block = Mapping[str, Any]
SHORTEST_FINISHED = 200
"""Characters; to look for the end of a block in fewer would cost more than it shows."""


def blocks_of(text: str, addresses: frozenset[str], tones: Tones | None = None) -> list[Block]:
    """Blocks of a finished text. addresses: those that may be links. tones: of the student's courses; None where a
    list is never drawn as rows.
    """
    blocks: list[Block] = []
    for piece in split_diagrams(text):
        if isinstance(piece, DiagramBlock):
            blocks.append(_diagram(piece))
        else:
            blocks += [{"kind": "html", "html": html} for html in _html(sanitise(piece, allowed=addresses), tones)]
    return blocks


def growing_html(text: str, addresses: frozenset[str], tones: Tones) -> str:
    """HTML of a block that still grows; what has only begun (`![`, a link, a fence) is held back."""
    written = write(without_unfinished(plain(text)), allowed=addresses)
    return "".join(_html(written, tones, is_growing=True))


def _html(markdown: str, tones: Tones | None, *, is_growing: bool = False) -> list[str]:
    if tones is None:
        return to_html(markdown)
    pieces = split_rows(markdown, tones, is_growing=is_growing)
    return [html for piece in pieces for html in ([piece.rows] if piece.rows else to_html(piece.markdown))]


def begins_paragraph(text: str) -> bool:
    """Whether the last line stands below an empty one and can only be a paragraph: it begins with a letter."""
    at = text.rfind("\n") + 1
    return text[at : at + 1].isalpha() and text[:at].endswith("\n\n")


def finished_length(text: str) -> int:
    """Number of characters before the last block that has begun: those will not change any more."""
    complete = text if begins_paragraph(text) else text[: text.rfind("\n") + 1]
    if len(complete) < SHORTEST_FINISHED or "\n\n" not in complete:
        return 0
    starts = [token.map[0] for token in parse(complete) if token.level == 0 and token.map and token.nesting >= 0]
    return len("".join(complete.splitlines(keepends=True)[: starts[-1]])) if starts else 0


def _diagram(block: DiagramBlock) -> Block:
    diagram = block.diagram
    return {
        "kind": "diagram",
        "title": diagram.title or "",
        "mermaid": to_mermaid(diagram, summary=summary_of(diagram)),
        "lines": list(to_text_lines(diagram)),
        "source": plain(block.source),
    }
