"""Form fields for a tool's arguments, made from its JSON Schema."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from services.errors import BadArguments
from services.language import say
from services.tools.arguments import Schema, required_of, resolved
from ui.arguments import fields as argument_fields
from ui.arguments import things
from ui.arguments.names import label_of


def draw(schema: Schema, values: Mapping[str, Any], *, key: str, with_ids: bool = False) -> dict[str, Any]:
    """Draw a field for each argument that a person can read, and return the arguments as they stand now.

    What was not touched stays exactly as it was proposed, ids and left-out defaults included; an optional one that was
    emptied is left out. `is_unclear` then says whether a field tells of something wrong in it. with_ids: show fields
    for ids, too, where nobody has proposed any.
    """
    argument_fields.hush()
    required = required_of(schema)
    properties = schema["properties"].items()
    fields = {name: _whole(prop, schema) for name, prop in properties if with_ids or not name.endswith("_id")}
    first = {name: prop for name, prop in fields.items() if name in values or name in required}
    changed = things.changes(first, values, key)
    if others := {name: prop for name, prop in fields.items() if name not in first}:
        with st.expander(say("More")):
            changed |= things.changes(others, values, key)
    return things.settled(values, changed, required)


def is_unclear() -> bool:
    """Whether a field of the form that was drawn last tells of something wrong in it."""
    return argument_fields.has_told()


def unfit(error: BadArguments) -> str:
    """What is wrong for the person who filled in the form, with the field by the name it has there."""
    if error.field is None:
        return str(error)
    words, field = str(error).removeprefix(f"{error.field}: "), label_of(error.field)
    # Where the sentence is about the field, its name there is enough; it is not named twice.
    named, _, rest = words.partition(" ")
    is_subject = named == error.field
    return f"“{field}” {rest}" if is_subject else say("“{field}” does not fit yet: {words}", field=field, words=words)


def takes_enter(schema: Schema) -> bool:
    """Whether Enter in a field may send the form: not where it would press the button of a group of fields."""
    return not things.have_parts(_whole(prop, schema) for prop in schema["properties"].values())


def _whole(prop: object, schema: Schema) -> Schema:
    """The property with everything that it refers to, two levels deep."""
    found = resolved(prop, schema)
    if isinstance(items := found.get("items"), Mapping):
        found = {**found, "items": _with_parts(resolved(items, schema), schema)}
    return found


def _with_parts(items: Schema, schema: Schema) -> Schema:
    parts = items.get("properties")
    if not isinstance(parts, Mapping):
        return items
    return {**items, "properties": {name: resolved(part, schema) for name, part in parts.items()}}
