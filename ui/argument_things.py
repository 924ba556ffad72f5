"""Arguments with parts of their own: a group of fields for each thing of a list, and a field for each name of a map.

Groups and names are added and removed inside the form that they stand in.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from services.language import say
from services.safety.text import literal
from ui import argument_fields
from ui.argument_fields import DAY, MOMENT, Schema
from ui.argument_names import label_of

SIMPLE = ("string", "integer", "number", "boolean")
BLANK = (None, "", False)
KEPT = ":kept"
"""Ends the name in the session of the numbers of those that are still there."""


def changes(fields: Mapping[str, Schema], values: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Draw each field, and give what differs from `values` now; None for what was emptied."""
    changed: dict[str, Any] = {}
    for name, prop in fields.items():
        shown = values.get(name, prop.get("default"))
        value = _drawn(name, prop, shown, f"{key}-{name}")
        if value != shown and not (shown in BLANK and value in (*BLANK, [], {})):
            changed[name] = None if value == "" else value
    return changed


def settled(values: Mapping[str, Any], required: Iterable[str]) -> dict[str, Any]:
    """Without what was emptied, unless it must be there: then it is "", for the tool to refuse."""
    needed = set(required)
    return {
        name: "" if value is None else value for name, value in values.items() if value is not None or name in needed
    }


def have_parts(fields: Iterable[Schema]) -> bool:
    """Whether one of these draws buttons of its own, which Enter in a field must not press."""
    return any(_lists_things(prop) or _names_its_own(prop) for prop in fields)


def forget(key: str) -> None:
    """Begin a form anew: what was added and removed in it before no longer counts."""
    for name in [str(name) for name in st.session_state]:
        if name.startswith(f"{key}-") and name.endswith(KEPT):
            del st.session_state[name]


def _drawn(name: str, prop: Schema, shown: Any, key: str) -> Any:
    if _lists_things(prop) and (shown is None or _all(shown, list, Mapping)):
        return _things(label_of(name), prop, shown, key)
    if _names_its_own(prop) and (shown is None or _is_plain_map(shown)):
        return _pairs(label_of(name), prop["additionalProperties"], shown, key)
    return argument_fields.draw(label_of(name), prop, shown, key=key)


def _lists_things(prop: Schema) -> bool:
    items = prop.get("items")
    parts = items.get("properties") if prop.get("type") == "array" and isinstance(items, Mapping) else None
    return (
        isinstance(parts, Mapping) and bool(parts) and all(_is_simple(p) or _names_its_own(p) for p in parts.values())
    )


def _names_its_own(prop: Schema) -> bool:
    return prop.get("type") == "object" and not prop.get("properties") and _is_simple(prop.get("additionalProperties"))


def _is_simple(prop: Any) -> bool:
    return isinstance(prop, Mapping) and ("enum" in prop or prop.get("type") in SIMPLE)


def _all(values: Any, kind: type, part: type) -> bool:
    return isinstance(values, kind) and all(isinstance(one, part) for one in values)  # type: ignore[attr-defined]


def _is_plain_map(value: Any) -> bool:
    return isinstance(value, Mapping) and not any(isinstance(one, list | Mapping) for one in value.values())


def _things(label: str, prop: Schema, value: Sequence[Mapping[str, Any]] | None, key: str) -> Any:
    """The list as it stands now: `value` itself when nothing was changed."""
    proposed, items = list(value or ()), prop["items"]
    _heading(label, prop)
    things = []
    for place, number in enumerate(_kept(key, len(proposed)), 1):
        given = proposed[number] if number < len(proposed) else {}
        with st.container(border=True, key=f"thing-{key}-{number}", gap="small"):
            thing = _thing(items, given, proposed, f"{key}-{number}")
            _remove(key, number, say("Remove {n}", n=place))
        # One that was added and left blank is no thing yet.
        if thing:
            things.append(thing)
    _add(key, len(proposed))
    return value if things == proposed else things


