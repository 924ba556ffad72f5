"""The week on its page: as a calendar, as a list by day for screen readers, and the dialogs that follow."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from services.week.week import Week
from ui.week.calendar_component import CalendarAction, draw_calendar
from ui.week.calendar_data import calendar_data
from ui.week.entry_dialog import open_entry_dialog
from ui.week.study_dialog import open_session_dialog
from ui.week.week_actions import propose_move
from ui.week.week_state import first_of_three, is_narrow, remember_width, requested_view


def draw_week_calendar(student: Student, week: Week, tones: Mapping[str, int]) -> None:
    """Draw the calendar and the same as text, and open what was asked for in it. tones: of the week's courses."""
    data = calendar_data(student, week, tones=tones, view=requested_view(), day=first_of_three(week))
    data["is_narrow"] = is_narrow()
    if not data["entries"]:
        st.caption(gettext("Nothing is in these days yet.") if week.is_whole else gettext("Nothing found."))
    _draw_week_text(data["days"], data["entries"])

    def move(key: str, told: Mapping[str, Any]) -> None:
        propose_move(student, week, key, told.get("start"), told.get("end"))

    _open(student, week, draw_calendar(student, data, on_narrow=remember_width, on_moved=move))


def _open(student: Student, week: Week, action: CalendarAction) -> None:
    if action.chosen:
        open_entry_dialog(student, week, action.chosen)
    elif action.start is not None and action.end is not None:
        minutes = int((action.end.timestamp() - action.start.timestamp()) // 60)
        open_session_dialog(student, week, action.start, minutes)


def _draw_week_text(days: Sequence[Mapping[str, Any]], entries: Sequence[Mapping[str, Any]]) -> None:
    """days, entries: as `calendar_data` has them. It stands beside the calendar, out of sight (see style.css)."""
    parts = [_day_as_list(day, [entry for entry in entries if _touches(entry, day["date"])]) for day in days]
    heading = escape(gettext("Your week as a list"))
    st.html(f'<section class="week-text" aria-label="{heading}"><h2>{heading}</h2>{"".join(parts)}</section>')


def _day_as_list(day: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> str:
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
