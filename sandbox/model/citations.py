"""Citations: which `search_result` of the request each line of an answer is from (https://docs.claude.com/en/docs/build-with-claude/search-results)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sandbox.model.reply import Reply, Text

Result = Mapping[str, Any]


def with_citations(reply: Reply, body: Mapping[str, Any]) -> Reply:
    """Reply with citations: a line that names a result's address becomes a block of its own that cites it."""
    results = list(_results(body["messages"]))
    if not any((result.get("citations") or {}).get("enabled") for result in results):
        return reply
    blocks = [
        part for block in reply.blocks for part in (_cited(block, results) if isinstance(block, Text) else [block])
    ]
    return replace(reply, blocks=tuple(blocks))


def whole_line(result: Result) -> str:
    """The line of a result with what its block has as title and source, for rules that read lines."""
    line, *quoted = [part["text"] for part in result["content"]]
    text = "\n\n".join(quoted).splitlines()
    return "\n".join([_named_line(result, line), *(f"> {words}".rstrip() for words in text)])


def _named_line(result: Result, line: str) -> str:
    if f"({result['source']})" in line:
        return line
    begin, facts = line[: len(line) - len(line.lstrip(" -"))], line.lstrip(" -")
    facts, found, id = facts.rpartition("(id: ") if "(id: " in facts else (facts, "", "")
    is_named = facts.startswith("**") or f"**{result['title']}**" in facts
    named = facts.rstrip() if is_named else f"**{result['title']}** — {facts.rstrip()}".rstrip(" —")
    return f"{begin}{named} — [open]({result['source']}) {found}{id}".rstrip()


def _results(messages: Sequence[Mapping[str, Any]]) -> Iterator[Result]:
    for message in messages:
        for block in message["content"] if isinstance(message["content"], list) else []:
            inside = block.get("content") if block["type"] == "tool_result" else [block]
            yield from (part for part in inside or [] if isinstance(part, dict) and part["type"] == "search_result")


def _cited(block: Text, results: Sequence[Result]) -> list[Text]:
    parts: list[Text] = []
    plain = ""
    for line in block.text.splitlines(keepends=True):
        words = line.rstrip("\n")
        found = [(at, result) for at, result in enumerate(results) if f"({result['source']})" in words]
        if not found:
            plain += line
            continue
        if plain:
            parts.append(Text(text=plain))
        parts.append(Text(text=words, citations=(_location(*found[-1], answer=block.text),)))
        plain = line[len(words) :]
    return [*parts, Text(text=plain)] if plain or not parts else parts


def _location(index: int, result: Result, answer: str) -> Mapping[str, Any]:
    """The block of the result that the answer repeats, else the whole of it."""
    texts = [part["text"] for part in result["content"]]
    shown = [" ".join(text.strip("# ").split()) for text in texts]
    told = [at for at, text in enumerate(shown) if at and text[:80] in answer]
    # A heading's words begin many a paragraph.
    best = max(told, key=lambda at: len(shown[at]), default=None)
    start, end = (0, len(texts)) if best is None else (best, best + 1)
    return {
        "type": "search_result_location",
        "cited_text": "".join(texts[start:end]),
        "source": result["source"],
        "title": result["title"],
        "search_result_index": index,
        "start_block_index": start,
        "end_block_index": end,
    }
