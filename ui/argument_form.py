"""Form fields for a tool's arguments, made from its JSON Schema."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

LONG_TEXT = 80
"""Texts longer than this get several lines to be edited in."""


def draw(schema: Mapping[str, Any], values: Mapping[str, Any], *, key: str) -> dict[str, Any]:
    """Draw one field for each property and return the arguments as they stand now; empty optional ones are left out."""
    required = set(schema.get("required", ()))
    edited: dict[str, Any] = {}
    for name, prop in schema["properties"].items():
        value = _field(
            name, prop, values.get(name, prop.get("default")), required=name in required, key=f"{key}-{name}"
        )
        if value not in (None, "", []) or name in required:
            edited[name] = value
    return edited


def _field(name: str, prop: Mapping[str, Any], value: Any, *, required: bool, key: str) -> Any:
    label = name.replace("_", " ").capitalize() + ("" if required else " (optional)")
    kind = _kind(prop)
    if kind == "boolean":
        return st.checkbox(label, value=bool(value), key=key, help=prop.get("description"))
    if "enum" in prop:
        return st.selectbox(
            label, prop["enum"], index=_index(prop["enum"], value), key=key, help=prop.get("description")
        )
    if kind in ("integer", "number"):
        return st.number_input(
            label, value=value, step=1 if kind == "integer" else 0.5, key=key, help=prop.get("description")
        )
    if kind == "array":
        return _list(label, prop, value, key)
    text = "" if value is None else str(value)
    draw_text = st.text_area if len(text) > LONG_TEXT or "\n" in text else st.text_input
    return draw_text(label, value=text, key=key, help=prop.get("description"))


def _list(label: str, prop: Mapping[str, Any], value: Any, key: str) -> list[Any]:
    """A list is edited as words with commas between them; whole numbers stay numbers."""
    text = st.text_input(
        f"{label}, with commas", value=", ".join(map(str, value or [])), key=key, help=prop.get("description")
    )
    words = [word.strip() for word in text.split(",") if word.strip()]
    return [int(word) if word.lstrip("-").isdecimal() else word for word in words]


def _kind(prop: Mapping[str, Any]) -> str:
    """The JSON type; of `anyOf` with null, the other one."""
    if "type" in prop:
        return str(prop["type"])
    return next((str(one["type"]) for one in prop.get("anyOf", ()) if one.get("type") not in (None, "null")), "string")


def _index(options: list[Any], value: Any) -> int:
    return options.index(value) if value in options else 0
