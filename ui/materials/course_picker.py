"""Choice of the course whose materials are shown; the address keeps it."""

from collections.abc import Sequence

import streamlit as st

from services.i18n import gettext
from services.materials.results import CourseStatus
from services.safety.text import one_line

CHOSEN = "materials-course"
MADE = "materials-course-made"
"""Number of the widget: a run that the server begins brings the browser's older choice of one that was changed here."""
PARAMETER = "course"
LONGEST_NAME = 60


def wanted_course() -> str:
    """Key of the course that was chosen, or that the address names; "" for none."""
    return str(st.session_state.get(CHOSEN) or st.query_params.get(PARAMETER, ""))


def choose_course(statuses: Sequence[CourseStatus]) -> None:
    """Draw the choice."""
    by_key = {status.course.key: status for status in statuses}
    if not by_key:
        return
    keys, wanted = list(by_key), wanted_course()
    shown = wanted if wanted in by_key else keys[0]
    if not wanted:
        # Courses that are listed a moment later do not push away the one that stands here.
        st.session_state[CHOSEN] = shown
    if st.session_state.get(_widget(), shown) != shown:
        # Streamlit keeps a widget's own choice as long as it is among its options.
        st.session_state[MADE] = int(st.session_state.get(MADE, 0)) + 1
    widget = _widget()
    st.selectbox(
        gettext("Course"),
        keys,
        index=keys.index(shown),
        format_func=lambda key: course_label(by_key[key]),
        key=widget,
        on_change=_choose,
        args=(widget,),
    )


def _widget() -> str:
    return f"{CHOSEN}-{st.session_state.get(MADE, 0)}"


def show_course(key: str) -> None:
    """Show this course with the next run; the first one for ""."""
    st.session_state[MADE] = int(st.session_state.get(MADE, 0)) + 1
    _keep(key)


def _choose(widget: str) -> None:
    _keep(st.session_state[widget])


def _keep(key: str) -> None:
    st.session_state[CHOSEN] = key
    if key:
        st.query_params[PARAMETER] = key
    else:
        st.query_params.pop(PARAMETER, None)


def course_label(status: CourseStatus) -> str:
    """Name of a course with its code, in one line."""
    course = status.course
    name = one_line(course.name, LONGEST_NAME)
    return f"{course.code}: {name}" if course.code and course.code not in course.name else name
