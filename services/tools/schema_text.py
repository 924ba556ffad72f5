"""Plain-text description of a JSON Schema: one line for each argument, nested ones after their parent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from services.safety.text import plain

MOST_LINES = 60
DEEPEST = 4
INTO = " › "
_KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "yes or no",
    "array": "list",
    "object": "fields",
}
_FORMATS = {"date": "day", "time": "time of day", "date-time": "day and time", "uri": "address", "email": "e-mail"}

Schema = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ArgumentDescription:
    """Description of one argument. name: with the arguments around it ("steps › title"). kind: in words. words: what it
    means; plain text.
    """

    name: str
    kind: str
    is_required: bool
    words: str


def describe_arguments(schema: Schema) -> Sequence[ArgumentDescription]:
    """The arguments in their own order; at most `MOST_LINES`, and nested no deeper than `DEEPEST`."""
    return list(islice(_arguments(schema, schema, ()), MOST_LINES))


def resolve_property(prop: object, whole: Schema) -> Schema:
    """Resolve a property: references followed, null left out of the choice.

    {} for what describes nothing: a property may be just `true`.
    """
    if not isinstance(prop, Mapping):
        return {}
    for _ in range(DEEPEST):
        found = _referred(prop, whole) or _only_choice(prop)
        if found is None:
            return prop
        # What stands beside a reference or a choice is said of the place: its description, its default.
        prop = {**found, **{name: value for name, value in prop.items() if name not in ("$ref", "anyOf", "oneOf")}}
    return prop


def required_names(schema: Schema) -> Sequence[str]:
    """The names of the required properties."""
    required = schema.get("required")
    return [name for name in required if isinstance(name, str)] if isinstance(required, list | tuple) else []


def _arguments(schema: Schema, whole: Schema, around: tuple[str, ...]) -> Iterator[ArgumentDescription]:
    required = required_names(schema)
    for name, given in _properties(schema).items():
        prop, path = resolve_property(given, whole), (*around, name)
        yield ArgumentDescription(
            name=INTO.join(plain(name) for name in path),
            kind=_kind(prop, whole),
            is_required=name in required,
            words=_words(prop),
        )
        if len(path) < DEEPEST:
            yield from _arguments(_inside(prop, whole), whole, path)


def _properties(schema: Schema) -> Mapping[str, Schema]:
    found = schema.get("properties")
    if not isinstance(found, Mapping):
        return {}
    return {name: prop for name, prop in found.items() if isinstance(prop, Mapping)}


def _inside(prop: Schema, whole: Schema) -> Schema:
    """The object that an argument is, or is a list of."""
    items = prop.get("items")
    return resolve_property(items, whole) if isinstance(items, Mapping) else prop


def _kind(prop: Schema, whole: Schema, depth: int = 0) -> str:
    if isinstance(values := prop.get("enum"), list):
        return plain("one of " + ", ".join(str(value) for value in values))
    if depth < DEEPEST and (choices := _choices(prop)):
        return " or ".join(
            dict.fromkeys(_kind(resolve_property(choice, whole), whole, depth + 1) for choice in choices)
        )
    if depth < DEEPEST and prop.get("type") == "array" and isinstance(items := prop.get("items"), Mapping):
        return f"list of {_kind(resolve_property(items, whole), whole, depth + 1)}"
    return _FORMATS.get(str(prop.get("format")), _KINDS.get(str(prop.get("type")), "anything"))


def _words(prop: Schema) -> str:
    notes = [str(prop.get("description") or "").strip()]
    low, high = prop.get("minimum"), prop.get("maximum")
    if low is not None and high is not None:
        notes.append(f"From {low} to {high}.")
    if (default := prop.get("default")) not in (None, "", [], {}):
        notes.append(f"{_default(default)} when left out.")
    return plain(" ".join(note for note in notes if note))


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return ", ".join(str(item) for item in value) if isinstance(value, list | tuple) else str(value)


def _referred(prop: Schema, whole: Schema) -> Schema | None:
    reference = prop.get("$ref")
    named = whole.get("$defs")
    found = named.get(str(reference).rpartition("/")[2]) if reference and isinstance(named, Mapping) else None
    return found if isinstance(found, Mapping) else None


def _only_choice(prop: Schema) -> Schema | None:
    choices = _choices(prop)
    return choices[0] if len(choices) == 1 else None


def _choices(prop: Schema) -> Sequence[Schema]:
    given = prop.get("anyOf") or prop.get("oneOf")
    found = given if isinstance(given, list) else []
    return [choice for choice in found if isinstance(choice, Mapping) and choice.get("type") != "null"]
