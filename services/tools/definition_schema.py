"""Schema of a tool's arguments as the model reads it: the same arguments, without what only a validator needs."""

import json
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]
_FOR_VALIDATORS = frozenset({"title", "minLength", "maxLength", "pattern", "uniqueItems"})
"""A model does not count characters, and a refused call says what would fit."""
_SAYS_NOTHING: Mapping[str, tuple[object, ...]] = {
    "default": (None, "", [], {}, False),
    "additionalProperties": (False, True),
    "required": ([],),
    "minimum": (0, 1),
    "minItems": (0, 1),
    "minProperties": (0, 1),
}
"""Values that a reader takes for granted: an argument left out is empty, and no other argument is named."""
_NAMED = frozenset({"properties", "$defs"})
"""Keywords whose keys are names of arguments, not keywords."""
_DEFINITIONS = "#/$defs/"


def definition_schema(schema: Schema) -> dict[str, Any]:
    """Shorten a schema that pydantic made: references written out, no null, no titles, lengths, patterns.

    Only for schemas from our own signatures: null means there that an optional argument is left out.
    """
    defined = schema.get("$defs", {})
    if "$ref" in json.dumps(defined):
        # Definitions that name one another may do so in a circle: they stay where they are.
        return _shortened(schema, {})
    return _shortened({name: value for name, value in schema.items() if name != "$defs"}, defined)


def _shortened(schema: Schema, defined: Schema) -> dict[str, Any]:
    found = _resolved(schema, defined)
    return {
        name: _value(name, value, found, defined)
        for name, value in found.items()
        if name not in _FOR_VALIDATORS and not _says_nothing(name, value)
    }


def _value(name: str, value: Any, around: Schema, defined: Schema) -> Any:
    if name in _NAMED:
        required = around.get("required", ())
        return {
            key: part if key in required and _takes_null(part) else _shortened(part, defined)
            for key, part in value.items()
        }
    if name == "items" and isinstance(value, Mapping):
        # What the list is of is said of the list; the docstring of a class would say it again.
        hidden = {"description"} if "description" in around and "$ref" in value else set()
        return {key: part for key, part in _shortened(value, defined).items() if key not in hidden}
    if isinstance(value, Mapping) and name == "additionalProperties":
        return _shortened(value, defined)
    if name in ("anyOf", "oneOf", "allOf"):
        return [_shortened(choice, defined) for choice in value]
    return value


def _resolved(schema: Schema, defined: Schema) -> Schema:
    """Follow a reference and the only choice besides null; what stands beside them is said of this place and wins."""
    found = schema
    if (name := str(found.get("$ref", "")).removeprefix(_DEFINITIONS)) in defined:
        found = {**defined[name], **{key: value for key, value in found.items() if key != "$ref"}}
    choices = [choice for choice in found.get("anyOf", ()) if choice.get("type") != "null"]
    if len(choices) == 1:
        rest = {key: value for key, value in found.items() if key != "anyOf"}
        found = {**_resolved(choices[0], defined), **rest}
    return found


def _says_nothing(name: str, value: object) -> bool:
    # By type as well: 0 == False in Python.
    return any(type(value) is type(empty) and value == empty for empty in _SAYS_NOTHING.get(name, ()))


def _takes_null(part: Schema) -> bool:
    """Whether null is one of its values; of an argument that must be given it means something."""
    return any(choice.get("type") == "null" for choice in part.get("anyOf", ()))
