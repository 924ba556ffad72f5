"""Checks on system messages within a conversation and the tool changes in them.

https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sandbox.model import request_schema as shapes
from sandbox.model.deferred_tools import CHANGES, blocks_of, references_in
from sandbox.model.errors import refusal

BY_REFERENCE = "mid-conversation-tool-changes-2026-07-01"
INLINE = "inline-tools-2026-09-15"
"""Covers changes by reference as well."""
MOST_DEFERRED = 10_000


def check_betas(betas: Collection[str]) -> None:
    """Refuse a beta that the API does not know."""
    unknown = sorted(set(betas) - shapes.BETAS)
    if unknown:
        raise refusal(unexpected_betas(unknown))


def unexpected_betas(betas: Sequence[str]) -> str:
    """Refusal of values of the beta header, in the API's words."""
    named = ", ".join(f"`{beta}`" for beta in betas)
    return (
        f"Unexpected value(s) {named} for the `anthropic-beta` header. Please consult our documentation at "
        "platform.claude.com/docs or try again without the header."
    )


def check_changes(body: Mapping[str, Any], betas: Collection[str]) -> None:
    """Check the places of system messages, and that each change names a declared tool that it can change there."""
    messages = body["messages"]
    _check_places(messages)
    tools = {tool["name"]: tool for tool in body.get("tools") or ()}
    if sum(bool(tool.get("defer_loading")) for tool in tools.values()) > MOST_DEFERRED:
        raise refusal(f"tools: at most {MOST_DEFERRED} tools may be deferred", details="available_tools_limit_exceeded")
    available = {name for name, tool in tools.items() if not tool.get("defer_loading")}
    for index, message in enumerate(messages):
        for position, block in enumerate(blocks_of(message)):
            path = f"messages.{index}.content.{position}"
            for name in references_in(block):
                _check_known(name, tools)
                available.add(name)
            if block.get("type") in CHANGES:
                _check_change(path, block, tools, available, betas)


def _check_places(messages: Sequence[Mapping[str, Any]]) -> None:
    roles = [message["role"] for message in messages]
    for index, role in enumerate(roles):
        if role != "system":
            continue
        before = next((other for other in reversed(roles[:index]) if other != "system"), None)
        after = next((other for other in roles[index + 1 :] if other != "system"), "assistant")
        if before != "user" or after != "assistant":
            raise refusal(
                f"messages.{index}: a system message must immediately follow a user message and must be the last "
                "message or be immediately followed by an assistant message"
            )


def _check_known(name: str, tools: Mapping[str, Any]) -> None:
    if name not in tools:
        raise refusal(f"Tool reference '{name}' not found in available tools", details="tool_reference_unresolved")


def _check_change(
    path: str, block: Mapping[str, Any], tools: Mapping[str, Any], available: set[str], betas: Collection[str]
) -> None:
    kind, tool = block["type"], block["tool"]
    if not {BY_REFERENCE, INLINE} & set(betas):
        raise refusal(f"{path}: Input tag '{kind}' found using 'type' does not match any of the expected tags: 'text'")
    if set(tool) != {"type", "name"} or tool["type"] != "tool_reference" or not isinstance(tool["name"], str):
        raise refusal(f"{path}.{kind}.tool: Input should be a tool_reference with a name")
    name = tool["name"]
    _check_known(name, tools)
    if kind == "tool_addition" and name in available:
        raise refusal(f"{path}: Tool '{name}' is already available; only deferred or removed tools can be added")
    if kind == "tool_removal" and name not in available:
        raise refusal(f"{path}: Tool '{name}' is not available at this point and cannot be removed")
    available ^= {name}
