"""Choice of the course to practise for, or of all of them; the address keeps it."""

from collections.abc import Sequence

import streamlit as st

from services.i18n import gettext
from services.materials.results import CourseStatus
from ui.materials.course_picker import course_label
from ui.study.study_views import COURSE

CHOSEN = "study-course"


def wanted_course() -> str:
    """Key of the course that the address names; "" for all."""
    return str(st.query_params.get(COURSE, ""))


def choose_course(statuses: Sequence[CourseStatus]) -> str:
    """Draw the choice where there is one; returns the course's key, "" for all."""
    by_key = {status.course.key: status for status in statuses}
    wanted = wanted_course() if wanted_course() in by_key else ""
    if len(by_key) < 2 and not wanted:
        return ""
    keys = ["", *by_key]
    widget = f"{CHOSEN}-{wanted}"
    st.selectbox(
        gettext("Course"),
        keys,
        index=keys.index(wanted),
        format_func=lambda key: course_label(by_key[key]) if key else gettext("All courses"),
        key=widget,
        on_change=_keep_course,
        args=(widget,),
    )
    return wanted


def show_course(key: str) -> None:
    """Show this course with the next run; all for ""."""
    if key:
        st.query_params[COURSE] = key
    else:
        st.query_params.pop(COURSE, None)


def _keep_course(widget: str) -> None:
    show_course(st.session_state[widget])
