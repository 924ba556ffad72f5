"""Validation of messages and their content blocks, refused in the API's own words."""

from collections.abc import Iterable, Mapping
from typing import Any

from sandbox.model import request_schema as shapes
from sandbox.model.errors import refusal
from sandbox.model.files import check_file

TYPE_WORDS = {str: "string", dict: "dictionary", list: "list", int: "integer", bool: "boolean"}
KINDS = {"user": shapes.IN_USER, "assistant": shapes.IN_ASSISTANT, "system": shapes.IN_SYSTEM_MESSAGE}
Block = Mapping[str, Any]


def check_keys(where: str, value: Mapping[str, Any], allowed: Iterable[str]) -> None:
    """Refuse the first key that is not allowed; `where` is a path that ends with a dot, or empty."""
    for key in value:
        if key not in allowed:
            raise refusal(f"{where}{key}: Extra inputs are not permitted")


def check_type(path: str, value: Any, wanted: type) -> None:
    """Refuse a value of another JSON type."""
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise refusal(f"{path}: Input should be a valid {TYPE_WORDS[wanted]}")


def check_messages(messages: Any) -> None:
    """Check each message's role, content and blocks."""
    check_type("messages", messages, list)
    if not messages:
        raise refusal("messages: at least one message is required")
    for index, message in enumerate(messages):
        _check_message(f"messages.{index}", message)
    if messages[0]["role"] != "user":
        raise refusal('messages: first message must use the "user" role')


def check_system(system: Any) -> None:
    """`system` is a string or a list of text blocks."""
    if not isinstance(system, str):
        check_content("system", system, shapes.IN_SYSTEM)


def check_content(path: str, content: Any, kinds: set[str]) -> None:
    """Check a list of blocks against the kinds that may stand here."""
    check_type(path, content, list)
    for index, block in enumerate(content):
        _check_block(f"{path}.{index}", block, kinds)


def check_cache_control(path: str, mark: Any) -> None:
    """`{"type": "ephemeral"}` with an optional `ttl` of 5m or 1h."""
    if mark is None:
        return
    check_type(path, mark, dict)
    check_keys(f"{path}.", mark, {"type", "ttl"})
    if mark.get("type") != "ephemeral":
        raise refusal(f"{path}.type: Input should be 'ephemeral'")
    if mark.get("ttl", "5m") not in ("5m", "1h"):
        raise refusal(f"{path}.ttl: Input should be '5m' or '1h'")


def _check_message(path: str, message: Any) -> None:
    check_type(path, message, dict)
    check_keys(f"{path}.", message, shapes.MESSAGE)
    for key in ("role", "content"):
        if key not in message:
            raise refusal(f"{path}.{key}: Field required")
    role, content = message["role"], message["content"]
    if role not in KINDS:
        raise refusal(f"{path}.role: Input should be 'user', 'assistant' or 'system'")
    if not content:
        raise refusal(f"{path}: {role} messages must have non-empty content")
    if not isinstance(content, str):
        check_content(f"{path}.content", content, KINDS[role])
    elif not content.strip():
        raise refusal(f"{path}: text content blocks must contain non-whitespace text")


def _check_block(path: str, block: Any, kinds: set[str]) -> None:
    check_type(path, block, dict)
    kind = block.get("type")
    if kind is None:
        raise refusal(f"{path}.type: Field required")
    if kind not in kinds:
        expected = ", ".join(f"'{name}'" for name in sorted(kinds))
        raise refusal(
            f"{path}: Input tag '{kind}' found using 'type' does not match any of the expected tags: {expected}"
        )
    required, optional = shapes.BLOCKS[kind]
    for key, wanted in required.items():
        if key not in block:
            raise refusal(f"{path}.{kind}.{key}: Field required")
        check_type(f"{path}.{kind}.{key}", block[key], wanted)
    check_keys(f"{path}.{kind}.", block, {"type", *required, *optional})
    check_cache_control(f"{path}.{kind}.cache_control", block.get("cache_control"))
    _check_inside(path, kind, block)


def _check_inside(path: str, kind: str, block: Block) -> None:
    if kind == "text" and not block["text"]:
        where = "cache_control cannot be set for empty text blocks" if block.get("cache_control") else ""
        raise refusal(f"{path}: {where}" if where else f"{path}: text content blocks must be non-empty")
    if kind == "text" and not block["text"].strip():
        raise refusal(f"{path}: text content blocks must contain non-whitespace text")
    if kind in ("image", "document"):
        check_file(path, block)
    if kind == "tool_result":
        _check_result(f"{path}.tool_result", block)
    if kind == "search_result":
        check_content(f"{path}.search_result.content", block["content"], {"text"})


def _check_result(path: str, block: Block) -> None:
    if "is_error" in block:
        check_type(f"{path}.is_error", block["is_error"], bool)
    content = block.get("content", "")
    if not isinstance(content, str):
        check_content(f"{path}.content", content, shapes.IN_TOOL_RESULT)
