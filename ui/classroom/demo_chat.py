"""The way of a demo's visitor from the code on the wall into a chat, with as few taps as can be."""

import streamlit as st

from services.classes.school_class import SchoolClass
from services.identity.students import Student
from services.navigation import CHAT_PAGE
from ui import session
from ui.chat.pickers import NEW_CHAT_ASSISTANT
from ui.classroom.class_address import JOIN, leave_class

IS_NEXT = "demo-chat-is-next"


def begin_demo_chat(student: Student, school_class: SchoolClass) -> None:
    """Open a chat with the class's assistant next, not the class's page: thirty people have come to ask something."""
    leave_class()
    found = session.services().assistants.of_classes(student.id)
    if own := next((assistant for assistant in found if assistant.class_id == school_class.id), None):
        st.session_state[NEW_CHAT_ASSISTANT] = own.id
    st.session_state[IS_NEXT] = True


def follow_demo_chat() -> None:
    """Leave for the chat after a visitor of a demo has joined."""
    if st.session_state.pop(IS_NEXT, False):
        st.switch_page(CHAT_PAGE.script)


def goes_to_sign_in() -> bool:
    """Whether a signed-out visitor has scanned the code of a demo: they go to the sign-in without a tap."""
    return bool(session.services().settings.demo_class) and JOIN in st.query_params
