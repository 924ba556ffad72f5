"""Tools that come and go within a conversation, as stored messages tell it and as a request may say it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from services.agent.history import ApiMessage
from services.agent.messages import Block, StoredMessage, text_block

ADDITION, REMOVAL = "tool_addition", "tool_removal"
BETA = "mid-conversation-tool-changes-2026-07-01"
"""https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages#mid-conversation-tool-changes"""
GONE = "(These tools are not there any more.)"


def change(kind: str, name: str) -> dict[str, Any]:
    """The block that adds or removes a tool from its place on."""
    return {"type": kind, "tool": {"type": "tool_reference", "name": name}}


def reference(name: str) -> dict[str, Any]:
    """The block of a search's result that loads a tool."""
    return {"type": "tool_reference", "tool_name": name}


def loaded_in(messages: Iterable[StoredMessage]) -> set[str]:
    """The deferred tools that the model sees after these messages."""
    loaded: set[str] = set()
    for message in messages:
        for block in message.content:
            _follow(loaded, block)
    return loaded


def found_in(message: StoredMessage) -> tuple[str, ...]:
    """The tools that a search loaded with these results."""
    return tuple(dict.fromkeys(name for block in message.content for name in _references(block)))


def told_in(messages: Iterable[StoredMessage]) -> dict[str, str]:
    """By part of the system text, what the model was told last in place of it; empty for what no longer holds."""
    told: dict[str, str] = {}
    for message in messages:
        if message.role == "system":
            told.update(message.meta.get("told", {}))
    return told


def with_changes(messages: Sequence[ApiMessage], declared: Collection[str]) -> list[ApiMessage]:
    """As the API takes them: only declared tools are named, none is added twice or removed that is not there.

    A stored conversation can ask for that: one that was shortened has lost additions, another has lost a server.
    """
    available: set[str] = set()
    sent = [{**message, "content": list(_allowed(message["content"], declared, available))} for message in messages]
    return [message for message in sent if message["content"]]


def without_changes(messages: Sequence[ApiMessage]) -> list[ApiMessage]:
    """For a request whose tools all stand in front: instructions become context, tools that were found a sentence."""
    sent: list[ApiMessage] = []
    for message in messages:
        if message["role"] != "system":
            sent.append({**message, "content": [_without_references(block) for block in message["content"]]})
        elif told := [block for block in message["content"] if block["type"] == "text"]:
            words = [text_block(f"<context>{block['text']}</context>") for block in told]
            sent[-1] = {**sent[-1], "content": [*sent[-1]["content"], *words]}
    return sent


def _follow(loaded: set[str], block: Block) -> None:
    if block["type"] == ADDITION:
        loaded.add(block["tool"]["name"])
    elif block["type"] == REMOVAL:
        loaded.discard(block["tool"]["name"])
    else:
        loaded.update(_references(block))


def _references(block: Block) -> Iterator[str]:
    if block["type"] == "tool_result" and not isinstance(block["content"], str):
        yield from (part["tool_name"] for part in block["content"] if part["type"] == "tool_reference")


def _allowed(blocks: Iterable[Block], declared: Collection[str], available: set[str]) -> Iterator[Block]:
    for block in blocks:
        kind = block["type"]
        if kind in (ADDITION, REMOVAL):
            name = block["tool"]["name"]
            if name not in declared or (name in available) is (kind == ADDITION):
                continue
            available ^= {name}
        elif names := set(_references(block)):
            available |= names & set(declared)
            block = block if names <= set(declared) else _of_declared(block, declared)
        yield block


def _of_declared(block: Block, declared: Collection[str]) -> Block:
    kept = [part for part in block["content"] if part["type"] != "tool_reference" or part["tool_name"] in declared]
    return {**block, "content": kept or [text_block(GONE)]}


def _without_references(block: Block) -> Block:
    names = list(_references(block))
    if not names:
        return block
    others: list[Mapping[str, Any]] = [part for part in block["content"] if part["type"] != "tool_reference"]
    return {**block, "content": [*others, text_block(f"Found: {', '.join(names)}.")]}
