"""What an instructor changes about a class itself: its name and size, its end, its deletion."""

import streamlit as st

from services.classes.classes import LONGEST_NAME, LONGEST_TERM, MOST_MEMBERS_EVER
from services.classes.school_class import SchoolClass
from services.errors import HomeroomError
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.classroom.class_address import leave_class
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.session_guard import guarded_callback, guarded_dialog

DELETE_ICON = ":material/delete_forever:"


def draw_class_form(student: Student, school_class: SchoolClass) -> None:
    """Fields of a class, and the ways in which it ends."""
    with st.expander(gettext("Name, size and end of the class"), icon=":material/tune:"):
        _draw_fields(student, school_class)
        st.divider()
        _draw_end(student, school_class)


def _draw_fields(student: Student, school_class: SchoolClass) -> None:
    key = f"{school_class.id}-{school_class.version}"
    with st.form(f"class-{key}", border=False):
        name = st.text_input(gettext("Name"), school_class.name, max_chars=LONGEST_NAME, key=f"class-name-{key}")
        term = st.text_input(gettext("Term"), school_class.term, max_chars=LONGEST_TERM, key=f"class-term-{key}")
        most = st.number_input(
            gettext("Most students who may join by the code"),
            min_value=1,
            max_value=MOST_MEMBERS_EVER,
            value=school_class.most_members,
            step=1,
            key=f"class-most-{key}",
            help=gettext("Whom you put on the list comes in even when the class is full."),
        )
        if not st.form_submit_button(gettext("Save"), icon=":material/check:"):
            return
    try:
        session.services().classroom.classes.change(
            student, school_class.id, version=school_class.version, name=name, term=term, most_members=int(most)
        )
    except HomeroomError as error:
        show_error(error)
        return
    flash(gettext("The class is changed."))
    st.rerun()


def _draw_end(student: Student, school_class: SchoolClass) -> None:
    if school_class.archived_at is None:
        st.caption(
            gettext(
                "At the end of the term, archive the class: its assistants, materials and code are closed, and nothing "
                "is lost. Deleting it takes all of that away for good."
            )
        )
    with st.container(horizontal=True, key="class-end-actions"):
        about = (student, school_class.id)
        if school_class.archived_at is None:
            label, icon = gettext("Archive the class"), ":material/inventory_2:"
            st.button(label, icon=icon, key="class-archive", on_click=_archive, args=about)
        else:
            label, icon = gettext("Open the class again"), ":material/unarchive:"
            st.button(label, icon=icon, key="class-archive", on_click=_reopen, args=about)
        if st.button(gettext("Delete the class"), icon=DELETE_ICON, key="class-delete"):
            guarded_dialog(gettext("Delete the class"), _confirm_deletion, icon=DELETE_ICON)(student, school_class)


def _confirm_deletion(student: Student, school_class: SchoolClass) -> None:
    st.markdown(
        gettext(
            "**{name}** goes for everybody in it, at once and for good: its list, assistants, materials, budgets and "
            "figures. Nobody can bring them back. What students have in their own chats stays theirs.",
            name=literal(school_class.name),
        )
    )
    typed = st.text_input(
        gettext("Write the name of the class to delete it"), key="class-delete-name", autocomplete="off"
    )
    if st.button(gettext("Delete the class"), type="primary", icon=DELETE_ICON, key="class-delete-confirm"):
        if typed.strip().casefold() != school_class.name.casefold():
            st.info(gettext("This is not the name of the class."), icon=":material/info:")
            return
        try:
            session.services().classroom.classes.delete(student, school_class.id)
        except HomeroomError as error:
            show_error(error)
            return
        leave_class()
        flash(gettext("{name} is deleted.", name=school_class.name))
        st.rerun()


@guarded_callback
def _archive(student: Student, class_id: str) -> None:
    session.services().classroom.classes.archive(student, class_id)
    flash(gettext("The class is archived. You can open it again whenever you like."))


@guarded_callback
def _reopen(student: Student, class_id: str) -> None:
    session.services().classroom.classes.reopen(student, class_id)
    flash(gettext("The class is open again. Make a new code when others may join."))
