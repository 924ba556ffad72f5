"""Check of `output_config` (https://platform.claude.com/docs/en/build-with-claude/structured-outputs)."""

from collections.abc import Mapping
from typing import Any

from sandbox.model.blocks import check_keys, check_type
from sandbox.model.errors import refusal

EFFORTS = ("low", "medium", "high", "xhigh", "max")
PLAIN = {"type", "title", "description", "enum", "const", "default"}
BY_TYPE: dict[str, set[str]] = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "minItems"},
    "string": {"format"},
    "integer": set(),
    "number": set(),
    "boolean": set(),
    "null": set(),
}
FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
TOP = {"$defs", "definitions"}
MOST_OPTIONAL, DEEPEST = 24, 12


def check_output_config(body: Mapping[str, Any]) -> None:
    """Check the effort and the format; refuse a schema with what the API does not compile."""
    config = body.get("output_config")
    if config is None:
        return
    check_type("output_config", config, dict)
    check_keys("output_config.", config, {"effort", "format"})
    if config.get("effort") is not None and config["effort"] not in EFFORTS:
        raise refusal(f"output_config.effort: Input should be {', '.join(map(repr, EFFORTS[:-1]))} or 'max'")
    if (wanted := config.get("format")) is None:
        return
    check_type("output_config.format", wanted, dict)
    check_keys("output_config.format.", wanted, {"type", "schema"})
    if wanted.get("type") != "json_schema":
        raise refusal("output_config.format.type: Input should be 'json_schema'")
    if "schema" not in wanted:
        raise refusal("output_config.format.schema: Field required")
    check_type("output_config.format.schema", wanted["schema"], dict)
    if _is_citing(body):
        raise refusal("output_config.format: structured outputs cannot be used together with citations")
    schema = wanted["schema"]
    defined = {f"#/{name}/{key}" for name in TOP for key in schema.get(name, {})}
    optional = _check(schema, "output_config.format.schema", defined, depth=0)
    for name in TOP:
        for key, part in schema.get(name, {}).items():
            optional += _check(part, f"output_config.format.schema.{name}.{key}", defined, depth=1)
    if optional > MOST_OPTIONAL:
        raise refusal(
            f"output_config.format.schema: Schema has {optional} optional parameters; {MOST_OPTIONAL} at most"
        )


def output_schema(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema that the answer must follow; None for an answer in free text."""
    wanted = (body.get("output_config") or {}).get("format")
    return wanted["schema"] if wanted else None


def _check(part: Any, path: str, defined: set[str], *, depth: int) -> int:
    """Check one part of a schema; how many of its properties are optional."""
    check_type(path, part, dict)
    if depth > DEEPEST:
        raise refusal(f"{path}: Schema is too complex")
    if "$ref" in part:
        if part["$ref"] not in defined:
            raise refusal(f"{path}: Reference '{part['$ref']}' is not supported")
        return 0
    for choice in ("anyOf", "allOf"):
        if choice in part:
            return sum(_check(each, f"{path}.{choice}", defined, depth=depth + 1) for each in part[choice])
    kind = part.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if kind is None and ("enum" in part or "const" in part):
        return 0
    if any(each not in BY_TYPE for each in kinds):
        raise refusal(f"{path}: Schema type '{kind}' is not supported")
    allowed = PLAIN.union(*(BY_TYPE[each] for each in kinds)) | (TOP if depth == 0 else set())
    if unknown := sorted(set(part) - allowed):
        raise refusal(f"{path}: For '{kind}' type, property '{unknown[0]}' is not supported")
    if part.get("minItems", 0) not in (0, 1):
        raise refusal(f"{path}: For 'array' type, 'minItems' values other than 0 or 1 are not supported")
    if part.get("format", "date") not in FORMATS:
        raise refusal(f"{path}: For 'string' type, format '{part['format']}' is not supported")
    optional = _check(part["items"], f"{path}.items", defined, depth=depth + 1) if "items" in part else 0
    return optional + (_check_object(part, path, defined, depth) if kind == "object" else 0)


def _check_object(part: Mapping[str, Any], path: str, defined: set[str], depth: int) -> int:
    if part.get("additionalProperties") is not False:
        raise refusal(f"{path}: For 'object' type, 'additionalProperties' must be explicitly set to false")
    properties, required = part.get("properties", {}), set(part.get("required", ()))
    if unknown := sorted(required - set(properties)):
        raise refusal(f"{path}: Required property '{unknown[0]}' is not defined in 'properties'")
    inner = sum(_check(each, f"{path}.{name}", defined, depth=depth + 1) for name, each in properties.items())
    return inner + len(set(properties) - required)


def _is_citing(body: Mapping[str, Any]) -> bool:
    contents = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
    blocks = [block for content in contents for block in content]
    parts = [part for block in blocks for part in (block, *_list_of(block.get("content"))) if isinstance(part, dict)]
    return any((part.get("citations") or {}).get("enabled") for part in parts)


def _list_of(content: Any) -> list[Any]:
    return content if isinstance(content, list) else []
