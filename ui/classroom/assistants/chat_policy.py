"""What holds in a chat with a class's assistant: its policy, the tools off and exams, always in sight."""

from contextlib import suppress
from zoneinfo import ZoneInfo

import streamlit as st

from services.assistants.assistant import Assistant
from services.assistants.class_assistant import ClassAssistant, exam_sentence, is_class_assistant
from services.assistants.integrity import level_of
from services.errors import ItemNotFound
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from services.turns.assistants.assistant_guard import gone_sentence
from ui import session
from ui.chat.chat_state import ChatState
from ui.classroom.assistants.student_summary import draw_student_summary, exam_text, tools_off_line


def draw_policy_line(student: Student, assistant_id: str) -> None:
    """Draw the class, the level or the open exam, and the tools off at the head of a chat with a class's assistant."""
    if not is_class_assistant(assistant_id):
        return
    with suppress(ItemNotFound):
        assistant = session.services().assistants.for_student(student.id, assistant_id)
        if isinstance(assistant, ClassAssistant):
            level = gettext(level_of(assistant.level).label)
            place = f"{assistant.class_name} · {assistant.name}"
            until = exam_sentence(assistant, ZoneInfo(student.timezone))
            st.caption(literal(" · ".join(filter(None, (place, until or level, tools_off_line(assistant))))))


def draw_class_policy(student: Student, assistant: Assistant) -> None:
    """Draw what holds for the next message beside the choice of the assistant, with the rest behind it."""
    if isinstance(assistant, ClassAssistant):
        label = gettext("Rules: {level}", level=gettext(level_of(assistant.level).label))
        with st.popover(label, icon=":material/policy:", type="tertiary", key=f"class-policy-{assistant.id}"):
            draw_student_summary(student, assistant, can_open=False, has_class=True)


def draw_exam_notice(student: Student, chat: ChatState, assistant: Assistant) -> None:
    """Draw the exam window that is open, or that the chat's assistant is not there any more.

    assistant: the one that answers the next message.
    """
    if isinstance(assistant, ClassAssistant):
        if assistant.exam:
            st.warning(exam_text(student, assistant), icon=":material/event_busy:")
    elif chat.conversation is not None and is_class_assistant(chat.conversation.assistant):
        st.info(literal(gone_sentence(assistant)), icon=":material/info:")
