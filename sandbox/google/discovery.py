"""The Calendar API's own description, as the client library carries it, and what it says about a request."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.datastructures import QueryParams

from sandbox.google.errors import bad_request, invalid, required

JSON_TYPES = {"string": str, "boolean": bool, "integer": int, "number": (int, float), "array": list, "object": dict}
Arguments = dict[str, Any]


@cache
def document() -> dict[str, Any]:
    """The discovery document of Calendar v3."""
    path = files("googleapiclient") / "discovery_cache" / "documents" / "calendar.v3.json"
    return json.loads(path.read_text("utf-8"))


def method(name: str) -> dict[str, Any]:
    """The description of one method, named as in "events.list"."""
    resource, verb = name.split(".")
    return document()["resources"][resource]["methods"][verb]


def scope_words() -> dict[str, str]:
    """Each scope of the API and what it allows, in Google's words."""
    return {scope: entry["description"] for scope, entry in document()["auth"]["oauth2"]["scopes"].items()}


def read_query(name: str, query: QueryParams) -> Arguments:
    """The query parameters of a method, typed; raises Refused for one it does not know or cannot read."""
    own = method(name).get("parameters", {})
    known = document()["parameters"] | {key: spec for key, spec in own.items() if spec["location"] == "query"}
    for key in query:
        if key not in known:
            raise invalid(
                f'Invalid JSON payload received. Unknown name "{key}": Cannot bind query parameter. '
                f"Field '{key}' could not be found in request message.",
                location=key,
            )
    return {key: _values(key, known[key], query.getlist(key)) for key in query}


def read_body(schema: str, body: Any) -> dict[str, Any]:
    """A request body that fits the named schema; raises Refused for a field that the schema does not know."""
    if not isinstance(body, dict):
        raise bad_request("Parse Error")
    _check_object(document()["schemas"][schema], body, "")
    return body


def _values(key: str, spec: dict[str, Any], values: list[str]) -> Any:
    typed = [_typed(key, spec, value) for value in values]
    if spec.get("repeated"):
        return typed
    if len(typed) > 1:
        raise invalid(f"Invalid value for parameter {key}: given more than once.", location=key)
    return typed[0]


def _typed(key: str, spec: dict[str, Any], value: str) -> Any:
    kind = spec["type"]
    if kind == "boolean":
        if value.lower() not in ("true", "false"):
            raise invalid(f"Invalid boolean value: '{value}'.", location=key)
        return value.lower() == "true"
    if kind == "integer":
        return _whole_number(key, spec, value)
    if "enum" in spec and value not in spec["enum"]:
        raise invalid(f"Invalid string value: '{value}'. Allowed values: {spec['enum']}", location=key)
    return value


def _whole_number(key: str, spec: dict[str, Any], value: str) -> int:
    least, most = int(spec.get("minimum", -(2**31))), int(spec.get("maximum", 2**31 - 1))
    try:
        number = int(value)
    except ValueError:
        raise invalid(f"Invalid integer value: '{value}'.", location=key) from None
    if not least <= number <= most:
        raise invalid(f"Invalid value '{number}'. Values must be within the range: [{least}, {most}]", location=key)
    return number


def _check_object(schema: dict[str, Any], value: dict[str, Any], path: str) -> None:
    properties, rest = schema.get("properties", {}), schema.get("additionalProperties")
    for key, item in value.items():
        spec = properties.get(key, rest)
        if spec is None:
            at = f" at '{path}'" if path else ""
            raise invalid(f'Invalid JSON payload received. Unknown name "{key}"{at}: Cannot find field.')
        _check(spec, item, f"{path}.{key}" if path else key)


def _check(spec: dict[str, Any], value: Any, path: str) -> None:
    if value is None:
        return
    schema = document()["schemas"][spec["$ref"]] if "$ref" in spec else spec
    kind = schema.get("type", "any")
    if kind == "any":
        return
    if not isinstance(value, JSON_TYPES[kind]) or (kind != "boolean" and isinstance(value, bool)):
        raise invalid(f"Invalid value at '{path}' ({kind}): {json.dumps(value)[:80]}")
    if kind == "object":
        _check_object(schema, value, path)
    elif kind == "array":
        for index, item in enumerate(value):
            _check(schema["items"], item, f"{path}[{index}]")


def need(body: dict[str, Any], name: str, schema: str) -> None:
    """Raise Refused when a field that the schema marks as required for this method is absent."""
    for key, spec in document()["schemas"][schema]["properties"].items():
        is_required = f"calendar.{name}" in spec.get("annotations", {}).get("required", ())
        if is_required and body.get(key) is None:
            raise required(f"Missing {key} time." if key in ("start", "end") else "Required", location=key)
