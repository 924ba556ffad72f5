"""Conversion of stored messages to those of a request: always a valid one, and the same bytes every time.

Tools that come and go within a conversation stand in its messages, too: as blocks that add or remove a tool, and as
references in the results of a search.
"""

import json
import re
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import Any

from services.files.content_blocks import estimated_tokens
from services.llm.messages import Block, StoredMessage, result_block, text_block

ApiMessage = dict[str, Any]

ADDITION, REMOVAL = "tool_addition", "tool_removal"
GONE = "(These tools are not there any more.)"
INTERRUPTED = "Interrupted before it finished; its result is not known. Call it again if it is still needed."
LEFT_OUT = "(Left out here to save room. Call the tool again if it is still needed.)"
_CHARACTERS_PER_TOKEN = 4
"""About so many."""
_ID = re.compile(r"[a-zA-Z0-9_-]{1,128}")
LONG_RESULT = 2_000
"""Characters above which a result of an earlier turn is left out when the conversation has grown too long."""


def api_messages(messages: Sequence[StoredMessage]) -> list[ApiMessage]:
    """Convert messages: each tool call gets its result right after it, neighbours of one role become one message, and
    the first is a user's.

    A call without a result (a crash, a stop) gets one that says so: an unpaired call would be refused with a 400,
    for ever. So would a system message anywhere else than between a user's and an answer: one whose question got no
    answer moves behind the student's next message.
    """
    merged: list[ApiMessage] = []
    updates: list[Block] = []
    for role, blocks in _paired(_from_first_question(messages)):
        if role == "system":
            updates += blocks
            continue
        if role == "assistant" and updates:
            merged.append({"role": "system", "content": updates})
            updates = []
        if merged and merged[-1]["role"] == role:
            merged[-1]["content"].extend(blocks)
        else:
            merged.append({"role": role, "content": list(blocks)})
    return [*merged, {"role": "system", "content": updates}] if updates else merged


def _from_first_question(messages: Sequence[StoredMessage]) -> Iterator[StoredMessage]:
    return dropwhile(lambda message: not message.is_question, messages)


def _paired(messages: Iterable[StoredMessage]) -> Iterator[tuple[str, Sequence[Block]]]:
    """Yield roles and blocks, with missing results added and results without a call dropped."""
    open_calls: list[str] = []
    for message in messages:
        results = {b["tool_use_id"]: b for b in message.content if b["type"] == "tool_result"}
        others = [b for b in message.content if b["type"] != "tool_result"]
        if open_calls:
            yield "user", [results.get(id) or result_block(id, INTERRUPTED, is_error=True) for id in open_calls]
        if others:
            yield message.role, others
        open_calls = [call["id"] for call in message.tool_calls]
    if open_calls:
        yield "user", [result_block(id, INTERRUPTED, is_error=True) for id in open_calls]


def with_free_ids(content: Sequence[Block], earlier: Iterable[StoredMessage]) -> list[Block]:
    """Replace the id of a call that another call has, or that would be refused if sent back, by one of ours.

    Gateways number the calls of each answer anew. Results, cards and lines of the page are found by these ids.
    """
    taken = {call["id"] for message in earlier for call in message.tool_calls}
    free: list[Block] = []
    for block in content:
        if block["type"] == "tool_use":
            if block["id"] in taken or not _ID.fullmatch(block["id"]):
                block = {**block, "id": f"toolu_{secrets.token_hex(12)}"}
            taken.add(block["id"])
        free.append(block)
    return free


def later_start(messages: Sequence[StoredMessage]) -> int | None:
    """Find the question at which a conversation that is too long should start, so that at most half of it is left.

    None when only one question is left: then `without_long_results` is the last resort.
    """
    questions = [m.seq for m in messages if m.is_question and not m.meta.get("is_hidden")]
    sizes = {
        m.seq: len(json.dumps(list(m.content))) + _CHARACTERS_PER_TOKEN * estimated_tokens(m.content) for m in messages
    }
    half = sum(sizes.values()) / 2
    for seq in questions[1:]:
        if sum(size for other, size in sizes.items() if other >= seq) <= half:
            return seq
    return questions[-1] if len(questions) > 1 else None


