"""Header of an open chat: its menu, and earlier messages."""

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from ui.chat.chat_menu import draw_chat_menu
from ui.chat.chat_state import CONTEXT_MESSAGES, ChatState, show_from
from ui.classroom.assistants.chat_policy import draw_policy_line

EARLIER_MESSAGES = 60
"""Number of messages that "Show earlier" adds."""


def draw_chat_header(student: Student, chat: ChatState) -> None:
    """Draw the menu; nothing while the chat's first question is being stored."""
    if chat.conversation is not None:
        with st.container(key="chat-head", horizontal=True, horizontal_alignment="right"):
            draw_policy_line(student, chat.conversation.assistant)
            draw_chat_menu(student, chat.conversation.summary, gettext("Chat options"), is_open=True)
    _draw_earlier_button(chat)


def _draw_earlier_button(chat: ChatState) -> None:
    """Button that loads earlier messages, when there are any."""
    if chat.first_seq > 1:
        args = (chat.id, max(1, chat.first_seq - EARLIER_MESSAGES + CONTEXT_MESSAGES))
        with st.container(horizontal_alignment="center", key="earlier"):
            st.button(
                gettext("Show earlier"), key="show-earlier", icon=":material/history:", on_click=show_from, args=args
            )
