"""Dialog of an entry that was opened in the calendar: what it is, and what can be done with it."""

from datetime import date, datetime, timedelta

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from services.week.week import Week, WeekEntry
from ui import session
from ui.approvals.approval_card import draw_approval_card
from ui.local_time import as_heading, local_day
from ui.session_guard import guarded_dialog
from ui.week.calendar_data import entry_key
from ui.week.schedule import draw_entry
from ui.week.week_actions import find_entry, propose_times

WANTS_TIME = "week-wants-time"
"""Key of the entry for which the dialog that finds time opens on the next run: only one dialog is open at a time."""
DAY_KEY = "day-"


def open_entry_dialog(student: Student, week: Week, key: str) -> None:
    """Open what the calendar names: an entry, or a day of which it could not show everything."""
    entry = find_entry(week, key)
    if entry is not None:
        guarded_dialog(as_heading(local_day(entry.start, student)), _draw_entry_dialog)(student, week, entry)
    elif key.startswith(DAY_KEY) and (day := _parse_day(key.removeprefix(DAY_KEY))) is not None:
        guarded_dialog(as_heading(local_day(datetime.combine(day, datetime.min.time()), student)), _draw_day_dialog)(
            student, week, day
        )


def wanted_entry(week: Week) -> WeekEntry | None:
    """Entry for which the student asked for time in the dialog, once."""
    key = st.session_state.pop(WANTS_TIME, None)
    return find_entry(week, key) if key else None


def _draw_entry_dialog(student: Student, week: Week, entry: WeekEntry) -> None:
    if draw_entry(student, week, entry, scope="dialog") is not None:
        _want_time(entry)
    if entry.is_proposed:
        st.info(gettext("This waits for you: its card is on this page or in its chat."), icon=":material/front_hand:")
    elif entry.can_change and entry.start > week.as_of:
        _draw_move(student, week, entry)
    if entry.is_planned:
        draw_approval_card(student, session.services().approvals.get(student.id, entry.card))


def _draw_day_dialog(student: Student, week: Week, day: date) -> None:
    for entry in week.entries_on(day):
        if draw_entry(student, week, entry, scope="dialog") is not None:
            _want_time(entry)


def _want_time(entry: WeekEntry) -> None:
    st.session_state[WANTS_TIME] = entry_key(entry)
    st.rerun()


def _draw_move(student: Student, week: Week, entry: WeekEntry) -> None:
    st.markdown(gettext("**Move it**"))
    left, right = st.columns(2)
    on = left.date_input(gettext("Day"), entry.start.date(), min_value=week.as_of.date(), key="move-day")
    at = entry.start.time()
    if not entry.is_whole_day:
        at = right.time_input(gettext("Begin at"), at, step=timedelta(minutes=15), key="move-start")
    start = datetime.combine(on, at)
    length = (entry.end or entry.start) - entry.start
    is_same = start == entry.start.replace(tzinfo=None)
    if st.button(gettext("Show me the change"), key="move-propose", icon=":material/event:", disabled=is_same):
        propose_times(student, entry, start, start + length)
        st.rerun()


def _parse_day(written: str) -> date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None
