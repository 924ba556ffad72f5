"""Citations: tool results as blocks that the model can cite, and the places in its answers that cite them.

A line of a result that links to one of the result's sources goes to the model as a `search_result` block, with the
quoted lines ("> …") right below it, a text block for each paragraph; Claude then says for each piece of its answer
which of them it is from.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from services.llm.messages import Block, StoredMessage, text_block

_MARKER = re.compile(r"\s*(?:[-*] |\d+\. )?")
"""What a line of a list begins with."""
_QUOTE = ">"
_BETWEEN = re.compile(r"\n\s*\n")
LONGEST_QUOTE = 160


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a fact came from: a title and the address a person can open."""

    title: str
    url: str


@dataclass(frozen=True, kw_only=True)
class Citation:
    """Place in a text: what stands before `at` (in characters) is from this source.

    quote: the source's own words for it, shortened by `shorten_quote`; "" when they are not known.
    """

    at: int
    source: Source
    quote: str = field(default="", repr=False)


def shorten_quote(words: str) -> str:
    """One line of at most `LONGEST_QUOTE` characters: a longer quote keeps its beginning and its end, "…" between."""
    line = " ".join(words.split())
    if len(line) <= LONGEST_QUOTE:
        return line
    begin, end = line[: LONGEST_QUOTE * 5 // 8].rpartition(" "), line[-LONGEST_QUOTE // 4 :].partition(" ")
    return f"{begin[0] or begin[2]} … {end[2] or end[0]}"


def citable_blocks(output: str, sources: Sequence[Source]) -> list[Block]:
    """Split a result's output into blocks; their texts on lines of their own are the output, but for blank lines."""
    blocks: list[Block] = []
    plain: list[str] = []
    lines = output.splitlines()
    for at, line in enumerate(lines):
        is_quoted = line.startswith(_QUOTE)
        if is_quoted and not plain and blocks:
            continue
        # A longer address may begin with another one's. What is quoted names no source of ours.
        fitting = [source for source in sources if source.url and f"({source.url})" in line and not is_quoted]
        if not fitting:
            plain.append(line)
            continue
        blocks += _plain(plain)
        plain = []
        blocks.append(_search_result(line, fitting[0], _quoted_paragraphs(lines[at + 1 :])))
    return blocks + _plain(plain)


def quoted_lines(text: str) -> list[str]:
    """Lines of a result that quote a text; its paragraphs have an empty one between them."""
    return [f"{_QUOTE} {line}".rstrip() for line in text.splitlines()]


def with_short_results(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Cut title and link out of the line of each `search_result` block, which has them as fields of its own."""
    return [{**message, "content": [_with_short_parts(block) for block in message["content"]]} for message in messages]


def without_search_results(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Replace `search_result` blocks by text, for a model that does not take them."""
    return [{**message, "content": [_without_citations(block) for block in message["content"]]} for message in messages]


def read_citations(written: Iterable[Mapping[str, Any]], block: int) -> tuple[Citation, ...]:
    """Read the citations of one block from what `write_citations` wrote for a message."""
    return tuple(
        Citation(
            at=citation["at"],
            source=Source(title=citation["title"], url=citation["url"]),
            quote=citation.get("quote", ""),
        )
        for citation in written
        if citation["block"] == block
    )


def cited_sources(messages: Iterable[StoredMessage]) -> list[Source]:
    """Sources that messages cite, each once, in the order in which they were cited first."""
    found: dict[str, Source] = {}
    for message in messages:
        for citation in message.meta.get("cited", ()):
            found.setdefault(citation["url"], Source(title=citation["title"], url=citation["url"]))
    return list(found.values())


def backed_citations(
    cited: Mapping[int, Sequence[Citation]], messages: Iterable[Mapping[str, Any]]
) -> dict[int, list[Citation]]:
    """Leave out citations of a source that no tool result of the request holds: nothing says that it exists."""
    known = {
        part["source"]
        for message in messages
        for block in message["content"]
        if block["type"] == "tool_result" and not isinstance(block["content"], str)
        for part in block["content"]
        if part["type"] == "search_result"
    }
    backed = {block: [citation for citation in found if citation.source.url in known] for block, found in cited.items()}
    return {block: found for block, found in backed.items() if found}


def write_citations(cited: Mapping[int, Sequence[Citation]]) -> list[dict[str, Any]]:
    """Serialize citations by the number of their block, as plain JSON for a message's meta."""
    return [
        {
            "block": block,
            "at": citation.at,
            "title": citation.source.title,
            "url": citation.source.url,
            **({"quote": citation.quote} if citation.quote else {}),
        }
        for block, citations in cited.items()
        for citation in citations
    ]


def _plain(lines: Sequence[str]) -> list[Block]:
    # The API refuses a block of blanks.
    text = "\n".join(lines).strip("\n")
    return [text_block(text)] if text.strip() else []


def _quoted_paragraphs(lines: Sequence[str]) -> list[str]:
    """Paragraphs of the quoted lines at the beginning of these."""
    quoted = takewhile(lambda line: line.startswith(_QUOTE), lines)
    text = "\n".join(line.removeprefix(_QUOTE).removeprefix(" ") for line in quoted)
    return [paragraph.strip("\n") for paragraph in _BETWEEN.split(text) if paragraph.strip()]


def _search_result(line: str, source: Source, quoted: Sequence[str]) -> Block:
    return {
        "type": "search_result",
        "source": source.url,
        "title": source.title or source.url,
        "content": [text_block(line), *map(text_block, quoted)],
        "citations": {"enabled": True},
    }


def _without_citations(block: Block) -> Block:
    if block["type"] != "tool_result" or isinstance(block["content"], str):
        return block
    return {**block, "content": [_as_text(part) for part in block["content"]]}


def _with_short_parts(block: Block) -> Block:
    if block["type"] != "tool_result" or isinstance(block["content"], str):
        return block
    return {**block, "content": [_shortened(part) for part in block["content"]]}


def _shortened(part: Block) -> Block:
    if part["type"] != "search_result":
        return part
    first, *quoted = part["content"]
    line = first["text"]
    rest = line.replace(_link(part), "", 1)
    begin = _marker(rest)
    rest = begin + rest[len(begin) :].removeprefix(_bold(part)).removeprefix(" — ").lstrip()
    return {**part, "content": [text_block(rest), *quoted]} if rest.strip(" -") else part


def _as_text(part: Block) -> Block:
    """Write a block as the line that it was, with its title and its link."""
    if part["type"] != "search_result":
        return part
    line = part["content"][0]["text"]
    quoted = quoted_lines("\n\n".join(inner["text"] for inner in part["content"][1:]))
    return text_block("\n".join([_whole_line(part, line), *quoted]))


def _whole_line(part: Block, line: str) -> str:
    if part["source"] in line:
        return line
    begin = _marker(line)
    facts, id = _without_id(line[len(begin) :])
    # Without a bold name of its own, a line has lost its title, whatever words its passage has.
    is_named = facts.startswith("**") or _bold(part) in facts
    named = facts if is_named else " — ".join(filter(None, [_bold(part), facts]))
    return f"{begin}{named}{_link(part)}{id}"


def _without_id(line: str) -> tuple[str, str]:
    facts, found, id = line.rpartition("(id: ")
    return (facts.rstrip(), f" {found}{id}") if found else (line, "")


def _marker(line: str) -> str:
    found = _MARKER.match(line)
    return found[0] if found else ""


def _bold(part: Block) -> str:
    return f"**{part['title']}**"


def _link(part: Block) -> str:
    return f" — [open]({part['source']})"
