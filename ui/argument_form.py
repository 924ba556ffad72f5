"""Form fields for a tool's arguments, made from its JSON Schema."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from services.language import say
from services.tools.arguments import Schema, resolved
from ui import argument_fields
from ui.argument_names import label_of


def draw(schema: Schema, values: Mapping[str, Any], *, key: str, with_ids: bool = False) -> dict[str, Any]:
    """Draw a field for each argument that a person can read, and return the arguments as they stand now.

    What was not touched stays exactly as it was proposed, ids and left-out defaults included; an optional one that was
    emptied is left out. with_ids: show fields for ids, too, where nobody has proposed any.
    """
    required = set(schema.get("required", ()))
    properties = schema["properties"].items()
    fields = {name: _whole(prop, schema) for name, prop in properties if with_ids or not name.endswith("_id")}
    first = {name: prop for name, prop in fields.items() if name in values or name in required}
    edited = dict(values)
    edited |= _changes(first, values, key)
    if others := {name: prop for name, prop in fields.items() if name not in first}:
        with st.expander(say("More")):
            edited |= _changes(others, values, key)
    return {
        name: "" if value is None else value for name, value in edited.items() if value is not None or name in required
    }


def _whole(prop: Schema, schema: Schema) -> Schema:
    found = resolved(prop, schema)
    items = found.get("items")
    return {**found, "items": resolved(items, schema)} if isinstance(items, Mapping) else found


def _changes(fields: Mapping[str, Schema], values: Mapping[str, Any], key: str) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for name, prop in fields.items():
        shown = values.get(name, prop.get("default"))
        value = argument_fields.draw(label_of(name), prop, shown, key=f"{key}-{name}")
        if value != shown and not (shown in (None, "", False) and value in (None, "", False, [])):
            changed[name] = None if value == "" else value
    return changed
