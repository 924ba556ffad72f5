"""The way of a demo's visitor from the code on the wall into chats with the class's assistant, with few taps."""

import streamlit as st

from services.assistants.class_assistant import ClassAssistant
from services.classes.school_class import SchoolClass
from services.i18n import gettext
from services.identity.students import Student
from services.navigation import CHAT_PAGE
from ui import session
from ui.chat.pickers import NEW_CHAT_ASSISTANT
from ui.classroom.class_address import JOIN, leave_class
from ui.flash_message import flash

IS_NEXT = "demo-chat-is-next"


def begin_demo_chat(student: Student, school_class: SchoolClass) -> None:
    """Open a chat with the class's assistant next, not the class's page: thirty people have come to ask something."""
    leave_class()
    st.session_state.pop(NEW_CHAT_ASSISTANT, None)
    if own := _class_assistant(student):
        name = school_class.name
        flash(gettext("You are in {name} now. {assistant} answers what you ask here.", name=name, assistant=own.name))
    st.session_state[IS_NEXT] = True


def prefer_class_assistant(student: Student) -> None:
    """Let new chats of a demo's visitor begin with the class's assistant until they choose another one, on whatever way
    they come: a phone that slept has a new session.
    """
    if not session.services().settings.demo_class or NEW_CHAT_ASSISTANT in st.session_state:
        return
    if own := _class_assistant(student):
        st.session_state[NEW_CHAT_ASSISTANT] = own.id


def _class_assistant(student: Student) -> ClassAssistant | None:
    """None for whoever presents: the script's questions are for Homeroom."""
    services = session.services()
    if services.classroom.demo.may_be_presented_by(student):
        return None
    found = services.assistants.of_classes(student.id)
    return next((assistant for assistant in found if assistant.class_id == services.settings.demo_class), None)


def follow_demo_chat() -> None:
    """Leave for the chat after a visitor of a demo has joined."""
    if st.session_state.pop(IS_NEXT, False):
        st.switch_page(CHAT_PAGE.script)


def goes_to_sign_in() -> bool:
    """Whether a signed-out visitor has scanned the code of a demo: they go to the sign-in without a tap."""
    return bool(session.services().settings.demo_class) and JOIN in st.query_params
