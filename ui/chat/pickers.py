"""Picker in the field for messages: the assistant, and the effort, of the next answers in this chat."""

from collections.abc import Mapping

import streamlit as st

from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.assistants.class_assistant import ClassAssistant, policy_of
from services.connections.connection import Connection
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.llm.effort import EFFORTS, Effort, checked_effort, effort_of
from services.safety.text import literal
from ui import session
from ui.chat.chat_state import ChatState
from ui.session_guard import guarded_callback

NEW_CHAT_ASSISTANT = "new_chat_assistant"
"""Choice for a chat that has not begun."""
LINKED = "assistant"
"""Parameter of an address that begins a chat with an assistant (`services.classes.lti.launch_targets`)."""
NEW_CHAT_EFFORT = "new_chat_effort"
"""Choice for a chat that has not begun."""


def chosen_assistant(student: Student, chat: ChatState) -> Assistant:
    """Assistant that answers the next message: the chosen one, or the default where the student has that no more."""
    assistants = _assistants(student)
    if st.session_state.get(NEW_CHAT_ASSISTANT, DEFAULT_ASSISTANT) not in assistants:
        # It was taken back, or the student left its class, after they had chosen it for a new chat.
        st.session_state.pop(NEW_CHAT_ASSISTANT)
    return assistants.get(peek_assistant(chat), assistants[DEFAULT_ASSISTANT])


def draw_answer_picker(student: Student, chat: ChatState, connected: Mapping[str, Connection]) -> None:
    """Draw the one menu of who answers and how thoroughly; nothing where there is nothing to choose."""
    current, has_others, effort = chosen_assistant(student, chat), len(_assistants(student)) > 1, _effort(student, chat)
    names = [literal(gettext(current.name))] if has_others else []
    if effort is not None:
        names.append(gettext(effort.title))
    if not names:
        return
    # Filled only while it is open: most runs would draw the choices for nobody.
    menu = st.popover(" · ".join(names), type="tertiary", key=f"assistant-picker-{current.id}", on_change="rerun")
    if menu.open:
        with menu:
            if effort is not None:
                _draw_efforts(student, chat, effort)
            if has_others:
                _draw_assistants(student, chat, connected, current)


def _assistants(student: Student) -> dict[str, Assistant]:
    return {assistant.id: assistant for assistant in session.services().assistants.of_student(student.id)}


def _draw_assistants(
    student: Student, chat: ChatState, connected: Mapping[str, Connection], current: Assistant
) -> None:
    for assistant in _assistants(student).values():
        _draw_assistant(student, chat.id, assistant, is_current=assistant.id == current.id)
        count = _tool_count(len(session.services().gateway.enabled_tools(student, connected, assistant)))
        summary = gettext(assistant.summary) if assistant.summary else ""
        place = assistant.class_name if isinstance(assistant, ClassAssistant) else ""
        st.caption(" ".join(filter(None, (*map(literal, (place, summary, policy_of(assistant))), count))))


def take_linked_assistant(student: Student) -> None:
    """Choose the assistant that an address names for a new chat, such as a link from a course; one that the student
    does not have changes nothing.
    """
    if LINKED in st.query_params:
        wanted = st.query_params[LINKED]
        if any(assistant.id == wanted for assistant in session.services().assistants.of_student(student.id)):
            st.session_state[NEW_CHAT_ASSISTANT] = wanted
        st.query_params.clear()


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
        on_click=pick_assistant,
        args=(student, conversation, assistant),
    )


def _tool_count(count: int) -> str:
    """Number of tools that work for this student with an assistant, as a sentence."""
    if count == 0:
        return gettext("It has no tools that work for you yet.")
    return ngettext("{n} tool works for you.", "{n} tools work for you.", count)


@guarded_callback
def pick_assistant(student: Student, conversation: str | None, assistant: Assistant) -> None:
    """Let another assistant answer from the next message on."""
    if conversation is None:
        st.session_state[NEW_CHAT_ASSISTANT] = assistant.id
    else:
        session.services().conversations.switch_assistant(student.id, conversation, assistant)


def _effort(student: Student, chat: ChatState) -> Effort | None:
    """Effort of the next answer; None where the same model would answer either way."""
    settings = session.services().settings
    if settings.model_quick == settings.model_thorough:
        return None
    chosen = chat.conversation.effort if chat.conversation else st.session_state.get(NEW_CHAT_EFFORT)
    current = effort_of(chosen, chosen_assistant(student, chat))
    return next(effort for effort in EFFORTS if effort.id == current)


def _draw_efforts(student: Student, chat: ChatState, current: Effort) -> None:
    """Draw the two choices with a hint."""
    titles = {effort.id: gettext(effort.title) for effort in EFFORTS}
    key = f"effort-{chat.id or 'new'}"
    # The store may be newer than what is shown in an older tab of the same chat.
    st.session_state[key] = current.id
    st.segmented_control(
        gettext("How much thought an answer gets"),
        list(titles),
        key=key,
        required=True,
        format_func=titles.__getitem__,
        on_change=_pick_effort,
        args=(student, chat.id, key),
    )
    st.caption(gettext(current.hint))


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
