"""View "Assistants" of a class: what is in force for its members; each draft, and the way to one, for instructors."""

import secrets

import streamlit as st

from services.classes.assistants.assistant_record import AssistantRecord
from services.classes.school_class import ClassRole, SchoolClass
from services.errors import HomeroomError, ItemNotFound
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.classroom.assistants.editor import draw_editor
from ui.classroom.assistants.student_summary import draw_student_summary
from ui.classroom.class_address import close_editor, open_editor, opened_assistant
from ui.error_boundary import show_error
from ui.flash_message import show_flash

NEW_NAME, NEW_ID = "new-assistant-name", "new-assistant-id"


def draw_assistants(student: Student, school_class: SchoolClass) -> None:
    """For a member what is in force; for an instructor the form of the assistant that the address names, or all."""
    services = session.services()
    id = opened_assistant()
    if services.classroom.classes.role_in(student.id, school_class.id) is not ClassRole.INSTRUCTOR:
        if id:
            show_flash()
        _draw_for_member(student, school_class)
        return
    if id:
        try:
            record = services.classroom.assistants.get(student, id)
        except ItemNotFound as error:
            show_error(error)
            close_editor()
        else:
            if record.class_id == school_class.id:
                draw_editor(student, school_class, record)
                return
        show_flash()
    _draw_list(student, school_class)


def _draw_for_member(student: Student, school_class: SchoolClass) -> None:
    found = [each for each in session.services().assistants.of_classes(student.id) if each.class_id == school_class.id]
    if not found:
        st.caption(gettext("This class has no assistant of its own now. Homeroom's others are there for you as ever."))
    for assistant in found:
        with st.container(border=True, key=f"in-force-{assistant.id}"):
            draw_student_summary(student, assistant, can_open=True)


def _draw_list(student: Student, school_class: SchoolClass) -> None:
    records = session.services().classroom.assistants.of_class(student, school_class.id)
    if not records:
        st.caption(
            gettext(
                "Make an assistant for this class: its words, its tools, how far it helps. Students get it only when "
                "you publish it."
            )
        )
    for record in records:
        _draw_line(student, school_class, record)
    if school_class.archived_at is None:
        _draw_new(student, school_class)


def _draw_line(student: Student, school_class: SchoolClass, record: AssistantRecord) -> None:
    with st.container(border=True, key=f"assistant-{record.id}", gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", key=f"assistant-head-{record.id}"):
            st.markdown(f"**{literal(record.draft.name)}**")
            _draw_badge(record)
            st.button(
                gettext("Edit"),
                icon=":material/edit:",
                key=f"edit-{record.id}",
                on_click=open_editor,
                args=(record.id,),
            )
        shown = session.services().classroom.assistants.shown(record, school_class)
        if shown is not None:
            draw_student_summary(student, shown, can_open=False, has_name=False)


def _draw_badge(record: AssistantRecord) -> None:
    if record.published is None:
        st.badge(gettext("Draft"), color="gray")
    elif record.is_published_as_it_is:
        st.badge(gettext("Published"), color="green")
    else:
        st.badge(gettext("Published, with a newer draft"), color="orange")


def _draw_new(student: Student, school_class: SchoolClass) -> None:
    # Made once: a second click, or one in another tab, opens the same assistant.
    request_id = st.session_state.setdefault(NEW_ID, secrets.token_hex(8))
    with st.form("new-assistant", clear_on_submit=False):
        name = st.text_input(
            gettext("Name of a new assistant"),
            max_chars=40,
            key=NEW_NAME,
            placeholder=gettext("Such as: Biology tutor"),
        )
        if not st.form_submit_button(gettext("Make an assistant"), icon=":material/add:"):
            return
    if not name.strip():
        st.info(gettext("Give it a name first."), icon=":material/info:")
        return
    _create(student, school_class.id, name, request_id)
    if opened_assistant():
        st.rerun()


def _create(student: Student, class_id: str, name: str, request_id: str) -> None:
    try:
        made = session.services().classroom.assistants.create(student, class_id, name, request_id=request_id)
    except HomeroomError as error:
        show_error(error)
        return
    st.session_state.pop(NEW_ID, None)
    open_editor(made.id)
