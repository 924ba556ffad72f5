"""State of the week page: the week of the address, read once and cached until something changes."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

import streamlit as st

from services.errors import StorageError
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.week.loader import load_week as load_week_from_tools
from services.week.snapshots import WeekSnapshots
from services.week.week import DAYS, Week
from ui import session
from ui.session_guard import guarded_callback

PARAMETER = "week"
CACHED_WEEK = "week-read"
VIEW_KEY = "week-view"
"""Key of a widget of this page, which Streamlit forgets as soon as another page is shown."""
MAX_AGE = timedelta(minutes=2)
FIRST_YEAR, LAST_YEAR = 2000, 2100


@dataclass(frozen=True, kw_only=True)
class WeekView:
    """Student's choice of view. alone: of these courses only, without what belongs to none."""

    WEEK = gettext_noop("Week")
    AGENDA = gettext_noop("Agenda")

    layout: str
    courses: tuple[str, ...]
    alone: bool = False


def load_week(student: Student) -> Week:
    """Load the week of the address; cached, as filters and dialogs rerun the page.

    Read again when the student comes from another page, where their tasks may have changed.
    """
    if VIEW_KEY not in st.session_state:
        forget_week()
    services = session.services()
    day, now = requested_day(), services.clock()
    connections = services.connections.all(student.id)
    states = [
        (id, connection.connected_at, connection.data_version, connection.health)
        for id, connection in sorted(connections.items())
    ]
    key = (student.id, student.timezone, day, states)
    cached = st.session_state.get(CACHED_WEEK)
    if cached is None or cached[0] != key or not timedelta() <= now - cached[1].as_of < MAX_AGE:
        with st.spinner(gettext("Looking at your week …")):
            cached = (key, load_week_from_tools(services.gateway, student, day, now=now))
        with suppress(StorageError):
            WeekSnapshots(services.store, services.clock).save_week(student, cached[1], connections)
        st.session_state[CACHED_WEEK] = cached
    return cached[1]


def requested_day() -> date | None:
    """Day that the address names; None for today, and for what is no day."""
    try:
        day = date.fromisoformat(st.query_params.get(PARAMETER, ""))
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


def go_to_week(week: Week, weeks: int) -> None:
    """Move by some weeks; 0 goes to the week of today."""
    forget_week()
    if weeks:
        st.query_params[PARAMETER] = (week.first + timedelta(days=weeks * DAYS)).isoformat()
    else:
        st.query_params.pop(PARAMETER, None)


@guarded_callback
def refresh_week(student: Student) -> None:
    """Ask every service again."""
    session.services().gateway.mark_results_outdated(student)
    forget_week()


def forget_week() -> None:
    """Drop the cached week."""
    st.session_state.pop(CACHED_WEEK, None)
