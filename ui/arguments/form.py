"""Form fields for a tool's arguments, made from its JSON Schema."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from services.errors import BadArguments
from services.i18n import gettext
from services.tools.arguments import Schema, required_of, resolved
from ui.arguments import fields as argument_fields
from ui.arguments import things
from ui.arguments.names import label_of

FEW = 3
"""So many optional fields stand open where there are no others: a form of nothing but "More" looks empty."""


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """What a tool said against arguments: by the name of each, for the person who filled them in."""

    arguments: Mapping[str, Any]
    wrong: Mapping[str, str]


def draw(
    schema: Schema,
    values: Mapping[str, Any],
    *,
    key: str,
    with_ids: bool = False,
    refusal: Refusal | None = None,
) -> dict[str, Any]:
    """Draw a field for each argument that a person can read, and return the arguments as they stand now.

    What was not touched stays exactly as it was proposed, ids and left-out defaults included; an optional one that was
    emptied is left out. `is_unclear` then says whether a field tells of something wrong in it. with_ids: show fields
    for ids, too, where nobody has proposed any. refusal: told under each field that still stands as it was refused.
    """
    argument_fields.hush()
    required = required_of(schema)
    properties = schema["properties"].items()
    fields = {name: _whole(prop, schema) for name, prop in properties if with_ids or not name.endswith("_id")}
    first = {name: prop for name, prop in fields.items() if name in values or name in required}
    if not first and len(fields) <= FEW:
        first = fields
    changed = _changes(first, values, key, refusal)
    if others := {name: prop for name, prop in fields.items() if name not in first}:
        with st.expander(gettext("More"), expanded=bool(refusal and not refusal.wrong.keys().isdisjoint(others))):
            changed |= _changes(others, values, key, refusal)
    return things.settled(values, changed, required)


def _changes(
    fields: Mapping[str, Schema], values: Mapping[str, Any], key: str, refusal: Refusal | None
) -> dict[str, Any]:
    if refusal is None:
        return things.changes(fields, values, key)
    changed: dict[str, Any] = {}
    for name, prop in fields.items():
        told = argument_fields.times_told()
        changed |= things.changes({name: prop}, values, key)
        now, then = changed.get(name, values.get(name)), refusal.arguments.get(name)
        is_as_refused = now == then or not (now or then)
        if name in refusal.wrong and is_as_refused and argument_fields.times_told() == told:
            argument_fields.show(refusal.wrong[name])
    return changed


def is_unclear() -> bool:
    """Whether a field of the form that was drawn last tells of something wrong in it."""
    return argument_fields.times_told() > 0


def refused(arguments: Mapping[str, Any], error: BadArguments) -> Refusal:
    """What the tool said, gathered under the argument that each part of it is about."""
    wrong: dict[str, list[str]] = {}
    for place, words in error.wrong.items():
        name, *inside = place.split(".")
        named = [part for part in inside if not part.isdigit()]
        told = _under_its_field(place, words)
        told = gettext("“{field}” does not fit yet: {words}", field=label_of(named[-1]), words=told) if named else told
        wrong.setdefault(name, []).append(told)
    return Refusal(arguments=arguments, wrong={name: " ".join(told) for name, told in wrong.items()})


def shows(schema: Schema, names: Iterable[str]) -> bool:
    """Whether each of these arguments has a field in the form."""
    return all(name in schema["properties"] and not name.endswith("_id") for name in names)


def unfit(error: BadArguments) -> str:
    """What is wrong for the person who filled in the form, with the field by the name it has there."""
    if error.field is None:
        return error.said
    words, field = _under_its_field(error.field, error.said), label_of(error.field)
    # Where the sentence is about the field, its name there is enough; it is not named twice.
    is_named = words.startswith(f"“{field}” ")
    return words if is_named else gettext("“{field}” does not fit yet: {words}", field=field, words=words)


def _under_its_field(place: str, sentence: str) -> str:
    """Without the argument's place in front; where the sentence begins with its name, that is the one of the form."""
    words = sentence.removeprefix(f"{place}: ")
    named, _, rest = words.partition(" ")
    return f"“{label_of(named)}” {rest}" if named == place else words


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
