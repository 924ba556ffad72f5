"""The classes that a student is in, and the ways to one more."""

import secrets

import streamlit as st

from services.classes.classes import LONGEST_NAME, LONGEST_TERM
from services.classes.school_class import ClassRole, SchoolClass
from services.errors import HomeroomError
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.safety.text import literal, one_line
from ui import session
from ui.classroom.class_address import open_class
from ui.classroom.join_panel import draw_join_form
from ui.error_boundary import show_error
from ui.session_guard import guarded_dialog

FORM = "class-form-id"
"""Id of the form that makes a class: what is sent twice makes one."""


def draw_classes(student: Student) -> None:
    """A line for each class, which opens it; those that are over fold away."""
    classroom = session.services().classroom
    found = classroom.classes.of_student(student.id)
    is_instructor = classroom.roles.is_instructor(student)
    if not found:
        _draw_nothing_yet(is_instructor=is_instructor)
    current = [(school_class, role) for school_class, role in found if school_class.archived_at is None]
    over = [(school_class, role) for school_class, role in found if school_class.archived_at is not None]
    waiting = classroom.memberships.waiting_requests(student)
    for school_class, role in current:
        _draw_line(school_class, role, waiting.get(school_class.id, 0))
    _draw_awaiting(student)
    if is_instructor:
        label = gettext("Make a class")
        kind = "secondary" if current else "primary"
        if st.button(label, type=kind, icon=":material/add:", key="class-make"):
            st.session_state[FORM] = secrets.token_hex(8)
            guarded_dialog(label, _draw_form, icon=":material/groups:")(student)
    if is_instructor and found:
        with st.expander(gettext("Join a class of somebody else"), icon=":material/login:"):
            draw_join_form(has_border=False)
    else:
        draw_join_form()
    if over:
        with st.expander(gettext("Classes that are over"), icon=":material/inventory_2:"):
            for school_class, role in over:
                _draw_line(school_class, role)


def _draw_nothing_yet(*, is_instructor: bool) -> None:
    with st.container(border=True, key="classroom-empty", gap="small"):
        if is_instructor:
            st.markdown(gettext("**No class yet**"))
            st.write(
                gettext(
                    "Make one, and give its code, link or QR picture to your students. Then choose which assistants "
                    "they have, what these may do, and what they read from."
                )
            )
        else:
            st.markdown(gettext("**You are in no class yet**"))
            st.write(
                gettext(
                    "When an instructor gives you a code, write it here. You see what the class is, and what its "
                    "instructors see of you, before you join."
                )
            )


def _draw_awaiting(student: Student) -> None:
    """The courses that the student has said they teach, and whose class nobody has made yet."""
    for title in session.services().classroom.lti.courses.awaiting(student):
        words = gettext(
            "You have said that you teach {course}. Once one of its teachers has opened Homeroom from the course, they "
            "are asked.",
            course=literal(one_line(title, 80)) or gettext("a course"),
        )
        st.info(words, icon=":material/hourglass_empty:")


def _draw_line(school_class: SchoolClass, role: ClassRole, requests: int = 0) -> None:
    """A class. requests: that wait in it, as `waiting_requests` counts them."""
    facts = [school_class.term, gettext("You teach it") if role is ClassRole.INSTRUCTOR else ""]
    with st.container(border=True, key=f"class-line-{school_class.id}", gap="xsmall"):
        st.button(
            literal(school_class.name),
            key=f"open-class-{school_class.id}",
            type="tertiary",
            icon=":material/groups:",
            on_click=open_class,
            args=(school_class.id,),
        )
        if words := " · ".join(filter(None, facts)):
            st.caption(literal(words))
        if requests:
            st.badge(_request_words(role, requests), icon=":material/hourglass_empty:", color="orange")


def _request_words(role: ClassRole, requests: int) -> str:
    if role is ClassRole.INSTRUCTOR:
        return ngettext("{n} asks to teach it, too", "{n} ask to teach it, too", requests)
    return gettext("Its instructors are asked whether you teach it")


def _draw_form(student: Student) -> None:
    """Form of a new class."""
    with st.form("new-class", border=False):
        name = st.text_input(
            gettext("Name"), max_chars=LONGEST_NAME, placeholder=gettext("Such as Biology 201"), key="new-class-name"
        )
        term = st.text_input(
            gettext("Term, if you like"),
            max_chars=LONGEST_TERM,
            placeholder=gettext("Such as Fall 2026"),
            key="new-class-term",
        )
        if not st.form_submit_button(gettext("Make the class"), type="primary", icon=":material/check:"):
            return
    try:
        made = session.services().classroom.classes.create(
            student, name=name, term=term, request_id=st.session_state.get(FORM, "")
        )
    except HomeroomError as error:
        show_error(error)
        return
    open_class(made.id)
    st.rerun()
