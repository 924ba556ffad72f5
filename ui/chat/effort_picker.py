"""How much thought an answer gets: picked above the composer for this chat, from the next message on."""

import streamlit as st

from services.agent.effort import EFFORTS, checked, effort_of
from services.assistants.assistant import Assistant
from services.i18n import gettext
from services.identity.students import Student
from ui import action, session
from ui.chat.opened import Opened

NEW = "new_chat_effort"
"""The choice for a chat that has not begun."""


def draw(student: Student, chat: Opened, assistant: Assistant) -> None:
    """Two choices and what the chosen one means; nothing where the same model would answer either way."""
    settings = session.services().settings
    if settings.model_quick == settings.model_thorough:
        return
    efforts = {effort.id: effort for effort in EFFORTS}
    current = effort_of(chat.conversation.effort if chat.conversation else st.session_state.get(NEW), assistant)
    key = f"effort-{chat.id or 'new'}"
    # The store knows better than an older tab of the same chat.
    st.session_state[key] = current
    st.segmented_control(
        gettext("How much thought an answer gets"),
        list(efforts),
        key=key,
        required=True,
        format_func=lambda id: gettext(efforts[id].title),
        label_visibility="collapsed",
        on_change=_pick,
        args=(student, chat.id, key),
    )
    st.caption(f":small[{gettext(efforts[current].hint)}]", width="content")


def for_new_chat() -> str | None:
    """The effort to begin a chat with; the next new chat begins with its assistant's own again."""
    return st.session_state.pop(NEW, None)


@action.guarded
def _pick(student: Student, conversation: str | None, key: str) -> None:
    if conversation is None:
        st.session_state[NEW] = st.session_state[key]
    else:
        session.services().conversations.set_effort(student.id, conversation, checked(st.session_state[key]))