def _thing(items: Schema, given: Mapping[str, Any], others: Sequence[Mapping[str, Any]], key: str) -> dict[str, Any]:
    required = items.get("required", ())
    fields = {name: _like(name, prop, given, others) for name, prop in items["properties"].items()}
    plain = {name: prop for name, prop in fields.items() if not _names_its_own(prop)}
    thing = {**given, **changes(plain, given, key)}
    for name in fields.keys() - plain.keys():
        known = dict.fromkeys(own for one in (given, *others) for own in one.get(name) or ())
        now = _values(fields[name]["additionalProperties"], given.get(name) or {}, known, f"{key}-{name}")
        thing |= {name: now} if now != (given.get(name) or {}) else {}
    missing = [name for name in required if thing and thing.get(name) in (None, "")]
    for name in missing:
        told = say("Fill in “{field}”, or remove this one.", field=label_of(name))
        st.markdown(f":red[{literal(told)}]")
    return settled(thing, required)


def _like(name: str, prop: Schema, given: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> Schema:
    """A text that is a day in the others is picked as one here, too."""
    is_text = prop.get("type") == "string" and "enum" not in prop and "format" not in prop
    if is_text and not given.get(name) and any(_is_day(one.get(name)) for one in others):
        return {**prop, "format": "date"}
    return prop


def _is_day(value: Any) -> bool:
    return isinstance(value, str) and bool(DAY.fullmatch(value) or MOMENT.fullmatch(value))


def _values(each: Schema, given: Mapping[str, Any], known: Iterable[str], key: str) -> dict[str, Any]:
    """A field for each name that this thing or another has something for; what is empty is left out."""
    values = {}
    for number, name in enumerate(known):
        value = argument_fields.draw(name, each, given.get(name), key=f"{key}-{number}")
        if value not in (None, "") or (name in given and value == given[name]):
            values[name] = value
    return values


def _pairs(label: str, each: Schema, value: Mapping[str, Any] | None, key: str) -> Any:
    """The map as it stands now: `value` itself when nothing was changed. A text that was emptied stays, as ""."""
    given = dict(value or {})
    names, now = list(given), {}
    _heading(label, {})
    for number in _kept(key, len(names)):
        with st.container(key=f"pair-{key}-{number}", gap="small", border=True):
            if number < len(names):
                name = names[number]
                now[name] = argument_fields.draw(name, each, given[name], key=f"{key}-{number}")
            else:
                name = argument_fields.draw(label_of("name"), {}, "", key=f"{key}-{number}-name")
                now[name] = argument_fields.draw(label_of("value"), each, None, key=f"{key}-{number}-value")
            _remove(key, number, say("Remove {name}", name=literal(name or label_of("name"))))
    _add(key, len(names))
    now = {name: one for name, one in now.items() if name and one is not None}
    return value if now == given else now


def _heading(label: str, prop: Schema) -> None:
    words = prop.get("description")
    st.markdown(f"**{literal(label)}**", help=literal(str(words)) if words else None)


def _kept(key: str, proposed: int) -> list[int]:
    kept: list[int] = st.session_state.setdefault(key + KEPT, list(range(proposed)))
    return kept


def _add(key: str, proposed: int) -> None:
    st.form_submit_button(
        say("Add one"), key=f"{key}:add", icon=":material/add:", on_click=_one_more, args=(key, proposed)
    )


def _remove(key: str, number: int, label: str) -> None:
    st.form_submit_button(
        label,
        key=f"{key}:remove-{number}",
        icon=":material/close:",
        type="tertiary",
        on_click=_drop,
        args=(key, number),
    )


def _one_more(key: str, proposed: int) -> None:
    kept = st.session_state[key + KEPT]
    st.session_state[key + KEPT] = [*kept, max([*kept, proposed - 1]) + 1]


def _drop(key: str, number: int) -> None:
    st.session_state[key + KEPT] = [one for one in st.session_state[key + KEPT] if one != number]