def without_long_results(messages: Sequence[ApiMessage]) -> list[ApiMessage]:
    """Replace long tool results by a note, those of the last message, too."""
    return [{**m, "content": [_shortened(block) for block in m["content"]]} for m in messages]


def _shortened(block: Block) -> Block:
    if block["type"] != "tool_result" or len(json.dumps(block["content"])) <= LONG_RESULT:
        return block
    return {**block, "content": [{"type": "text", "text": LEFT_OUT}]}


def without_calls(messages: Sequence[ApiMessage]) -> list[ApiMessage]:
    """Turn calls and results into text: the API refuses them in a request that offers no tools."""
    return [{**m, "content": [_as_text_block(block) for block in m["content"]]} for m in messages]


def _as_text_block(block: Block) -> Block:
    if block["type"] == "tool_use":
        return text_block(f"(Called {block['name']}.)")
    if block["type"] == "tool_result":
        said = block["content"] if isinstance(block["content"], str) else json.dumps(block["content"])
        return text_block(f"(The result: {said})")
    return block


def tool_change(kind: str, name: str) -> dict[str, Any]:
    """Build the block that adds or removes a tool from its place on."""
    return {"type": kind, "tool": {"type": "tool_reference", "name": name}}


def tool_reference(name: str) -> dict[str, Any]:
    """Build the block of a search result that loads a tool."""
    return {"type": "tool_reference", "tool_name": name}


def loaded_tools(messages: Iterable[StoredMessage]) -> set[str]:
    """Names of the deferred tools that the model sees after these messages."""
    loaded: set[str] = set()
    for message in messages:
        for block in message.content:
            _apply_change(loaded, block)
    return loaded


def found_tools(message: StoredMessage) -> tuple[str, ...]:
    """Names of the tools that a search loaded with these results."""
    return tuple(dict.fromkeys(name for block in message.content for name in _references(block)))


def update_hashes(messages: Iterable[StoredMessage]) -> dict[str, str]:
    """Hashes of the latest updates by part of the system text; empty for a part that no longer holds."""
    told: dict[str, str] = {}
    for message in messages:
        if message.role == "system":
            told.update(message.meta.get("told", {}))
    return told


def with_changes(messages: Sequence[ApiMessage], declared: Collection[str]) -> list[ApiMessage]:
    """Keep only tool changes that the API accepts: of declared tools, none added twice or removed while not loaded.

    Stored conversations can hold others: one that was shortened has lost additions, another has lost a server.
    """
    available: set[str] = set()
    sent = [{**message, "content": list(_allowed(message["content"], declared, available))} for message in messages]
    return [message for message in sent if message["content"]]


def without_changes(messages: Sequence[ApiMessage]) -> list[ApiMessage]:
    """Convert for a request whose tools all stand in front: instructions become context, found tools a sentence."""
    sent: list[ApiMessage] = []
    for message in messages:
        if message["role"] != "system":
            sent.append({**message, "content": [_without_references(block) for block in message["content"]]})
        elif texts := [block for block in message["content"] if block["type"] == "text"]:
            contexts = [text_block(f"<context>{block['text']}</context>") for block in texts]
            sent[-1] = {**sent[-1], "content": [*sent[-1]["content"], *contexts]}
    return sent


def _apply_change(loaded: set[str], block: Block) -> None:
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
            block = block if names <= set(declared) else _without_undeclared(block, declared)
        yield block


def _without_undeclared(block: Block, declared: Collection[str]) -> Block:
    kept = [part for part in block["content"] if part["type"] != "tool_reference" or part["tool_name"] in declared]
    return {**block, "content": kept or [text_block(GONE)]}


def _without_references(block: Block) -> Block:
    names = list(_references(block))
    if not names:
        return block
    others: list[Mapping[str, Any]] = [part for part in block["content"] if part["type"] != "tool_reference"]
    return {**block, "content": [*others, text_block(f"Found: {', '.join(names)}.")]}
