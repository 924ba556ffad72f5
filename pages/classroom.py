"""Classroom: the classes that a student is in, and what an instructor sets up for one."""

import streamlit as st

from services.errors import ItemNotFound
from services.i18n import gettext
from services.identity.roles import Role
from services.safety.text import literal
from ui import session
from ui.classroom.class_address import (
    ASSISTANTS,
    draw_way_back,
    invited_code,
    opened_assistant,
    opened_class,
    opened_view,
)
from ui.classroom.class_list import draw_classes
from ui.classroom.class_views import OPERATOR_SECTIONS, draw_open_class
from ui.classroom.demo_chat import follow_demo_chat
from ui.classroom.join_panel import draw_invitation
from ui.classroom.list_notices import draw_list_notices
from ui.classroom.school_system import draw_linked_accounts
from ui.error_boundary import show_error
from ui.flash_message import show_flash
from ui.materials.reader import draw_reader

student = session.current_student()
classroom = session.services().classroom
draw_reader()
follow_demo_chat()
if class_id := opened_class():
    draw_way_back()
    try:
        school_class, role = classroom.classes.require_member(student, class_id)
    except ItemNotFound as error:
        show_error(error)
        st.stop()
    with st.container(key="classroom-open", gap="xsmall"):
        st.title(literal(school_class.name))
        if school_class.term:
            st.caption(literal(school_class.term))
    # The form of an assistant shows it beside its buttons.
    if not (opened_assistant() and opened_view() == ASSISTANTS):
        show_flash()
    draw_open_class(student, school_class, role)
elif invited_code():
    show_flash()
    draw_invitation(student)
else:
    st.title(gettext("Classroom"))
    st.caption(gettext("Your classes, and what each one gives you here."))
    show_flash()
    draw_list_notices(student)
    draw_classes(student)
    draw_linked_accounts(student)
    if classroom.roles.of(student) is Role.OPERATOR:
        st.markdown(gettext("## For the operator of this Homeroom"))
        for draw_section in OPERATOR_SECTIONS:
            draw_section(student)
