"""Start of guided study: a new chat with the assistant that guides, in one press."""

import streamlit as st

from services.identity.students import Student
from services.navigation import CHAT_PAGE
from ui.chat.composer import send_message
from ui.chat.pickers import choose_guided_assistant


def start_guided_study(student: Student, about: str = "") -> None:
    """Open a new chat that guides, and begin with a topic where there is one; what cannot be sent waits there."""
    st.query_params.pop("c", None)
    if text := choose_guided_assistant(about):
        send_message(student, None, text)
    chat = st.query_params.get("c")
    st.switch_page(CHAT_PAGE.script, query_params={"c": chat} if chat else {"new": "1"})
