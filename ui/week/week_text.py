"""The week as a list by day, for screen readers, and for all when the calendar cannot be loaded."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from services.i18n import gettext


def draw_week_text(days: Sequence[Mapping[str, Any]], entries: Sequence[Mapping[str, Any]]) -> None:
    """days, entries: as `calendar_data` has them. It stands beside the calendar, out of sight (see style.css)."""
    parts = [_day(day, [entry for entry in entries if _touches(entry, day["date"])]) for day in days]
    heading = escape(gettext("Your week as a list"))
    st.html(f'<section class="week-text" aria-label="{heading}"><h2>{heading}</h2>{"".join(parts)}</section>')


def _day(day: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> str:
    labels = [
        entry["label"] for entry in sorted(entries, key=lambda entry: (not entry["is_whole_day"], entry["start"]))
    ]
    items = "".join(f"<li>{escape(label)}</li>" for label in labels)
    nothing = escape(gettext("Nothing here."))
    return f"<h3>{escape(day['name'])}</h3>" + (f"<ul>{items}</ul>" if items else f"<p>{nothing}</p>")


def _touches(entry: Mapping[str, Any], day: str) -> bool:
    start, end = entry["start"], entry["end"]
    is_until_midnight = end > start and (len(end) == len(day) or end.endswith("T00:00"))
    return start[: len(day)] <= day and (day < end[: len(day)] if is_until_midnight else day <= end[: len(day)])
