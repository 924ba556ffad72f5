"""Summaries: the record of a long conversation, and the gist of a stranger's page, whose words are not followed."""

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


ASKS_FOR_RECORD = re.compile(r"You keep the record of a conversation")


PART = re.compile(r"<(record|conversation)>\n(.*?)\n</\1>", re.DOTALL)


SAID = re.compile(r"\[(?P<seq>\d+)\] (?P<who>Student|Call|Result|Assistant)(?: \((?P<at>[^)]*)\))?[: ]\s*(?P<text>.*)")


FACT = re.compile(r"\bid: |\(id\b|\b20\d\d\b|\bdue\b", re.IGNORECASE)


DECIDED = re.compile(r"\b(?:declined|approved|waits for|put aside|did not decide|undid)\b", re.IGNORECASE)


LONGEST_LINE = 160


MOST_LINES = 40


def compacted(body: Mapping[str, Any]) -> Reply | None:
    """The record that is asked for; None for any other request."""
    system = "\n".join(block.get("text", "") for block in blocks_of({"content": body.get("system") or []}))
    if not ASKS_FOR_RECORD.search(system):
        return None
    text = "\n".join(block.get("text", "") for block in blocks_of(body["messages"][-1]))
    parts = {found[1]: found[2] for found in PART.finditer(text)}
    before = [line for line in parts.get("record", "").splitlines() if line.startswith("- ")]
    lines = dict.fromkeys([*before, *_record_lines(parts.get("conversation", ""))])
    return Reply(blocks=(Text(text="\n".join(["Facts and ids", *list(lines)[-MOST_LINES:]])),))


def _record_lines(conversation: str) -> Iterator[str]:
    who = ""
    for line in conversation.splitlines():
        found = SAID.match(line)
        who = found["who"] if found else who
        words = " ".join((found["text"] if found else line).split())
        if found and who == "Student":
            yield f"- The student wrote: {_shortened(words)}"
        elif who in ("Result", "Assistant") and (FACT.search(words) or DECIDED.search(words)):
            yield f"- {_shortened(words.removeprefix('- '))}"


def _shortened(words: str) -> str:
    """Its beginning and its end, where the ids stand."""
    half = LONGEST_LINE // 2
    return words if len(words) <= LONGEST_LINE else f"{words[:half]} … {words[-half:]}"
