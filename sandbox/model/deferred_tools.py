"""Deferred tools: which tools the model can see, and from where on, by references, additions and removals."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Block = Mapping[str, Any]
CHANGES = ("tool_addition", "tool_removal")


def blocks_of(message: Mapping[str, Any]) -> list[Block]:
    """A message's content as blocks."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def references_in(block: Block) -> list[str]:
    """The tools that a tool_result names with tool_reference blocks, which loads them."""
    inner = block.get("content") if block.get("type") == "tool_result" else None
    parts = inner if isinstance(inner, list) else []
    return [part["tool_name"] for part in parts if part.get("type") == "tool_reference"]


def named_by(block: Block) -> list[str]:
    """The tools whose definitions are shown to the model at this block."""
    return [str(block["tool"]["name"])] if block.get("type") == "tool_addition" else references_in(block)


def loaded_names(body: Mapping[str, Any]) -> frozenset[str]:
    """The tools that the model can see at the end of the messages."""
    seen = {tool["name"] for tool in body.get("tools") or () if not tool.get("defer_loading")}
    for block in _all_blocks(body):
        if block.get("type") == "tool_removal":
            seen.discard(block["tool"]["name"])
        else:
            seen.update(named_by(block))
    return frozenset(seen)


def added_names(body: Mapping[str, Any]) -> tuple[frozenset[str], frozenset[str]]:
    """The tools that the application has added since the last question, and all that it has added until now."""
    added, now = set[str](), set[str]()
    for message in body["messages"]:
        if message["role"] == "user" and not any(block["type"] == "tool_result" for block in blocks_of(message)):
            now.clear()
        names = {block["tool"]["name"] for block in blocks_of(message) if block.get("type") == "tool_addition"}
        added |= names
        now |= names
    return frozenset(now) & loaded_names(body), frozenset(added) & loaded_names(body)


def withdrawn_names(body: Mapping[str, Any]) -> frozenset[str]:
    """The tools that were removed and not offered again since."""
    gone: set[str] = set()
    for block in _all_blocks(body):
        if block.get("type") == "tool_removal":
            gone.add(block["tool"]["name"])
        else:
            gone.difference_update(named_by(block))
    return frozenset(gone)


def definitions(body: Mapping[str, Any], names: Sequence[str]) -> list[Mapping[str, Any]]:
    """The definitions of these tools, those that are declared."""
    known = {tool["name"]: tool for tool in body.get("tools") or ()}
    return [known[name] for name in names if name in known]


def _all_blocks(body: Mapping[str, Any]) -> Iterator[Block]:
    for message in body["messages"]:
        yield from blocks_of(message)
