"""Pairing check: every tool_use is answered by a tool_result in the very next user message, and by nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandbox.model.errors import refusal

Message = Mapping[str, Any]


def check_pairs(messages: Sequence[Message]) -> None:
    """Check the whole conversation; messages of one role in a row count as one, as the API combines them."""
    _check_unique(messages)
    # A system message stands after a user's, so it can only follow results that are complete.
    messages = [message for message in messages if message["role"] != "system"]
    open_ids: list[str] = []
    for index, message, role_goes_on in _with_runs(messages):
        if message["role"] == "assistant":
            open_ids = (open_ids if role_goes_on else []) + _ids(message, "tool_use", "id")
        else:
            open_ids = _close(index, message, open_ids)
            if not _user_goes_on(messages, index):
                _refuse_open(messages, index, open_ids)
    if messages[-1]["role"] == "assistant":
        _refuse_open(messages, len(messages), open_ids)


def _with_runs(messages: Sequence[Message]) -> list[tuple[int, Message, bool]]:
    return [
        (index, message, index > 0 and messages[index - 1]["role"] == message["role"])
        for index, message in enumerate(messages)
    ]


def _user_goes_on(messages: Sequence[Message], index: int) -> bool:
    return index + 1 < len(messages) and messages[index + 1]["role"] == "user"


def _close(index: int, message: Message, open_ids: list[str]) -> list[str]:
    left = list(open_ids)
    for position, block in enumerate(_blocks(message)):
        if block["type"] != "tool_result":
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


def _refuse_open(messages: Sequence[Message], index: int, open_ids: list[str]) -> None:
    if not open_ids:
        return
    asked = max(i for i, message in enumerate(messages[:index]) if message["role"] == "assistant")
    raise refusal(
        f"messages.{asked}: `tool_use` ids were found without `tool_result` blocks immediately after: "
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
    return [] if isinstance(content, str) else content
