"""Input of a forced call: what its schema requires and the rules have not found in the conversation."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sandbox.model.deferred_tools import blocks_of
from sandbox.model.reply import Call, Reply

Schema = Mapping[str, Any]
DEEPEST = 8
WORDS_OF_FORMAT = {"date": "2026-01-01", "date-time": "2026-01-01T12:00:00Z", "uri": "https://campus.example/"}


def with_forced_input(reply: Reply, body: Mapping[str, Any]) -> Reply:
    """The reply with whole inputs where `tool_choice` leaves the model no way to ask first."""
    if (body.get("tool_choice") or {}).get("type") not in ("any", "tool"):
        return reply
    schemas = {tool["name"]: tool["input_schema"] for tool in body.get("tools") or ()}
    said = _last_words(body)
    blocks = [
        replace(block, input={**_object(schemas[block.name], schemas[block.name], said, 0), **block.input})
        if isinstance(block, Call) and block.name in schemas
        else block
        for block in reply.blocks
    ]
    return replace(reply, blocks=tuple(blocks))


def _object(schema: Schema, root: Schema, said: str, depth: int) -> dict[str, Any]:
    properties = schema.get("properties", {})
    return {name: _value(properties.get(name, {}), root, said, depth + 1) for name in schema.get("required", ())}


def _value(schema: Any, root: Schema, said: str, depth: int) -> Any:
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return None
    if "$ref" in schema:
        return _value(root.get("$defs", {}).get(str(schema["$ref"]).rpartition("/")[2]), root, said, depth + 1)
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    if choices := schema.get("enum") or schema.get("examples"):
        return choices[0]
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return _value(schema[key][0], root, said, depth + 1)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    match kind[0] if isinstance(kind, list) else kind:
        case "object":
            return _object(schema, root, said, depth)
        case "array":
            return [_value(schema.get("items", {}), root, said, depth + 1) for _ in range(schema.get("minItems", 1))]
        case "integer" | "number":
            return schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        case "boolean":
            return False
        case "null":
            return None
    return WORDS_OF_FORMAT.get(str(schema.get("format")), said[: schema.get("maxLength", 200)])


def _last_words(body: Mapping[str, Any]) -> str:
    """The last text of the user's: what a string can hold when nothing says what it should."""
    texts = [
        block["text"]
        for message in body["messages"]
        if message["role"] == "user"
        for block in blocks_of(message)
        if block["type"] == "text"
    ]
    return texts[-1].strip() if texts else "text"
