"""Form field of one argument, chosen by its JSON Schema, and labels; text that cannot be parsed is explained."""

import math
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

import streamlit as st

from services.i18n import formats, gettext, gettext_noop
from services.safety.text import literal
from services.tools.argument_names import FIELDS, inline_label
from ui.arguments.parsers import (
    DATE_TIME_PICKER,
    PARSERS,
    UnreadableText,
    format_value,
    parse_json,
    parse_lines,
    parse_list,
    parse_or_none,
)
from ui.local_time import as_heading
from ui.optional_fields import optional_choice, optional_date, optional_datetime, optional_number, optional_time

LONG_TEXT = 80
"""Longer texts get a field of several lines."""
DAY = re.compile(r"\d{4}-\d\d-\d\d")
DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
TIME = re.compile(r"\d\d:\d\d")
STEP = timedelta(minutes=15)
FIRST_PICKED, LAST_PICKED = date(1900, 1, 1), date(2199, 12, 31)
"""Days between them get a picker. The picker itself allows every day, as it marks what it refuses without a message;
the tool says what is wrong."""
EARLIEST, LATEST = datetime.combine(date.min, time.min), datetime.combine(date.max, time(23, 59))
NUMBERS_LABEL = gettext_noop("{field}: numbers, with commas between them")
ERROR_COUNT = "argument told"
LARGEST_INTEGER = 2**53 - 1
"""Largest integer that JavaScript tells apart from the next."""

Schema = Mapping[str, Any]
MONDAY = date(2024, 1, 1)
DAYS = {code: MONDAY + timedelta(days=number) for number, code in enumerate(("MO", "TU", "WE", "TH", "FR", "SA", "SU"))}
"""The days of a week as calendars write them (RFC 5545, section 3.3.10)."""


def reset_field_errors() -> None:
    """Forget the errors of fields that were drawn before."""
    st.session_state.pop(ERROR_COUNT, None)


def field_error_count() -> int:
    """Number of errors that fields reported since `reset_field_errors`."""
    return int(st.session_state.get(ERROR_COUNT, 0))


def report_field_error(message: str) -> None:
    """Show an error under the field, and count it."""
    st.session_state[ERROR_COUNT] = field_error_count() + 1
    show_field_error(message)


def show_field_error(message: str) -> None:
    """Show an error without counting it: only the tool can say whether it still holds."""
    st.markdown(f":red[{literal(message)}]")


def draw_field(label: str, prop: Schema, value: Any, *, key: str) -> Any:
    """Draw the field of a resolved property and return its value: `value` when untouched, the typed text
    when it cannot be parsed, which the tool's schema then refuses.

    "", None and [] mean that nothing is filled in.
    """
    # Labels and descriptions of an MCP server are not ours: they are shown as literal text.
    label, description = literal(label), prop.get("description")
    common = {"key": key, "help": literal(str(description)) if description else None}
    as_json = gettext("{field}, as JSON", field=label)
    if options := _enum_of(prop):
        # The proposed value stays a choice, so that an untouched form returns it.
        options += [] if value in (None, "", *options) else [value]
        return optional_choice(label, options, value if value in options else None, format_func=choice_label, **common)
    match _type_of(prop):
        case "boolean" if value is None or isinstance(value, bool):
            return st.checkbox(label, value=bool(value), **common)
        case "integer" | "number" as kind if _is_small_number(value):
            return _draw_number(label, kind, value, common)
        case "integer" | "number" as kind:
            return _draw_parsed_text(label, value, format_value(value), PARSERS[kind], common)
        case "array" if (choices := _choices_of(prop)) and _is_picked_from(choices, value):
            given, empty = list(value or ()), gettext("Choose")
            return st.multiselect(label, choices, default=given, placeholder=empty, format_func=choice_label, **common)
        case "array" if _is_list_of_sentences(prop.get("items"), value):
            shown = "\n".join(value or [])
            label = gettext("{field}, one on each line", field=label)
            return _draw_parsed_text(label, value, shown, parse_lines, common, blank=[], is_tall=True)
        case "array" if (read := _parser_of(prop.get("items"))) and _is_flat(value):
            shown = ", ".join(map(str, value or []))
            is_counted = _type_of(prop.get("items")) in ("integer", "number")
            label = gettext(NUMBERS_LABEL if is_counted else "{field}, with commas", field=label)
            return _draw_parsed_text(label, value, shown, lambda text: parse_list(text, read), common, blank=[])
        case "array":
            return _draw_parsed_text(as_json, value, format_value(value), parse_json, common, blank=[], is_tall=True)
        case "object":
            return _draw_parsed_text(as_json, value, format_value(value), parse_json, common, is_tall=True)
    return _draw_text_or_picker(label, prop, value, common)


def _type_of(prop: Any) -> str:
    """Type of a schema: the first that is not null, "string" when none is given."""
    kinds = prop.get("type") if isinstance(prop, Mapping) else None
    given = kinds if isinstance(kinds, list | tuple) else [kinds or "string"]
    named = [kind for kind in given if kind != "null"]
    return str(next(iter(named), "string"))


