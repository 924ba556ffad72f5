"""Offer to ask again, under an answer that came while courses were still being read, once they are."""

from collections.abc import Sequence

import streamlit as st

from services.conversations.items import Item, ToolLine, UserMessage
from services.i18n import formats, gettext
from services.identity.students import Student
from services.materials.results import CourseState, CourseStatus
from services.safety.text import literal
from ui import session
from ui.error_boundary import error_boundary
from ui.session_guard import guarded_callback

LOOK_EVERY_S = 2.0
_UNDER_WAY = (CourseState.QUEUED, CourseState.READING)


def draw_ask_again(student: Student, conversation_id: str, question: UserMessage, answer: Sequence[Item]) -> None:
    """Draw how far the courses are read that the answer could not wait for, then a button that asks anew; nothing under
    an answer that had all.
    """
    keys = frozenset(key for item in answer if isinstance(item, ToolLine) for key in item.reading)
    if not keys:
        return
    with st.container(key=f"ask-again-{question.seq}", horizontal=True, vertical_alignment="center", gap="small"):
        if _still_read(student, keys):
            _draw_progress(student, keys)
            return
        st.caption(gettext("What was still being read then is read now."), width="content")
        st.button(
            gettext("Ask again"),
            key=f"ask-again-{conversation_id}-{question.seq}",
            icon=":material/refresh:",
            on_click=_ask_again,
            args=(student, conversation_id, question.seq),
        )


@st.fragment(run_every=LOOK_EVERY_S)
def _draw_progress(student: Student, keys: frozenset[str]) -> None:
    """Draw how far the reading is; at its end the page runs once more, and offers the button."""
    with error_boundary():
        session.require_signed_in(student)
        courses = _still_read(student, keys)
        if not courses:
            st.rerun()
        words = gettext("Still being read: {courses}", courses=_progress(courses))
        st.caption(f":material/hourglass_top: {words}")


def _still_read(student: Student, keys: frozenset[str]) -> list[CourseStatus]:
    """Those of the courses that are being read; what waits because of some trouble is not waited for."""
    courses = session.services().materials.courses(student, live=False).courses
    return [
        status for status in courses if status.course.key in keys and status.state in _UNDER_WAY and not status.trouble
    ]


def _progress(courses: Sequence[CourseStatus]) -> str:
    return literal(" · ".join(map(_words, courses)))


def _words(status: CourseStatus) -> str:
    name = status.course.code or status.course.name
    if not status.materials:
        return name
    return gettext(
        "{course} ({done} of {all})",
        course=name,
        done=formats.number(status.read + status.failed),
        all=formats.number(status.materials),
    )


@guarded_callback
def _ask_again(student: Student, conversation_id: str, seq: int) -> None:
    st.query_params["c"] = session.services().chats.branches.ask_instead(student, conversation_id, seq)
