"""Classes that a list has brought a student into: joined once they sign in, and told until they have read it."""

from contextlib import suppress

import streamlit as st

from services.classes.school_class import SchoolClass
from services.errors import StorageError
from services.i18n import gettext
from services.identity.students import Student
from services.navigation import CLASSROOM_PAGE
from services.safety.text import literal
from ui import session
from ui.classroom.join_panel import teachers_sentence
from ui.classroom.visibility import draw_visibility
from ui.flash_message import flash
from ui.session_guard import guarded_callback

UNTOLD = "untold-classes"
"""Ids of the classes of which this student has not read yet, as the first run of this tab found them."""


def join_by_list(student: Student) -> None:
    """Let the student into the classes that have named their address: once for each tab that they open."""
    if st.session_state.get(UNTOLD, ("",))[0] == student.id:
        return
    classroom = session.services().classroom
    # A store that does not answer is told by the page; the next one tries again.
    with suppress(StorageError):
        classroom.roster.accept(student)
        st.session_state[UNTOLD] = (student.id, [found.id for found in classroom.memberships.untold(student)])


def draw_list_notices(student: Student) -> None:
    """A note for each class that one has not read of, with what it means and the way out."""
    if not st.session_state.get(UNTOLD, ("", []))[1]:
        return
    classroom = session.services().classroom
    untold = classroom.memberships.untold(student)
    for found in untold:
        with st.container(border=True, key=f"class-notice-{found.id}", gap="small"):
            st.markdown(gettext("**You are in {name} now.** Its instructor put you on the list.", name=_name(found)))
            st.markdown(teachers_sentence(classroom.classes.instructors(student, found.id)))
            if found is untold[0]:
                draw_visibility()
            with st.container(horizontal=True, key=f"class-notice-actions-{found.id}"):
                st.button(
                    gettext("All right"),
                    type="primary",
                    key=f"class-told-{found.id}",
                    on_click=_mark_told,
                    args=(student, found.id),
                )
                st.button(
                    gettext("Leave the class"),
                    key=f"class-untold-leave-{found.id}",
                    on_click=_leave,
                    args=(student, found),
                )
                st.page_link(CLASSROOM_PAGE.script, label=gettext("Your classes"), icon=CLASSROOM_PAGE.icon)


def _name(found: SchoolClass) -> str:
    return literal(found.name)


@guarded_callback
def _mark_told(student: Student, class_id: str) -> None:
    session.services().classroom.memberships.mark_told(student, class_id)


@guarded_callback
def _leave(student: Student, found: SchoolClass) -> None:
    session.services().classroom.memberships.leave(student, found.id)
    flash(gettext("You have left {name}.", name=found.name))
