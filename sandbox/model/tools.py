"""Validation of `tools` and `tool_choice`."""

import marshal
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sandbox.model import request_schema as shapes
from sandbox.model.blocks import check_cache_control, check_keys, check_type
from sandbox.model.errors import refusal

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
TYPES = {"object", "array", "string", "number", "integer", "boolean", "null"}
NOT_A_SCHEMA = (
    "JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12)."
)


def check_tools(tools: Any) -> None:
    """Well-formed tools of our own, each name once, at least one of them not deferred."""
    check_type("tools", tools, list)
    for index, tool in enumerate(tools):
        _check_tool(f"tools.{index}", tool)
    names = [tool["name"] for tool in tools]
    if len(set(names)) < len(names):
        raise refusal("tools: Tool names must be unique.")
    if tools and all(tool.get("defer_loading") for tool in tools):
        raise refusal("tools: At least one tool must have defer_loading=false.")


def check_tool_choice(choice: Any, tools: Sequence[Mapping[str, Any]]) -> None:
    """auto, any, none, or one tool that is among the given ones."""
    check_type("tool_choice", choice, dict)
    kind = choice.get("type")
    if kind not in shapes.TOOL_CHOICES:
        raise refusal(f"tool_choice: Input tag '{kind}' found using 'type' does not match any of the expected tags")
    check_keys(f"tool_choice.{kind}.", choice, shapes.TOOL_CHOICES[kind])
    if kind == "tool" and choice.get("name") not in {tool["name"] for tool in tools}:
        raise refusal(f"tool_choice.tool.name: Tool '{choice.get('name')}' not found in provided tools")
    if kind != "none" and not tools:
        raise refusal("tool_choice: tool_choice may only be specified while providing tools")


def _check_tool(path: str, tool: Any) -> None:
    check_type(path, tool, dict)
    kind = tool.get("type") or "custom"
    if kind != "custom":
        raise refusal(f"{path}: the demo model has no server tools; '{kind}' is not available here")
    check_keys(f"{path}.custom.", tool, shapes.TOOL)
    for key in ("name", "input_schema"):
        if key not in tool:
            raise refusal(f"{path}.custom.{key}: Field required")
    if not isinstance(tool["name"], str) or not NAME.fullmatch(tool["name"]):
        raise refusal(f"{path}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
    if "description" in tool:
        check_type(f"{path}.custom.description", tool["description"], str)
    check_cache_control(f"{path}.custom.cache_control", tool.get("cache_control"))
    if tool.get("defer_loading") and tool.get("cache_control"):
        raise refusal(f"{path}.custom: Tools with defer_loading=true cannot use cache_control")
    _check_input_schema(f"{path}.custom.input_schema", tool["input_schema"])


def _check_input_schema(path: str, schema: Any) -> None:
    check_type(path, schema, dict)
    if "type" not in schema:
        raise refusal(f"{path}.type: Field required")
    if schema["type"] != "object":
        raise refusal(f"{path}.type: Input should be 'object'")
    if not _is_known_schema(marshal.dumps(schema, 2)):
        raise refusal(f"{path}: {NOT_A_SCHEMA}")
    missing = set(schema.get("required", [])) - set(schema.get("properties", {}))
    if missing and schema.get("additionalProperties") is False:
        raise refusal(f"{path}: {NOT_A_SCHEMA}")


@lru_cache(maxsize=2_000)
def _is_known_schema(written: bytes) -> bool:
    """Looked at once: the same hundred tools come with every request."""
    return _is_schema(marshal.loads(written))


def _is_schema(schema: Any) -> bool:
    if isinstance(schema, bool):
        return True
    if not isinstance(schema, Mapping) or not _types(schema.get("type", "object")) <= TYPES:
        return False
    required, choices = schema.get("required", []), schema.get("enum", [])
    if not isinstance(choices, list) or not isinstance(required, list):
        return False
    parts = [
        *_values(schema.get("properties", {})),
        *_values(schema.get("$defs", {})),
        *[part for key in ("anyOf", "oneOf", "allOf") for part in schema.get(key, [])],
        *([schema["items"]] if "items" in schema else []),
    ]
    return all(isinstance(name, str) for name in required) and all(_is_schema(part) for part in parts)


def _types(kind: Any) -> set[str]:
    return set(kind) if isinstance(kind, list) else {str(kind)}


def _values(named: Any) -> list[Any]:
    return list(named.values()) if isinstance(named, Mapping) else ["not a schema"]
