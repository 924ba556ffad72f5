"""The chat that was just deleted, with the way to have it back."""

import streamlit as st

from services.agent.conversations import ConversationSummary
from services.agent.trash import KEPT_FOR
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from ui import action, session
from ui.chat import search

KEY = "deleted_chat"


def remember(chat: ConversationSummary, *, was_open: bool) -> None:
    st.session_state[KEY] = (chat, was_open, session.services().clock() + KEPT_FOR)


def forget(id: str | None = None) -> None:
    """Whatever it was, or only that chat: it is back."""
    if id is None or (KEY in st.session_state and st.session_state[KEY][0].id == id):
        st.session_state.pop(KEY, None)


def draw(student: Student) -> None:
    """One line, until the student goes on with something else or the chat is gone for good."""
    if KEY not in st.session_state:
        return
    chat, _, until = st.session_state[KEY]
    if session.services().clock() >= until:
        forget()
        return
    with st.container(key="undo-delete", horizontal=True, vertical_alignment="center"):
        st.caption(gettext("“{title}” is deleted.", title=literal(chat.title)))
        st.button(gettext("Undo"), key="undo-delete-button", icon=":material/undo:", on_click=_undo, args=(student,))


@action.guarded
def _undo(student: Student) -> None:
    chat, was_open, _ = st.session_state.pop(KEY)
    session.services().chats.trash.restore(student.id, chat.id)
    search.forget()
    if was_open:
        st.query_params["c"] = chat.id
