"""State of the week page: what its address says, and the week of it, read once and cached until something changes."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

from services.errors import StorageError
from services.i18n import gettext
from services.identity.students import Student
from services.navigation import STUDY_PAGE
from services.week.horizon import horizon, week_start
from services.week.loader import load_week as load_week_from_tools
from services.week.practice_entries import with_practice
from services.week.proposals import with_proposals
from services.week.snapshots import WeekSnapshots
from services.week.week import DAYS, Week
from ui import session
from ui.session_guard import guarded_callback

PARAMETER = "week"
VIEW_PARAMETER, COURSES_PARAMETER, ALONE_PARAMETER = "view", "course", "alone"
CACHED_WEEK = "week-read"
VIEW_KEY, COURSES_KEY, ALONE_KEY = "week-view", "week-courses", "week-alone"
"""Keys of widgets of this page, which Streamlit forgets as soon as another page is shown."""
IS_NARROW = "week-is-narrow"
WEEK, THREE_DAYS, AGENDA = VIEWS = ("week", "days", "agenda")
SHOWN_DAYS = 3
MOST_CARDS = 40
MAX_AGE = timedelta(minutes=2)
LOADING_HEIGHT = 720
"""Pixels: about those of a usual week."""
FIRST_YEAR, LAST_YEAR = 2000, 2100


def load_week(student: Student) -> Week:
    """Load the week of the address; cached, as filters and dialogs rerun the page.

    Read again when the student comes from another page, where their tasks may have changed.
    """
    if VIEW_KEY not in st.session_state:
        forget_week()
    services = session.services()
    first, now = first_day(student), services.clock()
    connections = services.connections.all(student.id)
    shown_meanwhile = st.empty()
    states = [
        (id, connection.connected_at, connection.data_version, connection.health)
        for id, connection in sorted(connections.items())
    ]
    key = (student.id, student.timezone, first, states)
    cached = st.session_state.get(CACHED_WEEK)
    if cached is None or cached[0] != key or not timedelta() <= now - cached[1].as_of < MAX_AGE:
        with shown_meanwhile.container(key="week-loading"):
            st.title(gettext("Your week"))
            st.caption(gettext(":material/sync: Looking at your week …"))
            st.skeleton(height=LOADING_HEIGHT)
        cached = (key, load_week_from_tools(services.gateway, student, first, now=now))
        with suppress(StorageError):
            WeekSnapshots(services.store, services.clock).save_week(student, cached[1], connections)
        st.session_state[CACHED_WEEK] = cached
        shown_meanwhile.empty()
    return cached[1]


def with_cards(student: Student, week: Week) -> Week:
    """The week with what the student's cards propose and have planned, and with their practice: stores alone."""
    services, zone = session.services(), ZoneInfo(student.timezone)
    approvals = services.approvals.latest(student.id, MOST_CARDS)
    today = services.study.days.today(student)
    return with_practice(
        with_proposals(week, approvals, zone),
        services.study.exams.between(student, *_edges(week, zone)),
        cards=today.due,
        now=services.clock(),
        zone=zone,
        url=f"{services.settings.public_url}{STUDY_PAGE.path}",
    )


def _edges(week: Week, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """First moment of the week, and of the day after it."""
    first = datetime.combine(week.first, time(), zone)
    return first, first + timedelta(days=DAYS)


def first_day(student: Student) -> date:
    """First of the seven days that are read: those of the horizon, or the week of the day that the address names. Three
    days begin with that day itself.
    """
    day = requested_day()
    if day is None:
        now = session.services().clock().astimezone(ZoneInfo(student.timezone))
        return horizon(now, student.locale).this_week.first
    return day if current_view() == THREE_DAYS else week_start(day, student.locale)


def requested_day() -> date | None:
    """Day that the address names; None for today, and for what is no day."""
    try:
        day = date.fromisoformat(st.query_params.get(PARAMETER, ""))
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


def requested_view() -> str:
    """View that the address names; "" where the width of the page decides."""
    asked = st.query_params.get(VIEW_PARAMETER, "")
    return asked if asked in VIEWS else ""


def is_narrow() -> bool:
    """Whether the page is too narrow for a week, as far as it said."""
    return bool(st.session_state.get(IS_NARROW))


def current_view() -> str:
    """View that is shown."""
    return requested_view() or (THREE_DAYS if is_narrow() else WEEK)


def first_of_three(week: Week) -> date:
    """Day that the view of three days begins with: the one that was asked for, else today."""
    day = requested_day() or week.as_of.date()
    return min(max(day, week.first), week.last - timedelta(days=SHOWN_DAYS - 1))


def keep_view() -> None:
    """Put the chosen view into the address."""
    st.query_params[VIEW_PARAMETER] = st.session_state[VIEW_KEY]


def keep_filters() -> None:
    """Put the chosen filters into the address."""
    courses: Sequence[str] = st.session_state.get(COURSES_KEY) or []
    _put(COURSES_PARAMETER, list(courses))
    _put(ALONE_PARAMETER, ["1"] if courses and st.session_state.get(ALONE_KEY) else [])


def requested_courses() -> list[str]:
    return st.query_params.get_all(COURSES_PARAMETER)


def remember_width(is_too_narrow: bool) -> None:
    """Remember whether the page is too narrow for a week, and show three days there while no view is chosen."""
    st.session_state[IS_NARROW] = is_too_narrow
    if not requested_view():
        st.session_state[VIEW_KEY] = current_view()


def go_to_days(student: Student, week: Week, steps: int) -> None:
    """Move by a week, or by three days where three are shown; 0 goes to today."""
    if not steps:
        _put(PARAMETER, [])
        return
    if current_view() == THREE_DAYS:
        day = first_of_three(week) + timedelta(days=steps * SHOWN_DAYS)
    else:
        beside = week.last + timedelta(days=1) if steps > 0 else week.first - timedelta(days=1)
        day = week_start(beside, student.locale)
    _put(PARAMETER, [day.isoformat()])


def _put(parameter: str, values: list[str]) -> None:
    if values:
        st.query_params[parameter] = values
    else:
        st.query_params.pop(parameter, None)


@guarded_callback
def refresh_week(student: Student) -> None:
    """Ask every service again."""
    session.services().gateway.mark_results_outdated(student)
    forget_week()


def forget_week() -> None:
    """Drop the cached week."""
    st.session_state.pop(CACHED_WEEK, None)
