"""Nested fields: a group of fields for each item of a list, and a field for each key of a map.

Items and keys are added and removed inside the form.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from services.i18n import gettext
from services.safety.text import literal
from services.tools.schema_text import required_names
from ui.arguments.fields import DATE_TIME, DAY, Schema, draw_field, field_label, item_label, report_field_error
from ui.arguments.parsers import DATE_TIME_PICKER

SIMPLE = ("string", "integer", "number", "boolean")
MOST_FIELDS = 300
"""An argument with more of them is edited as JSON: each field costs milliseconds on every run."""
KEPT_NUMBERS = ":kept"
"""Suffix of a key in the session state, which holds the numbers of the items that were not removed."""


def draw_fields(fields: Mapping[str, Schema], values: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Draw each field, and return what differs from `values` now; None for what was emptied."""
    changed: dict[str, Any] = {}
    for name, prop in fields.items():
        shown = values.get(name, prop.get("default"))
        value = _draw_by_schema(name, prop, shown, f"{key}-{name}")
        if value != shown and not (_is_blank(shown) and _is_blank(value)):
            changed[name] = None if value == "" else value
    return changed


def apply_changes(values: Mapping[str, Any], changed: Mapping[str, Any], required: Iterable[str]) -> dict[str, Any]:
    """Merge `changed` into `values`. What was emptied is left out, or "" if required, which the tool then refuses."""
    needed = set(required)
    emptied = {name for name, value in changed.items() if value is None}
    put = {name: "" if name in emptied else value for name, value in changed.items() if name not in emptied - needed}
    return {name: value for name, value in values.items() if name not in emptied} | put


def _is_blank(value: Any) -> bool:
    """Whether nothing is filled in; 0 is something."""
    return value is None or value is False or value in ("", [], {})


def have_nested_fields(fields: Iterable[Schema]) -> bool:
    """Whether one of these draws buttons of its own, which Enter in a field must not press."""
    return any(_is_list_of_objects(prop) or _is_free_map(prop) for prop in fields)


def reset_form(key: str) -> None:
    """Forget which items and keys were added or removed, as a new form begins."""
    for name in [str(name) for name in st.session_state]:
        if name.startswith(f"{key}-") and name.endswith(KEPT_NUMBERS):
            del st.session_state[name]


def _draw_by_schema(name: str, prop: Schema, shown: Any, key: str) -> Any:
    if _is_long(prop, shown):
        return draw_field(field_label(name), prop, shown, key=key)
    if _is_list_of_objects(prop) and (shown is None or _is_all_of(shown, list, Mapping)):
        return _draw_objects(field_label(name), prop, shown, key)
    if _is_free_map(prop) and (shown is None or _is_plain_map(shown)):
        return _draw_map(field_label(name), prop["additionalProperties"], shown, key)
    if _is_list_of_days(prop, shown):
        return _draw_days(name, prop, shown, key)
    return draw_field(field_label(name), prop, shown, key=key)


def _is_long(prop: Schema, shown: Any) -> bool:
    if not isinstance(shown, list | Mapping):
        return False
    if not _is_list_of_objects(prop):
        return len(shown) > MOST_FIELDS
    names = len(prop["items"]["properties"])
    for name, part in prop["items"]["properties"].items():
        names += len(_map_keys(shown, name)) if _is_free_map(part) else 0
    return len(shown) * names > MOST_FIELDS


def _is_list_of_days(prop: Schema, shown: Any) -> bool:
    """Whether it is a list of days or date-times, which are picked rather than typed."""
    is_list = prop.get("type") == "array" and _is_simple(items := prop.get("items")) and "enum" not in items
    return is_list and bool(shown) and _is_all_of(shown, list, str) and any(_is_day(item) for item in shown)


def _is_list_of_objects(prop: Schema) -> bool:
    items = prop.get("items")
    parts = items.get("properties") if prop.get("type") == "array" and isinstance(items, Mapping) else None
    return isinstance(parts, Mapping) and bool(parts) and all(_is_simple(p) or _is_free_map(p) for p in parts.values())


def _is_free_map(prop: Schema) -> bool:
    return prop.get("type") == "object" and not prop.get("properties") and _is_simple(prop.get("additionalProperties"))


def _is_simple(prop: Any) -> bool:
    return isinstance(prop, Mapping) and (isinstance(prop.get("enum"), list) or prop.get("type") in SIMPLE)


def _is_all_of(values: Any, kind: type, part: type) -> bool:
    return isinstance(values, kind) and all(isinstance(item, part) for item in values)  # type: ignore[attr-defined]


def _is_plain_map(value: Any) -> bool:
    return isinstance(value, Mapping) and not any(isinstance(item, list | Mapping) for item in value.values())


def _draw_objects(label: str, prop: Schema, value: Sequence[Mapping[str, Any]] | None, key: str) -> Any:
    """Draw a list of objects; returns `value` itself when nothing changed."""
    proposed, items = list(value or ()), prop["items"]
    _draw_heading(label, prop)
    objects = []
    for place, number in enumerate(_kept_numbers(key, len(proposed)), 1):
        given = proposed[number] if number < len(proposed) else {}
        with st.container(border=True, key=f"thing-{key}-{number}", gap="small"):
            filled = _draw_object(items, given, proposed, f"{key}-{number}")
            _draw_remove_button(key, number, gettext("Remove {n}", n=place))
        # An added item counts only once something is filled in.
        if filled or (not given and number < len(proposed)):
            objects.append(filled)
    _draw_add_button(key, len(proposed))
    return value if objects == proposed else objects


