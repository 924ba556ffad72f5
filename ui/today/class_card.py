"""The student's classes on Today: what each one gives them, and the way into it."""

from collections.abc import Sequence

import streamlit as st

from services.assistants.class_assistant import ClassAssistant
from services.classes.class_repository import memberships_read_once
from services.classes.school_class import ClassRole, SchoolClass
from services.errors import ItemNotFound
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.navigation import CHAT_PAGE, CLASSROOM_PAGE, MATERIALS_PAGE
from services.safety.text import literal
from ui import session
from ui.chat.pickers import LINKED
from ui.classroom.class_address import CLASS, MATERIALS, VIEW

MOST_CLASSES = 2
MOST_ASSISTANTS = 2


def draw_classes(student: Student) -> bool:
    """Draw a line for each class that the student is a member of, with its assistants and its files; whether there is
    one that gives them something.
    """
    with memberships_read_once():
        return _draw_classes(student)


def _draw_classes(student: Student) -> bool:
    services = session.services()
    joined = [
        school_class
        for school_class, role in services.classroom.classes.of_student(student.id)
        if role is not ClassRole.INSTRUCTOR and school_class.archived_at is None
    ]
    if not joined:
        return False
    assistants = services.assistants.of_classes(student.id)
    gives = [
        _draw_class(student, joined_class, [each for each in assistants if each.class_id == joined_class.id])
        for joined_class in joined[:MOST_CLASSES]
    ]
    return any(gives)


def _draw_class(student: Student, school_class: SchoolClass, assistants: Sequence[ClassAssistant]) -> bool:
    files = _file_count(student, school_class)
    with st.container(key=f"today-class-{school_class.id}", gap="xsmall"):
        st.page_link(
            CLASSROOM_PAGE.script,
            label=f"**{literal(school_class.name)}**",
            icon=CLASSROOM_PAGE.icon,
            query_params={CLASS: school_class.id},
        )
        if assistants or files:
            with st.container(horizontal=True, gap="small", key=f"today-class-gives-{school_class.id}"):
                _draw_gifts(school_class, assistants, files)
    return bool(assistants or files)


def _draw_gifts(school_class: SchoolClass, assistants: Sequence[ClassAssistant], files: int) -> None:
    for assistant in assistants[:MOST_ASSISTANTS]:
        if st.button(
            gettext("Ask {assistant}", assistant=literal(assistant.name)),
            key=f"today-ask-{assistant.id}",
            icon=":material/support_agent:",
        ):
            st.switch_page(CHAT_PAGE.script, query_params={LINKED: assistant.id})
    if files:
        st.page_link(
            CLASSROOM_PAGE.script,
            label=ngettext("{n} file to read", "{n} files to read", files),
            icon=MATERIALS_PAGE.icon,
            query_params={CLASS: school_class.id, VIEW: MATERIALS},
        )


def _file_count(student: Student, school_class: SchoolClass) -> int:
    """Number of files of the class; none when it has just ended."""
    try:
        return session.services().classroom.materials.file_count(student, school_class.id)
    except ItemNotFound:
        return 0
