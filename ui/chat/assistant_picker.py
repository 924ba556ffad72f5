"""Which assistant answers in this chat: picked above the composer, used from the next message on."""

from collections.abc import Mapping

import streamlit as st

from services.assistants.assistant import DEFAULT, Assistant
from services.connections.connection import Connection
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.safety.text import literal
from ui import action, session
from ui.chat.opened import Opened

NEW = "new_chat_assistant"
"""The choice for a chat that has not begun."""


def draw(student: Student, chat: Opened, connected: Mapping[str, Connection]) -> Assistant:
    """A small menu with the chosen one's name on it, and none when there is only one; the chosen one."""
    assistants = {assistant.id: assistant for assistant in session.services().assistants.all()}
    current = assistants.get(chosen(chat), assistants[DEFAULT])
    if len(assistants) < 2:
        return current
    # Filled when it is opened: most runs of a page would draw the choices for nobody.
    menu = st.popover(
        literal(gettext(current.name)),
        icon=":material/support_agent:",
        type="tertiary",
        key=f"assistant-picker-{current.id}",
        on_change="rerun",
    )
    if menu.open:
        with menu:
            for assistant in assistants.values():
                _choice(student, chat.id, assistant, is_current=assistant.id == current.id)
                count = len(session.services().door.tools_of(connected, assistant))
                st.caption(
                    f"{literal(gettext(assistant.summary))} {literal(gettext(assistant.integrity))} {_in_words(count)}"
                )
    return current


def for_new_chat() -> str:
    """The assistant to begin a chat with; the next new chat begins with the default one again."""
    return str(st.session_state.pop(NEW, DEFAULT))


def chosen(chat: Opened) -> str:
    """The id of the assistant that answers the next message."""
    return chat.conversation.assistant if chat.conversation else str(st.session_state.get(NEW, DEFAULT))


def _choice(student: Student, conversation: str | None, assistant: Assistant, *, is_current: bool) -> None:
    st.button(
        literal(gettext(assistant.name)),
        key=f"pick-{assistant.id}",
        icon=":material/check:" if is_current else None,
        width="stretch",
        disabled=is_current,
        on_click=_pick,
        args=(student, conversation, assistant),
    )


def _in_words(count: int) -> str:
    """Honest about what an assistant can do today, for this student."""
    if count == 0:
        return gettext("It has no tools that work for you yet.")
    return ngettext("{n} tool works for you.", "{n} tools work for you.", count)


@action.guarded
def _pick(student: Student, conversation: str | None, assistant: Assistant) -> None:
    if conversation is None:
        st.session_state[NEW] = assistant.id
    else:
        session.services().conversations.switch(student.id, conversation, assistant)