def _draw_object(
    items: Schema, given: Mapping[str, Any], others: Sequence[Mapping[str, Any]], key: str
) -> dict[str, Any]:
    required = required_names(items)
    fields = {name: _as_date_picker(name, prop, given, others) for name, prop in items["properties"].items()}
    maps = [name for name, prop in fields.items() if _is_free_map(prop) and _is_plain_map(given.get(name) or {})]
    filled = apply_changes(
        given, draw_fields({name: fields[name] for name in fields if name not in maps}, given, key), required
    )
    for name in maps:
        own = given.get(name) or {}
        now = _draw_map_values(
            fields[name]["additionalProperties"], own, _map_keys((given, *others), name), f"{key}-{name}"
        )
        filled |= {name: now} if now != own else {}
    for name in required:
        if filled and filled.get(name) in (None, "") and not (name in given and filled.get(name) == given[name]):
            report_field_error(gettext("Fill in “{field}”, or remove this one.", field=field_label(name)))
    return filled


def _map_keys(objects: Iterable[Any], name: str) -> list[str]:
    """Keys that any of these objects has in the map called `name`."""
    maps = [filled.get(name) for filled in objects if isinstance(filled, Mapping)]
    return list(dict.fromkeys(own for pairs in maps if isinstance(pairs, Mapping) for own in pairs))


def _as_date_picker(name: str, prop: Schema, given: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> Schema:
    """Property as a date picker, where the same text is a day in the other objects."""
    is_text = prop.get("type") == "string" and "enum" not in prop and "format" not in prop
    if is_text and not given.get(name) and any(_is_day(other.get(name)) for other in others):
        return {**prop, "format": "date"}
    return prop


def _is_day(value: Any) -> bool:
    return isinstance(value, str) and bool(DAY.fullmatch(value) or DATE_TIME.fullmatch(value))


def _draw_map_values(each: Schema, given: Mapping[str, Any], known: Iterable[str], key: str) -> dict[str, Any]:
    """Draw a field for each key that this object or another one uses; empty ones are left out."""
    values = {}
    for number, name in enumerate(known):
        value = draw_field(name, each, given.get(name), key=f"{key}-{number}")
        if value not in (None, "") or (name in given and value == given[name]):
            values[name] = value
    return values


def _draw_map(label: str, each: Schema, value: Mapping[str, Any] | None, key: str) -> Any:
    """Draw a map; returns `value` itself when nothing changed. A text that was emptied stays, as "".

    With a duplicate key it is no map, but a list of pairs, which the tool refuses.
    """
    given = dict(value or {})
    names, pairs = list(given), []
    _draw_heading(label, {})
    for number in _kept_numbers(key, len(names)):
        with st.container(key=f"pair-{key}-{number}", gap="small", border=True):
            if number < len(names):
                name = names[number]
                entry = draw_field(name, each, given[name], key=f"{key}-{number}")
                is_there = entry is not None or given[name] is None
            else:
                name = draw_field(field_label("name"), {}, "", key=f"{key}-{number}-name")
                entry = draw_field(field_label("value"), each, None, key=f"{key}-{number}-value")
                is_there = bool(name) and entry is not None
            if is_there and name in [other for other, _ in pairs]:
                report_field_error(gettext("“{name}” stands here twice.", name=name))
            pairs += [(name, entry)] if is_there else []
            _draw_remove_button(key, number, gettext("Remove {name}", name=literal(name or field_label("name"))))
    _draw_add_button(key, len(names))
    now = dict(pairs)
    if len(now) < len(pairs):
        return [list(pair) for pair in pairs]
    return value if now == given else now


def _draw_days(name: str, prop: Schema, value: Sequence[str], key: str) -> Any:
    """Draw a list of days, each with a picker; returns `value` itself when nothing changed."""
    each = {
        "type": "string",
        "format": DATE_TIME_PICKER if any(DATE_TIME.fullmatch(text) for text in value) else "date",
    }
    label = item_label(name)
    _draw_heading(field_label(name), prop)
    days = []
    for place, number in enumerate(_kept_numbers(key, len(value)), 1):
        given = value[number] if number < len(value) else ""
        with st.container(key=f"day-{key}-{number}", horizontal=True, vertical_alignment="bottom", gap="small"):
            with st.container(gap="xsmall"):
                day = draw_field(f"{label} {place}", each, given, key=f"{key}-{number}")
            _draw_remove_button(key, number, gettext("Remove {n}", n=place))
        # An added day counts only once it is filled in.
        days += [day] if day or (not given and number < len(value)) else []
    _draw_add_button(key, len(value))
    return value if days == value else days


def _draw_heading(label: str, prop: Schema) -> None:
    words = prop.get("description")
    st.markdown(f"**{literal(label)}**", help=literal(str(words)) if words else None)


def _kept_numbers(key: str, proposed: int) -> list[int]:
    kept: list[int] = st.session_state.setdefault(key + KEPT_NUMBERS, list(range(proposed)))
    return kept


def _draw_add_button(key: str, proposed: int) -> None:
    st.form_submit_button(
        gettext("Add one"), key=f"{key}:add", icon=":material/add:", on_click=_add_item, args=(key, proposed)
    )


def _draw_remove_button(key: str, number: int, label: str) -> None:
    st.form_submit_button(
        label,
        key=f"{key}:remove-{number}",
        icon=":material/close:",
        type="tertiary",
        on_click=_remove_item,
        args=(key, number),
    )


def _add_item(key: str, proposed: int) -> None:
    kept = st.session_state[key + KEPT_NUMBERS]
    st.session_state[key + KEPT_NUMBERS] = [*kept, max([*kept, proposed - 1]) + 1]


def _remove_item(key: str, number: int) -> None:
    st.session_state[key + KEPT_NUMBERS] = [other for other in st.session_state[key + KEPT_NUMBERS] if other != number]
