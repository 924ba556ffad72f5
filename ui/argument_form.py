"""Form fields for a tool's arguments, made from its JSON Schema."""

import json
import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

import streamlit as st

from services.safety.text import literal
from services.tools.arguments import resolved

LONG_TEXT = 80
"""Texts longer than this get several lines to be edited in."""
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
STEP = timedelta(minutes=15)

Schema = Mapping[str, Any]


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
        with st.expander("More"):
            edited |= _changes(others, values, key)
    return {
        name: "" if value is None else value for name, value in edited.items() if value is not None or name in required
    }


def label_of(name: str) -> str:
    """What an argument is called on the form."""
    return name.replace("_", " ").capitalize()


def _whole(prop: Schema, schema: Schema) -> Schema:
    found = resolved(prop, schema)
    items = found.get("items")
    return {**found, "items": resolved(items, schema)} if isinstance(items, Mapping) else found


def _has_parts(prop: Schema) -> bool:
    items = prop.get("items")
    return isinstance(items, Mapping) and items.get("type") in ("object", "array")


def _changes(fields: Mapping[str, Schema], values: Mapping[str, Any], key: str) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for name, prop in fields.items():
        shown = values.get(name, prop.get("default"))
        value = _field(name, prop, shown, key=f"{key}-{name}")
        if value != shown and not (shown in (None, "", False) and value in (None, "", False, [])):
            changed[name] = None if value == "" else value
    return changed


def _field(name: str, prop: Schema, value: Any, *, key: str) -> Any:
    # Names and words of a server's tool are not ours: they are shown as their very text.
    label, words = literal(label_of(name)), prop.get("description")
    common = {"key": key, "help": literal(str(words)) if words else None}
    match prop.get("type", "string"):
        case "boolean":
            return st.checkbox(label, value=bool(value), **common)
        case "integer" | "number" as kind:
            return st.number_input(label, value=value, step=1 if kind == "integer" else 0.5, **common)
        case "object":
            return _json(label, value, common)
        case "array" if _has_parts(prop):
            return _json(label, value, common)
        case "array":
            return _list(label, value, common)
    if "enum" in prop:
        options = list(prop["enum"])
        return st.selectbox(label, options, index=options.index(value) if value in options else None, **common)
    return _text(label, prop, value, common)


def _text(label: str, prop: Schema, value: Any, common: Mapping[str, Any]) -> Any:
    text = "" if value is None else str(value)
    if MOMENT.fullmatch(text):
        picked = st.datetime_input(label, value=datetime.fromisoformat(text), step=STEP, format="YYYY-MM-DD", **common)
        return picked.isoformat(timespec="minutes") if picked else ""
    if DAY.fullmatch(text) or (prop.get("format") == "date" and not text):
        day = st.date_input(label, value=date.fromisoformat(text) if text else None, format="YYYY-MM-DD", **common)
        return day.isoformat() if day else ""
    if prop.get("format") == "time" and re.fullmatch(r"(\d\d:\d\d)?", text):
        at = st.time_input(label, value=time.fromisoformat(text) if text else None, step=STEP, **common)
        return at.isoformat(timespec="minutes") if at else ""
    draw_text = st.text_area if len(text) > LONG_TEXT or "\n" in text else st.text_input
    return draw_text(label, value=text, **common)


def _json(label: str, value: Any, common: Mapping[str, Any]) -> Any:
    """What has parts of its own is written as JSON; what is none goes on as text, for the tool's schema to refuse."""
    shown = "" if value is None else json.dumps(value, ensure_ascii=False, indent=1)
    text = st.text_area(f"{label}, as JSON", value=shown, **common)
    try:
        return json.loads(text) if text.strip() else None
    except ValueError:
        return text


def _list(label: str, value: Any, common: Mapping[str, Any]) -> list[Any]:
    """A list is edited as words with commas between them; whole numbers stay numbers."""
    text = st.text_input(f"{label}, with commas", value=", ".join(map(str, value or [])), **common)
    words = [word.strip() for word in text.split(",") if word.strip()]
    return [int(word) if word.lstrip("-").isdecimal() else word for word in words]
