"""Pickers above the composer: the assistant, and the effort, of the next answers in this chat."""

from collections.abc import Callable, Mapping

import streamlit as st

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.connections.connection import Connection
from services.i18n import gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.llm.effort import EFFORTS, checked_effort, effort_of
from services.safety.text import literal, one_line
from ui import session
from ui.chat.chat_state import ChatState
from ui.chat.draft import save_draft_text
from ui.session_guard import guarded_callback

NEW_CHAT_ASSISTANT = "new_chat_assistant"
"""Choice for a chat that has not begun."""
NEW_CHAT_EFFORT = "new_chat_effort"
"""Choice for a chat that has not begun."""
LONGEST_SUBJECT = 150
_GUIDED = {
    "hint": (gettext_noop("Give me a hint"), ":material/lightbulb:"),
    "tell": (gettext_noop("Just tell me"), ":material/menu_book:"),
}
"""What is sent in the student's name, by key."""


def draw_assistant_picker(student: Student, chat: ChatState, connected: Mapping[str, Connection]) -> Assistant:
    """Draw the menu of assistants, when there are several; returns the chosen one."""
    assistants = {assistant.id: assistant for assistant in session.services().assistants.all()}
    current = assistants.get(peek_assistant(chat), assistants[DEFAULT_ASSISTANT])
    if len(assistants) < 2:
        return current
    # Filled only while it is open: most runs would draw the choices for nobody.
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
                _draw_assistant(student, chat.id, assistant, is_current=assistant.id == current.id)
                count = _tool_count(len(session.services().gateway.enabled_tools(connected, assistant)))
                st.caption(f"{literal(gettext(assistant.summary))} {literal(gettext(assistant.integrity))} {count}")
    return current


def choose_guided_assistant(about: str = "") -> str:
    """Choose the assistant that guides for a new chat; returns the first message about this, "" for none."""
    assistants = session.services().assistants.all()
    st.session_state[NEW_CHAT_ASSISTANT] = next((each.id for each in assistants if each.is_guided), DEFAULT_ASSISTANT)
    shown = one_line(about, LONGEST_SUBJECT)
    return gettext("Study “{about}” with me.", about=shown) if shown else ""


def take_guided_request() -> None:
    """Prepare what an address asks for (`guided_address`): not sent, as anybody may have made the link."""
    if "guide" in st.query_params:
        save_draft_text(choose_guided_assistant(st.query_params["guide"]))
        st.query_params.clear()


def draw_guided_actions(student: Student, conversation: str, send: Callable[[Student, str, str], None]) -> None:
    """Draw what a student may say at any time in a chat that guides: a hint, the explanation, the end."""
    with st.container(key="guided", horizontal=True, gap="small"):
        for key, (label, icon) in _GUIDED.items():
            text = gettext(label)
            args = (student, conversation, text)
            st.button(text, key=f"guided-{key}", icon=icon, type="tertiary", on_click=send, args=args)
        st.button(
            gettext("End guided study"),
            key="guided-end",
            icon=":material/close:",
            type="tertiary",
            on_click=_pick_assistant,
            args=(student, conversation, session.services().assistants.get(DEFAULT_ASSISTANT)),
        )


def take_new_chat_assistant() -> str:
    """Assistant chosen for a new chat; the choice is reset to the default."""
    return str(st.session_state.pop(NEW_CHAT_ASSISTANT, DEFAULT_ASSISTANT))


def peek_assistant(chat: ChatState) -> str:
    """Id of the assistant that answers the next message."""
    if chat.conversation:
        return chat.conversation.assistant
    return str(st.session_state.get(NEW_CHAT_ASSISTANT, DEFAULT_ASSISTANT))


def _draw_assistant(student: Student, conversation: str | None, assistant: Assistant, *, is_current: bool) -> None:
    st.button(
        literal(gettext(assistant.name)),
        key=f"pick-{assistant.id}",
        icon=":material/check:" if is_current else None,
        width="stretch",
        disabled=is_current,
        on_click=_pick_assistant,
        args=(student, conversation, assistant),
    )


def _tool_count(count: int) -> str:
    """Number of tools that work for this student with an assistant, as a sentence."""
    if count == 0:
        return gettext("It has no tools that work for you yet.")
    return ngettext("{n} tool works for you.", "{n} tools work for you.", count)


@guarded_callback
def _pick_assistant(student: Student, conversation: str | None, assistant: Assistant) -> None:
    if conversation is None:
        st.session_state[NEW_CHAT_ASSISTANT] = assistant.id
    else:
        session.services().conversations.switch_assistant(student.id, conversation, assistant)


def draw_effort_picker(student: Student, chat: ChatState, assistant: Assistant) -> None:
    """Draw the two choices with a hint; nothing where the same model would answer either way."""
    settings = session.services().settings
    if settings.model_quick == settings.model_thorough:
        return
    efforts = {effort.id: effort for effort in EFFORTS}
    current = effort_of(
        chat.conversation.effort if chat.conversation else st.session_state.get(NEW_CHAT_EFFORT), assistant
    )
    key = f"effort-{chat.id or 'new'}"
    # The store may be newer than what is shown in an older tab of the same chat.
    st.session_state[key] = current
    st.segmented_control(
        gettext("How much thought an answer gets"),
        list(efforts),
        key=key,
        required=True,
        format_func=lambda id: gettext(efforts[id].title),
        label_visibility="collapsed",
        on_change=_pick_effort,
        args=(student, chat.id, key),
    )
    st.caption(f":small[{gettext(efforts[current].hint)}]", width="content")


def peek_new_chat_effort() -> str | None:
    """Effort chosen for a new chat, which stays; None for the assistant's own."""
    return st.session_state.get(NEW_CHAT_EFFORT)


def take_new_chat_effort() -> str | None:
    """Effort chosen for a new chat; the choice is reset to the assistant's own."""
    return st.session_state.pop(NEW_CHAT_EFFORT, None)


@guarded_callback
def _pick_effort(student: Student, conversation: str | None, key: str) -> None:
    if conversation is None:
        st.session_state[NEW_CHAT_EFFORT] = st.session_state[key]
    else:
        session.services().conversations.set_effort(student.id, conversation, checked_effort(st.session_state[key]))
