"""What holds in a chat with a class's assistant: its policy, the tools off and exams, always in sight."""

import streamlit as st

from services.assistants.assistant import Assistant
from services.assistants.class_assistant import ClassAssistant, is_class_assistant
from services.assistants.integrity import level_of
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from ui.chat.chat_state import ChatState
from ui.classroom.assistants.in_force import draw_in_force, exam_text


def draw_class_policy(student: Student, chat: ChatState, assistant: Assistant) -> None:
    """Draw what holds, in one line with the rest behind it; or that the chat's assistant is not there any more.

    assistant: the one that answers the next message.
    """
    if isinstance(assistant, ClassAssistant):
        _draw_policy(student, assistant)
    elif chat.conversation is not None and is_class_assistant(chat.conversation.assistant):
        st.info(
            gettext(
                "The assistant of this chat is not available to you any more. {name} answers from here on.",
                name=literal(gettext(assistant.name)),
            ),
            icon=":material/info:",
        )


def _draw_policy(student: Student, assistant: ClassAssistant) -> None:
    if assistant.exam:
        st.warning(exam_text(student, assistant), icon=":material/event_busy:")
    label = f"{literal(assistant.class_name)} · {gettext(level_of(assistant.level).label)}"
    with st.popover(label, icon=":material/policy:", type="tertiary", key=f"class-policy-{assistant.id}"):
        draw_in_force(student, assistant, can_open=False, has_class=True)
