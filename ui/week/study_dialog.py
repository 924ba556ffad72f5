"""Dialogs that propose study time: for one piece of work in a free gap, or in a stretch that was taken for it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import streamlit as st

from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import one_line
from services.week.free_time import SHORTEST_SESSION, Gap
from services.week.week import Week, WeekEntry
from ui.local_time import as_heading, clock_time, local_day
from ui.session_guard import guarded_dialog
from ui.week.week_actions import propose_change
from ui.week.week_state import forget_week

TOOL = "calendar_create_study_sessions"
LENGTHS = (30, 60, 90, 120, 180)
USUAL_MINUTES = 60
"""Default when the length of the work is unknown."""
STEP = timedelta(minutes=SHORTEST_SESSION)
OTHER = gettext_noop("Something else")


def open_study_dialog(student: Student, week: Week, entry: WeekEntry) -> None:
    """Open the dialog for one piece of work."""
    guarded_dialog(gettext("Find time to work on it"), _draw_dialog)(student, week, entry)


def _draw_dialog(student: Student, week: Week, entry: WeekEntry) -> None:
    st.text(entry.title)
    gaps = week.room_for(entry)
    gap = st.selectbox(
        gettext("When you are free"),
        gaps,
        index=roomiest_gap_index(gaps, entry.minutes),
        key="study-gap",
        format_func=lambda gap: _gap_label(student, gap),
    )
    left, right = st.columns(2)
    start = left.selectbox(
        gettext("Begin at"),
        _possible_starts(gap),
        key="study-start",
        format_func=lambda start: clock_time(start, student),
    )
    fitting = [minutes for minutes in LENGTHS if start + timedelta(minutes=minutes) <= gap.end] or [LENGTHS[0]]
    minutes = right.selectbox(
        gettext("For"),
        fitting,
        index=closest_length_index(fitting, entry.minutes or USUAL_MINUTES),
        format_func=lambda minutes: gettext("{n} minutes", n=minutes),
        key="study-minutes",
    )
    st.caption(gettext("You see exactly what goes into your calendar before anything is written."))
    if st.button(gettext("Show me the entry"), key="study-propose", type="primary", icon=":material/event:"):
        with st.spinner(gettext("Preparing the entry …")):
            _propose(student, entry.title, start, minutes)
        forget_week()
        st.rerun()


def roomiest_gap_index(gaps: Sequence[Gap], minutes: int) -> int:
    """Index of the first gap that holds all of the work, up to one session; else of the first longest one."""
    session_minutes = min(minutes, LENGTHS[-1])
    held = [min(gap.minutes, session_minutes) for gap in gaps]
    return held.index(max(held))


def closest_length_index(lengths: Sequence[int], minutes: int) -> int:
    """Index of the shortest length that holds the work; the longest where none does."""
    return next((at for at, length in enumerate(lengths) if length >= minutes), len(lengths) - 1)


def open_session_dialog(student: Student, week: Week, start: datetime, minutes: int) -> None:
    """Open the dialog for a stretch of time: what to study in it is still to be said."""
    guarded_dialog(gettext("Plan study time"), _draw_session_dialog)(student, week, start, minutes)


def first_start(week: Week) -> datetime:
    """Begin of the first free time, else the next quarter of an hour."""
    gap = next(iter(week.free), None) or Gap(start=week.as_of, end=week.as_of + STEP)
    return _possible_starts(gap)[0]


def _draw_session_dialog(student: Student, week: Week, start: datetime, minutes: int) -> None:
    st.markdown(f"**{as_heading(local_day(start, student))}**")
    work = [entry for entry in (*week.entries, *week.overdue) if entry.can_be_worked_on]
    work.sort(key=lambda entry: entry.ends.timestamp() <= start.timestamp())
    chosen = st.selectbox(
        gettext("What for"),
        [*dict.fromkeys(one_line(entry.title) for entry in work), OTHER],
        format_func=lambda title: gettext(title) if title == OTHER else title,
        key="session-for",
    )
    title = st.text_input(gettext("Title"), max_chars=200, key="session-title") if chosen == OTHER else chosen
    day, at, length = st.columns(3)
    on = day.date_input(gettext("Day"), start.date(), min_value=week.as_of.date(), key="session-day")
    begin = at.time_input(gettext("Begin at"), start.time(), step=timedelta(minutes=15), key="session-start")
    lengths = sorted({*LENGTHS, max(SHORTEST_SESSION, minutes)})
    wanted = length.selectbox(
        gettext("For"),
        lengths,
        index=closest_length_index(lengths, minutes),
        format_func=lambda minutes: gettext("{n} minutes", n=minutes),
        key="session-minutes",
    )
    st.caption(gettext("You see exactly what goes into your calendar before anything is written."))
    if st.button(gettext("Show me the entry"), key="session-propose", type="primary", icon=":material/event:"):
        if not title.strip():
            st.error(gettext("Say what it is for."))
            return
        with st.spinner(gettext("Preparing the entry …")):
            _propose(student, title, datetime.combine(on, begin), wanted)
        forget_week()
        st.rerun()


def _propose(student: Student, title: str, start: datetime, minutes: int) -> None:
    arguments = {
        "title": gettext("Study: {title}", title=title)[:300],
        "starts": [f"{start:%Y-%m-%dT%H:%M}"],
        "duration_minutes": minutes,
    }
    propose_change(student, TOOL, arguments)


def _possible_starts(gap: Gap) -> list[datetime]:
    """Every half hour of a gap that leaves at least half an hour, from the next quarter hour on."""
    first = gap.start.replace(second=0, microsecond=0)
    if first < gap.start or first.minute % 15:
        first += timedelta(minutes=15 - first.minute % 15)
    found = []
    while first + STEP <= gap.end:
        found.append(first)
        first += STEP
    return found or [gap.start]


def _gap_label(student: Student, gap: Gap) -> str:
    return f"{local_day(gap.start, student)}, {clock_time(gap.start, student)} – {clock_time(gap.end, student)}"
