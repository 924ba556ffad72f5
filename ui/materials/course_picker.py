"""Choice of the course whose materials are shown; the address keeps it."""

from collections.abc import Sequence

import streamlit as st

from services.i18n import gettext
from services.materials.results import CourseStatus
from services.safety.text import one_line

KEY = "materials-course"
PENDING = "materials-course-pending"
PARAMETER = "course"
LONGEST_NAME = 60


def wanted_course() -> str:
    """Key of the course that was chosen, or that the address names; "" for none."""
    return str(st.session_state.get(PENDING) or st.session_state.get(KEY) or st.query_params.get(PARAMETER, ""))


def choose_course(statuses: Sequence[CourseStatus]) -> None:
    """Draw the choice."""
    by_key = {status.course.key: status for status in statuses}
    if not by_key:
        return
    if (pending := st.session_state.pop(PENDING, None)) in by_key:
        st.session_state[KEY] = pending
    elif st.session_state.get(KEY) not in by_key:
        wanted = st.query_params.get(PARAMETER, "")
        st.session_state[KEY] = wanted if wanted in by_key else next(iter(by_key))
    st.selectbox(
        gettext("Course"),
        list(by_key),
        format_func=lambda key: _label(by_key[key]),
        key=KEY,
        on_change=_keep_in_address,
    )


def show_course(key: str) -> None:
    """Show this course with the next run; the first one for "". The browser keeps its own choice until it is told."""
    st.session_state[PENDING] = key
    if key:
        st.query_params[PARAMETER] = key
    else:
        st.query_params.pop(PARAMETER, None)


def _keep_in_address() -> None:
    st.query_params[PARAMETER] = st.session_state[KEY]


def _label(status: CourseStatus) -> str:
    course = status.course
    name = one_line(course.name, LONGEST_NAME)
    return f"{course.code}: {name}" if course.code and course.code not in course.name else name
