"""Pairing check: every tool_use is answered by a tool_result at the beginning of the very next user message."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.model.errors import refusal

Message = Mapping[str, Any]


NEED_TOOLS = "Requests which include `tool_use` or `tool_result` blocks must define tools."


def check_pairs(messages: Sequence[Message], *, has_tools: bool) -> None:
    """Check the whole conversation; messages of one role in a row count as one, as the API combines them."""
    if not has_tools and any(block["type"] in ("tool_use", "tool_result") for m in messages for block in _blocks(m)):
        raise refusal(NEED_TOOLS)
    _check_unique(messages)
    open_ids: list[str] = []
    asked_at, before = 0, ""
    for index, message in enumerate(messages):
        if message["role"] == "system":
            # It stands after a user's message, so it can only follow results that are complete.
            continue
        if message["role"] == "user":
            open_ids = _close(index, message, open_ids, asked_at)
        else:
            if before == "user":
                _refuse_open(asked_at, open_ids)
                open_ids = []
            asked_at = index
            open_ids += _ids(message, "tool_use", "id")
        before = message["role"]
    _refuse_open(asked_at, open_ids)


def _close(index: int, message: Message, open_ids: list[str], asked_at: int) -> list[str]:
    left = list(open_ids)
    for position, block in enumerate(_blocks(message)):
        if block["type"] != "tool_result":
            # Results come first: what still waits for one here has none immediately after it.
            _refuse_open(asked_at, left)
            continue
        answered = block["tool_use_id"]
        if answered in left:
            left.remove(answered)
        elif answered in open_ids:
            raise refusal(
                f"messages.{index}.content.{position}: each tool_use must have a single result. "
                f"Found multiple `tool_result` blocks with id: {answered}"
            )
        else:
            raise refusal(
                f"messages.{index}.content.{position}: unexpected `tool_use_id` found in `tool_result` blocks: "
                f"{answered}. "
                "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
    return left


def _refuse_open(asked_at: int, open_ids: Sequence[str]) -> None:
    if not open_ids:
        return
    raise refusal(
        f"messages.{asked_at}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(open_ids)}. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )


def _check_unique(messages: Sequence[Message]) -> None:
    seen: set[str] = set()
    for index, message in enumerate(messages):
        for called in _ids(message, "tool_use", "id"):
            if called in seen:
                raise refusal(f"messages.{index}: `tool_use` ids must be unique")
            seen.add(called)


def _ids(message: Message, kind: str, key: str) -> list[str]:
    return [block[key] for block in _blocks(message) if block["type"] == kind]


def _blocks(message: Message) -> Sequence[Mapping[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
