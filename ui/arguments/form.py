"""Form for a tool's arguments, generated from its JSON Schema, with the errors of a refusal."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from services.errors import BadArguments
from services.i18n import gettext
from services.tools.schema_text import Schema, required_names, resolve_property
from ui.arguments.fields import field_error_count, field_label, reset_field_errors, show_field_error
from ui.arguments.nested_fields import apply_changes, draw_fields, have_nested_fields

MOST_OPEN_OPTIONAL = 3
"""Optional fields that stand open when there are no others: a form of nothing but "More" looks empty."""


@dataclass(frozen=True, kw_only=True)
class ArgumentErrors:
    """Refused arguments, and the tool's message for each, in words for the person who filled them in."""

    arguments: Mapping[str, Any]
    wrong: Mapping[str, str]


def draw_form(
    schema: Schema,
    values: Mapping[str, Any],
    *,
    key: str,
    with_ids: bool = False,
    refusal: ArgumentErrors | None = None,
) -> dict[str, Any]:
    """Draw a field for each argument that a person can read, and return the arguments as they stand now.

    Untouched arguments stay exactly as proposed, ids and omitted defaults included; an optional one that was
    emptied is left out. `has_field_errors` then says whether a field shows an error. with_ids: draw fields for ids,
    too, where nobody has proposed any. refusal: shown under each field whose value is still the refused one.
    """
    reset_field_errors()
    required = required_names(schema)
    properties = schema["properties"].items()
    fields = {
        name: _resolve_references(prop, schema) for name, prop in properties if with_ids or not name.endswith("_id")
    }
    first = {name: prop for name, prop in fields.items() if name in values or name in required}
    if not first and len(fields) <= MOST_OPEN_OPTIONAL:
        first = fields
    changed = _draw_with_errors(first, values, key, refusal)
    if others := {name: prop for name, prop in fields.items() if name not in first}:
        with st.expander(gettext("More"), expanded=bool(refusal and not refusal.wrong.keys().isdisjoint(others))):
            changed |= _draw_with_errors(others, values, key, refusal)
    return apply_changes(values, changed, required)


def _draw_with_errors(
    fields: Mapping[str, Schema], values: Mapping[str, Any], key: str, refusal: ArgumentErrors | None
) -> dict[str, Any]:
    if refusal is None:
        return draw_fields(fields, values, key)
    changed: dict[str, Any] = {}
    for name, prop in fields.items():
        errors_before = field_error_count()
        changed |= draw_fields({name: prop}, values, key)
        now, then = changed.get(name, values.get(name)), refusal.arguments.get(name)
        is_as_refused = now == then or not (now or then)
        if name in refusal.wrong and is_as_refused and field_error_count() == errors_before:
            show_field_error(refusal.wrong[name])
    return changed


def has_field_errors() -> bool:
    """Whether a field of the form that was drawn last shows an error."""
    return field_error_count() > 0


def errors_by_argument(arguments: Mapping[str, Any], error: BadArguments) -> ArgumentErrors:
    """Group the tool's messages by the argument that each is about."""
    wrong: dict[str, list[str]] = {}
    for path, words in error.wrong.items():
        name, *inside = path.split(".")
        named = [part for part in inside if not part.isdigit()]
        message = _with_label(path, words)
        if named:
            message = gettext("“{field}” does not fit yet: {words}", field=field_label(named[-1]), words=message)
        wrong.setdefault(name, []).append(message)
    return ArgumentErrors(arguments=arguments, wrong={name: " ".join(messages) for name, messages in wrong.items()})


def has_fields_for(schema: Schema, names: Iterable[str]) -> bool:
    """Whether each of these arguments has a field in the form."""
    return all(name in schema["properties"] and not name.endswith("_id") for name in names)


def error_message(error: BadArguments) -> str:
    """Message for the person who filled in the form, with the field under its label."""
    if error.field is None:
        return error.said
    words, field = _with_label(error.field, error.said), field_label(error.field)
    # A sentence that begins with the field's label need not repeat it.
    is_named = words.startswith(f"“{field}” ")
    return words if is_named else gettext("“{field}” does not fit yet: {words}", field=field, words=words)


def _with_label(path: str, sentence: str) -> str:
    """Message without the argument's path in front; a leading argument name becomes its label."""
    words = sentence.removeprefix(f"{path}: ")
    named, _, rest = words.partition(" ")
    return f"“{field_label(named)}” {rest}" if named == path else words


def submits_on_enter(schema: Schema) -> bool:
    """Whether Enter may submit the form: not where it would press the button of a group of fields."""
    return not have_nested_fields(_resolve_references(prop, schema) for prop in schema["properties"].values())


def _resolve_references(prop: object, schema: Schema) -> Schema:
    """Property with its references resolved, two levels deep."""
    found = resolve_property(prop, schema)
    if isinstance(items := found.get("items"), Mapping):
        found = {**found, "items": _resolve_parts(resolve_property(items, schema), schema)}
    return found


def _resolve_parts(items: Schema, schema: Schema) -> Schema:
    parts = items.get("properties")
    if not isinstance(parts, Mapping):
        return items
    return {**items, "properties": {name: resolve_property(part, schema) for name, part in parts.items()}}
