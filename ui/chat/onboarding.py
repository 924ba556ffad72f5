"""Onboarding of new students: three steps above an empty chat, gone once they are done or hidden."""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.connections.connection import Connection
from services.i18n import gettext
from services.identity.students import Student
from services.integrations.base import Integration
from services.integrations.sample_course.course import ID as SAMPLE_COURSE
from services.navigation import CLASSROOM_PAGE, CONNECTIONS_PAGE
from ui import session
from ui.chat.suggestions import MOST_IN_FIRST_STEPS, draw_suggestions
from ui.connections import sample_course
from ui.connections.connect_dialog import BEGUN_ON_CHAT, open_connect_dialog
from ui.connections.connect_together import draw_connect_together
from ui.session_guard import guarded_callback


def draw_onboarding(student: Student, connected: Mapping[str, Connection], *, has_class: bool = False) -> bool:
    """Draw the steps; False when they are not needed: after a first connection and question, on any device.

    has_class: a class gives the student something already, so that no account need come first.
    """
    services = session.services()
    if student.has_onboarded or not services.integrations:
        return False
    own = [id for id, connection in connected.items() if connection.health.offers_tools and id != SAMPLE_COURSE]
    is_trying = sample_course.is_on(connected)
    has_asked = bool(services.conversations.list(student.id, 1))
    if has_asked and (own or is_trying):
        services.students.dismiss_onboarding(student.id)
        return False
    with st.container(border=True, key="first-steps", gap="small"):
        _draw_heading(student)
        _draw_way_to_teach(student)
        _draw_connect_step(student, connected, bool(own), in_short=is_trying, is_first=not has_class)
        if sample_course.is_offered() and not own:
            _draw_sample_step(student, is_trying)
        _draw_ask_step(student, connected, number=3 if sample_course.is_offered() and not own else 2, is_done=has_asked)
    return True


def _draw_heading(student: Student) -> None:
    heading = gettext("First steps")
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xsmall"):
        st.markdown(f"## {heading}", width="content")
        st.button(
            gettext("Hide this"),
            key="hide-steps",
            type="tertiary",
            icon=":material/close:",
            on_click=_hide,
            args=(student,),
        )


def _draw_way_to_teach(student: Student) -> None:
    """For an instructor without a class: what they have most likely come for."""
    classroom = session.services().classroom
    if classroom.roles.is_instructor(student) and not classroom.classes.of_student(student.id):
        with _row():
            st.markdown(gettext("You teach? Make a class with an assistant of its own."), width="stretch")
            label = gettext("Open Classroom")
            st.page_link(CLASSROOM_PAGE.script, label=label, icon=CLASSROOM_PAGE.icon)


def _draw_connect_step(
    student: Student, connected: Mapping[str, Connection], is_done: bool, *, in_short: bool, is_first: bool
) -> None:
    """in_short: students who try the sample have read why connecting is safe."""
    first = _easiest_integration()
    title = gettext("Connect an account first") if is_first and not is_done else gettext("Connect an account")
    if is_done or first is None:
        _draw_step(1, title, is_done=is_done)
        draw_connect_together(student, connected, begun_on=BEGUN_ON_CHAT)
        return
    safe = gettext(
        "Begin with {service}. Homeroom only looks things up when you ask, keeps your access locked away, asks before "
        "it changes anything, and you can disconnect at any time.",
        service=gettext(first.label),
    )
    _draw_step(1, title, "" if in_short else safe)
    with _row():
        is_beside = draw_connect_together(student, connected, begun_on=BEGUN_ON_CHAT)
        if st.button(
            gettext("Connect {service}", service=gettext(first.label)),
            key="step-connect",
            type="secondary" if is_beside else "primary",
            icon=":material/add_link:",
        ):
            open_connect_dialog(student, first, begun_on=BEGUN_ON_CHAT)
        st.page_link(CONNECTIONS_PAGE.script, label=gettext("Open Connections"), icon=":material/cable:")


def _easiest_integration() -> Integration | None:
    """Integration to connect first: courses before calendars before the rest, OAuth before a token."""
    order = {"courses": 0, "calendar": 1}
    own = [integration for integration in session.services().integrations.values() if integration.needs_account]
    ranked = sorted(own, key=lambda integration: (order.get(integration.category, 2), integration.oauth is None))
    return ranked[0] if ranked else None


def _draw_sample_step(student: Student, is_done: bool) -> None:
    if is_done:
        with _row():
            _draw_step(
                2,
                gettext("Or try a sample course"),
                gettext("It is on, and everything in it is made up."),
                is_done=True,
            )
            sample_course.draw_end_button(student, key="step-end-sample")
        return
    what = gettext("A made-up astronomy course with due dates, grades and announcements. No account needed.")
    with _row():
        _draw_step(2, gettext("Or try a sample course"), what)
        sample_course.draw_begin_button(student, key="step-sample", with_flash=False)


def _draw_ask_step(student: Student, connected: Mapping[str, Connection], *, number: int, is_done: bool) -> None:
    _draw_step(number, gettext("Ask"), gettext("Write below, or start with one of these:"), is_done=is_done)
    draw_suggestions(student, connected, most=MOST_IN_FIRST_STEPS)


def _row() -> DeltaGenerator:
    """Row of text and button, which stand below each other where the page is narrow."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small")


def _draw_step(number: int, title: str, words: str = "", *, is_done: bool = False) -> None:
    """Draw title and text as one element, so that the three steps fit on one screen."""
    done = gettext("Done")
    badge = f" :green-badge[:material/check: {done}]" if is_done else ""
    st.markdown(f"**{number}. {title}**{badge}" + (f"  \n:small[{words}]" if words else ""))


@guarded_callback
def _hide(student: Student) -> None:
    session.services().students.dismiss_onboarding(student.id)
