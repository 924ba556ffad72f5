"""JSON Schemas that a server wrote: cleaned for the model, and used to check arguments with bounded effort."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from services.errors import BadArguments
from services.safety.text import plain

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

DEEP = 40

STEPS = 5_000
"""Keywords of a schema that one check may visit: references can make a small schema take practically for ever."""

_PATTERNS = ("pattern", "patternProperties")
_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_WORDS = ("description", "title", "$comment")
_TOP_LEVEL = ("oneOf", "anyOf", "allOf")


class UnusableSchema(ValueError):
    """Schema that cannot be used; `str(error)` says why, for the operator."""


def clean_schema(schema: Any, *, limit: int) -> dict[str, Any]:
    """Clean a schema for the model; raises `UnusableSchema`.

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


def check_arguments(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments when they fit the schema; raises `BadArguments`.

    Patterns are left to the server: its regular expressions could keep this whole process busy.
    """
    # Loaded with the first call of a server's tool: it takes a tenth of a second that a start need not wait for.
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    steps = iter(range(STEPS))
    rules = {name: rule for name, rule in Draft202012Validator.VALIDATORS.items() if name not in _PATTERNS}
    kind = extend(Draft202012Validator, {name: partial(_counted, steps, rule) for name, rule in rules.items()})
    validator: Validator = kind(_without_patterns(schema), registry=Registry())
    try:
        problem = next(validator.iter_errors(dict(arguments)), None)
    except (Unresolvable, RecursionError, _TooComplex):
        raise BadArguments("The arguments cannot be checked: the tool's schema is broken.") from None
    if problem is not None:
        field = ".".join(str(part) for part in problem.absolute_path) or "arguments"
        raise BadArguments(f"{field}: {_words(problem)}", field=field)
    return dict(arguments)


class _TooComplex(Exception):
    pass


def _counted(steps: Iterator[int], rule: Any, validator: Any, value: Any, instance: Any, schema: Any) -> Any:
    if next(steps, None) is None:
        raise _TooComplex
    return rule(validator, value, instance, schema)


def _words(problem: "ValidationError") -> str:
    """What to correct, without repeating the value."""
    rule, wanted = problem.validator, problem.validator_value
    if rule == "required" and isinstance(problem.instance, Mapping):
        missing = [name for name in wanted if name not in problem.instance]
        return f"{', '.join(map(str, missing[:5]))} is missing"
    if rule == "additionalProperties" and isinstance(problem.instance, Mapping):
        known = problem.schema.get("properties", {}) if isinstance(problem.schema, Mapping) else {}
        unknown = [name for name in problem.instance if name not in known]
        return f"{', '.join(unknown[:5])[:100]} is not an argument of this tool"
    return f"does not fit {rule} {str(wanted)[:200]}"


def _without_patterns(part: Any) -> Any:
    if isinstance(part, Mapping):
        is_open = "patternProperties" in part
        hidden = (*_PATTERNS, *(("additionalProperties", "unevaluatedProperties") if is_open else ()))
        return {name: _without_patterns(value) for name, value in part.items() if name not in hidden}
    return [_without_patterns(value) for value in part] if isinstance(part, list) else part
