"""Above a conversation: its menu, and the way to what was said before."""

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from ui.chat import menu, opened
from ui.chat.opened import Opened


def draw(student: Student, chat: Opened) -> None:
    """Nothing while the chat's first question is being stored."""
    if chat.conversation is not None:
        with st.container(key="chat-head", horizontal=True, horizontal_alignment="right"):
            if before := chat.conversation.branch_of:
                icon = ":material/arrow_back:"
                st.button(
                    gettext("Back to the first way"),
                    key="first-way",
                    icon=icon,
                    type="tertiary",
                    on_click=_go,
                    args=(before,),
                )
            menu.draw(student, chat.conversation.summary, gettext("Chat options"), is_open=True)
    opened.offer_earlier(chat)


def _go(id: str) -> None:
    st.query_params["c"] = id
