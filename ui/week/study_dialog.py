"""Dialog that proposes study time in a free gap, as an action to approve."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import streamlit as st

from services.errors import ApprovalError, HomeroomError
from services.i18n import gettext
from services.identity.students import Student
from services.week.free_time import SHORTEST_SITTING, Gap
from services.week.loader import ASKED_BY
from services.week.week import Week, WeekEntry
from ui import session
from ui.flash_message import flash
from ui.local_time import clock_time, local_day
from ui.session_guard import guarded_dialog
from ui.week.week_state import forget_week

TOOL = "calendar_create_study_sessions"
LENGTHS = (30, 60, 90, 120, 180)
USUAL_MINUTES = 60
"""Default when the length of the work is unknown."""
STEP = timedelta(minutes=SHORTEST_SITTING)


def open_study_dialog(student: Student, week: Week, entry: WeekEntry) -> None:
    """Open the dialog for one piece of work."""
    guarded_dialog(gettext("Find time to work on it"), _draw_dialog)(student, week, entry)


def _draw_dialog(student: Student, week: Week, entry: WeekEntry) -> None:
    st.text(entry.title)
    gaps = week.room_for(entry)
    gap = st.selectbox(
        gettext("When you are free"),
        gaps,
        index=roomiest_gap(gaps, entry.minutes),
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
        index=closest_length(fitting, entry.minutes or USUAL_MINUTES),
        format_func=lambda minutes: gettext("{n} minutes", n=minutes),
        key="study-minutes",
    )
    st.caption(gettext("You see exactly what goes into your calendar before anything is written."))
    if st.button(gettext("Show me the entry"), key="study-propose", type="primary", icon=":material/event:"):
        with st.spinner(gettext("Preparing the entry …")):
            _propose(student, entry, start, minutes)
        forget_week()
        st.rerun()


def roomiest_gap(gaps: Sequence[Gap], minutes: int) -> int:
    """Index of the first gap that holds all of the work, up to one sitting; else of the first longest one."""
    sitting = min(minutes, LENGTHS[-1])
    held = [min(gap.minutes, sitting) for gap in gaps]
    return held.index(max(held))


def closest_length(lengths: Sequence[int], minutes: int) -> int:
    """Index of the shortest length that holds the work; the longest where none does."""
    return next((at for at, length in enumerate(lengths) if length >= minutes), len(lengths) - 1)


def _propose(student: Student, entry: WeekEntry, start: datetime, minutes: int) -> None:
    arguments = {
        "title": gettext("Study: {title}", title=entry.title)[:300],
        "starts": [f"{start:%Y-%m-%dT%H:%M}"],
        "duration_minutes": minutes,
    }
    try:
        result = session.services().gateway.call(student, TOOL, arguments, asked_by=ASKED_BY, by_hand=True)
    except HomeroomError as error:
        flash(error)
        return
    if not result.requires_approval:
        flash(ApprovalError(result.trouble or gettext("This did not work. Try again in a moment.")))


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
