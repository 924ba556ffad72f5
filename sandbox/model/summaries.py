"""Quarantined summary: the demo model reads a stranger's page, quotes its first sentences and follows none of it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sandbox.model.deferred_tools import blocks_of
from sandbox.model.reply import Reply, Text

ASKS = re.compile(r"You sum up one page of the web")
PAGE = re.compile(r"^--- (?P<mark>\w+)\n(?P<text>.*)\n--- (?P=mark)$", re.DOTALL | re.MULTILINE)
SPANISH = re.compile(r"Write in Spanish\b")
MARKUP = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|https?://\S+|[*`|]+")
FRAME = re.compile(r"\s*[#|]")
"""A heading, or a row of a table."""
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[\"“¿¡(]?[A-ZÁÉÍÓÚÑ0-9])")
INSTRUCTS = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|rules)\b|\b(?:AI|assistants?|language models?)\b.{0,60}"
    r"\b(?:must|should|shall|now)\b|\b(?:assistants?|AI)\s*[:,]",
    re.IGNORECASE,
)
MOST_POINTS = 6
FEWEST_WORDS = 5
LONGEST = 280


def page_summary(body: Mapping[str, Any]) -> Reply | None:
    """The gist that is asked for; None for any other request."""
    system = "\n".join(block.get("text", "") for block in blocks_of({"content": body.get("system") or []}))
    if not ASKS.search(system):
        return None
    asked = "\n".join(block.get("text", "") for block in blocks_of(body["messages"][-1]))
    page = PAGE.search(asked)
    lines = _lines(page["text"] if page else "", is_spanish=SPANISH.search(asked) is not None)
    return Reply(blocks=(Text(text="\n".join(lines)),))


def _lines(page: str, *, is_spanish: bool) -> Iterator[str]:
    paragraphs = [" ".join(MARKUP.sub(r"\1", line).split()) for line in page.splitlines() if not FRAME.match(line)]
    honest = [paragraph for paragraph in paragraphs if not INSTRUCTS.search(paragraph)]
    told = [sentence for paragraph in honest for sentence in _sentences(paragraph)]
    if told:
        yield "Lo principal, en palabras de la página:" if is_spanish else "The main points, in the page's own words:"
    else:
        yield "La página apenas dice nada." if is_spanish else "The page says hardly anything."
    yield from (f"- “{sentence}”" for sentence in told[:MOST_POINTS])
    if len(honest) < len(paragraphs):
        yield (
            "- La página intenta dar instrucciones a los programas que la leen."
            if is_spanish
            else "- The page tries to give instructions to programs that read it."
        )


def _sentences(paragraph: str) -> Iterator[str]:
    """Whole sentences of running text, as they stand there."""
    for sentence in SENTENCE.split(paragraph):
        words = sentence.lstrip("- ").strip()
        if len(words.split()) >= FEWEST_WORDS and len(words) <= LONGEST:
            yield words
