"""Schemas that a server wrote: which of them a model may be shown, and how."""

import re
from collections.abc import Mapping
from typing import Any

from services.safety.text import plain

DEEP = 40

_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_WORDS = ("description", "title", "$comment")
_TOP_LEVEL = ("oneOf", "anyOf", "allOf")


class UnusableSchema(ValueError):
    """`str(error)` says why, for the operator."""


def cleaned(schema: Any, *, limit: int) -> dict[str, Any]:
    """The schema as a model may be shown it; raises `UnusableSchema`.

    Descriptions are made plain and cut to `limit` characters. What the Messages API would refuse is refused here, so
    that one bad tool costs only itself: JSON Schema 2020-12, an object without alternatives at the top.
    """
    if not isinstance(schema, Mapping) or schema.get("type") != "object":
        raise UnusableSchema("its arguments are not an object")
    if any(word in schema for word in _TOP_LEVEL):
        raise UnusableSchema("its arguments have alternatives at the top level")
    shown: dict[str, Any] = _clean(schema, limit, depth=0)
    shown.pop("$schema", None)
    properties = shown.setdefault("properties", {})
    if not isinstance(properties, dict) or not all(_KEY.fullmatch(name) for name in properties):
        raise UnusableSchema("an argument has a name that models cannot use")
    if not _is_json_schema(shown):
        raise UnusableSchema("its arguments are not described in JSON Schema 2020-12")
    return shown


def _is_json_schema(schema: Mapping[str, Any]) -> bool:
    # Loaded with the first tool of a server: it takes a tenth of a second that a start need not wait for.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except (SchemaError, RecursionError):
        return False
    return True


def _clean(part: Any, limit: int, *, depth: int) -> Any:
    if depth > DEEP:
        raise UnusableSchema("its arguments are nested too deeply")
    if isinstance(part, Mapping):
        return {
            _visible(name): plain(value, limit=limit)
            if name in _WORDS and isinstance(value, str)
            else _clean(value, limit, depth=depth + 1)
            for name, value in _local(part).items()
        }
    if isinstance(part, list):
        return [_clean(value, limit, depth=depth + 1) for value in part]
    return _visible(part) if isinstance(part, str) else part


def _local(part: Mapping[str, Any]) -> Mapping[str, Any]:
    for word in ("$ref", "$dynamicRef"):
        if not str(part.get(word, "#")).startswith("#"):
            raise UnusableSchema("its arguments refer to another address")
    return part


def _visible(text: str) -> str:
    if plain(text) != text:
        raise UnusableSchema("its arguments hold text that nobody can see")
    return text
