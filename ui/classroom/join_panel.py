"""Joining a class: the field for a code, and the page that says what one joins before one does."""

from collections.abc import Sequence

import streamlit as st

from services.classes.join_codes import clean_join_code
from services.classes.memberships import ClassInvitation
from services.errors import HomeroomError
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal, one_line
from ui import session
from ui.classroom.class_address import JOIN, draw_way_back, invited_code, leave_class, open_class
from ui.classroom.demo_chat import begin_demo_chat
from ui.classroom.visibility import draw_visibility
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.session_guard import guarded_callback

FIELD = "join-code-field"
SEEN = "class-invitation"
"""What a code led to, so that a click on the page is no further try."""


def draw_join_form(*, has_border: bool = True) -> None:
    """Field for a code."""
    with st.form("join-class", border=has_border):
        st.text_input(
            gettext("Join code"),
            placeholder=gettext("Such as ABCD EFGH"),
            max_chars=200,
            key=FIELD,
            autocomplete="off",
            help=gettext("Your instructor gives it to you. A link to join works here, too."),
        )
        st.form_submit_button(gettext("Look at the class"), icon=":material/login:", on_click=_open_code)


def _open_code() -> None:
    written = str(st.session_state.get(FIELD, ""))
    st.session_state.pop(SEEN, None)
    leave_class()
    st.query_params[JOIN] = clean_join_code(written) or one_line(written, 20) or "-"


def draw_invitation(student: Student) -> None:
    """The class of the code that the address brings, and the button that joins it."""
    code = invited_code()
    found = _look_up(student, code)
    if isinstance(found, HomeroomError):
        draw_way_back()
        st.title(gettext("Join a class"))
        show_error(found)
        draw_join_form()
        return
    school_class = found.school_class
    with st.container(key="join-heading", gap="xsmall"):
        st.title(gettext("Join {name}?", name=literal(school_class.name)))
        if school_class.term:
            st.caption(literal(school_class.term))
    st.markdown(teachers_sentence(found.instructors))
    if found.role is not None:
        st.info(gettext("You are in this class already."), icon=":material/check_circle:")
        label, icon = gettext("Open the class"), ":material/arrow_forward:"
    else:
        draw_visibility()
        st.caption(gettext("You can leave the class whenever you like."))
        label, icon = gettext("Join the class"), ":material/group_add:"
    with st.container(horizontal=True, key="join-actions"):
        st.button(label, type="primary", icon=icon, key="join-confirm", on_click=_join, args=(student, code))
        st.button(gettext("Not now"), key="join-decline", on_click=leave_class)


def teachers_sentence(instructors: Sequence[Student]) -> str:
    """Who teaches a class, as Markdown."""
    names = ", ".join(literal(one_line(instructor.display_name, 60)) for instructor in instructors)
    return gettext("Taught by **{names}**", names=names) if names else gettext("Nobody teaches this class any more.")


def _look_up(student: Student, code: str) -> ClassInvitation | HomeroomError:
    seen = st.session_state.get(SEEN)
    if seen is not None and seen[0] == (student.id, code):
        found: ClassInvitation | HomeroomError = seen[1]
        return found
    try:
        found = session.services().classroom.memberships.invitation(student, code)
    except HomeroomError as error:
        found = error
    st.session_state[SEEN] = ((student.id, code), found)
    return found


@guarded_callback
def _join(student: Student, code: str) -> None:
    st.session_state.pop(SEEN, None)
    classroom = session.services().classroom
    joined = classroom.memberships.join(student, code)
    flash(gettext("You are in {name} now.", name=joined.name))
    if classroom.demo.is_of(joined):
        begin_demo_chat(student, joined)
    else:
        open_class(joined.id)