def _enum_of(prop: Schema) -> list[Any]:
    choices = prop.get("enum")
    return list(choices) if isinstance(choices, list | tuple) else []


def _choices_of(prop: Schema) -> list[str]:
    """Enumerated values of a list's items, when all of them are strings."""
    items = prop.get("items")
    choices = _enum_of(items) if isinstance(items, Mapping) else []
    return choices if all(isinstance(choice, str) for choice in choices) else []


def _is_picked_from(choices: list[str], value: Any) -> bool:
    """Whether a multiselect can show this value: it holds only distinct values of the choices."""
    return _is_flat(value) and set(value or ()) <= set(choices) and len(set(value or ())) == len(value or ())


def _parser_of(items: Any) -> Callable[[str], Any] | None:
    """Parser of one item of a comma-separated list; None when items are more than a word."""
    of_format = PARSERS.get(str(items.get("format"))) if isinstance(items, Mapping) else None
    return of_format or PARSERS.get(_type_of(items))


def _is_small_number(value: Any) -> bool:
    """Whether a number field can hold it: the browser counts exactly only up to `LARGEST_INTEGER`."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (is_number and math.isfinite(value) and abs(value) <= LARGEST_INTEGER)


def _is_flat(value: Any) -> bool:
    return value is None or (
        isinstance(value, list | tuple) and not any(isinstance(item, list | dict) for item in value)
    )


def _is_list_of_sentences(items: Any, value: Any) -> bool:
    """Whether a list holds sentences, in which commas separate nothing."""
    if not isinstance(items, Mapping) or _type_of(items) != "string" or "format" in items:
        return False
    texts = list(value or ()) if _is_flat(value) else [None]
    is_text = all(isinstance(text, str) and "\n" not in text for text in texts)
    return is_text and (_is_long(items.get("maxLength")) or any("," in text for text in texts))


def _is_long(most: Any) -> bool:
    return isinstance(most, int | float) and most > LONG_TEXT


def _draw_number(label: str, kind: str, value: float | None, common: Mapping[str, Any]) -> Any:
    if kind == "integer" and (value is None or float(value).is_integer()):
        return optional_number(label, None if value is None else int(value), step=1, **common)
    return optional_number(label, None if value is None else float(value), step=0.5, **common)


def _draw_text_or_picker(label: str, prop: Schema, value: Any, common: Mapping[str, Any]) -> Any:
    text = value if isinstance(value, str) else ""
    format_name = str(prop.get("format", ""))
    moment = parse_or_none(datetime.fromisoformat, text) if DATE_TIME.fullmatch(text) else None
    if (moment and _is_in_picker_range(moment.date())) or (format_name == DATE_TIME_PICKER and not text):
        picked = optional_datetime(
            label, moment, step=STEP, format="YYYY-MM-DD", min_value=EARLIEST, max_value=LATEST, **common
        )
        return picked.isoformat(timespec="minutes") if picked else ""
    day = parse_or_none(date.fromisoformat, text) if DAY.fullmatch(text) else None
    if (day and _is_in_picker_range(day)) or (format_name == "date" and value in (None, "")):
        picked = optional_date(label, day, format="YYYY-MM-DD", min_value=date.min, max_value=date.max, **common)
        return picked.isoformat() if picked else ""
    at = parse_or_none(time.fromisoformat, text) if TIME.fullmatch(text) else None
    if format_name == "time" and (at is not None or value in (None, "")):
        picked = optional_time(label, at, step=STEP, **common)
        return picked.isoformat(timespec="minutes") if picked else ""
    return _draw_parsed_text(label, value, format_value(value), PARSERS.get(format_name, str), common)


def _is_in_picker_range(day: date) -> bool:
    return FIRST_PICKED <= day <= LAST_PICKED


def _draw_parsed_text(
    label: str,
    value: Any,
    shown: str,
    read: Callable[[str], Any],
    common: Mapping[str, Any],
    *,
    blank: Any = "",
    is_tall: bool = False,
) -> Any:
    """Draw a text field, and under it the parser's error."""
    draw_text = st.text_area if is_tall or len(shown) > LONG_TEXT or "\n" in shown else st.text_input
    text = str(draw_text(label, value=shown, **common) or "")
    if text == shown:
        return value
    if not text.strip():
        return blank
    try:
        return read(text)
    except UnreadableText as problem:
        report_field_error(str(problem))
        return text


def field_label(name: str) -> str:
    """Label of a field: "Due date"."""
    return as_heading(inline_label(name))


def item_label(name: str) -> str:
    """Label of one item of a list: "Start" for an item of "starts"."""
    singular = name.removesuffix("s")
    return field_label(singular if f"{singular} (field)" in FIELDS else name)


def choice_label(value: object) -> str:
    """Label of one value of an enumeration: "Monday" for "MO"."""
    day = DAYS.get(str(value))
    return as_heading(formats.weekday(day)) if day else gettext(str(value))
