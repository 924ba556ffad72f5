"""What is in force of a class's assistant, as its members read it: the policy, the tools off, the exam windows."""

from zoneinfo import ZoneInfo

import streamlit as st

from services.assistants.class_assistant import ClassAssistant, ExamWindow, exam_sentence, policy_of
from services.i18n import formats, gettext
from services.identity.students import Student
from services.navigation import CHAT_PAGE
from services.safety.text import literal
from services.tools.tool import heading
from ui import session
from ui.chat.pickers import NEW_CHAT_ASSISTANT
from ui.tool_names import title_by_name


def draw_student_summary(
    student: Student, assistant: ClassAssistant, *, can_open: bool, has_name: bool = True, has_class: bool = False
) -> None:
    """Draw it. can_open: with a button that begins a chat with it."""
    if has_name:
        place = f" · {literal(assistant.class_name)}" if has_class else ""
        st.markdown(f"**{literal(assistant.name)}**{place}")
    if assistant.summary:
        st.markdown(literal(assistant.summary))
    if assistant.exam:
        st.warning(exam_text(student, assistant), icon=":material/event_busy:")
    st.markdown(literal(policy_of(assistant)))
    for line in summary_facts(student, assistant):
        st.caption(literal(line))
    if (
        can_open
        and not assistant.is_closed
        and st.button(gettext("Begin a chat"), icon=":material/chat:", key=f"chat-with-{assistant.id}")
    ):
        st.session_state[NEW_CHAT_ASSISTANT] = assistant.id
        st.switch_page(CHAT_PAGE.script, query_params={"new": "1"})


def exam_text(student: Student, assistant: ClassAssistant) -> str:
    """The exam window that is open, with until when and its rules; "" while none is."""
    if assistant.exam is None:
        return ""
    rules = literal(assistant.exam.rules.strip())
    return "  \n".join(filter(None, (literal(exam_sentence(assistant, ZoneInfo(student.timezone))), rules)))


def summary_facts(student: Student, assistant: ClassAssistant) -> list[str]:
    """Lines on the tools that are off, the next exam window, and since when this holds."""
    lines = [tools_off_line(assistant)]
    if assistant.next_exam:
        lines.append(window_line(student, assistant.next_exam))
    if assistant.since:
        lines.append(
            gettext("In force since {when}.", when=formats.moment(assistant.since, ZoneInfo(student.timezone)))
        )
    return [line for line in lines if line]


def tools_off_line(assistant: ClassAssistant) -> str:
    """Which kinds of tools and single tools are off; "" when none are."""
    if assistant.exam:
        return gettext("No tools until the exam is over.")
    tools = session.services().root_tools.tools()
    off = list(dict.fromkeys(tool.category for tool in tools if not assistant.uses_category(tool.category)))
    kinds = [gettext(heading(category)) for category in off]
    single = [title_by_name(name) for name, is_on in assistant.switches.items() if not is_on]
    if not kinds and not single:
        return gettext("It uses all your tools.")
    return gettext("Off here: {names}.", names=", ".join((*kinds, *single)))


def window_line(student: Student, window: ExamWindow) -> str:
    """A window that is to come, in the student's time zone."""
    when = formats.span(window.begins_at, window.ends_at, ZoneInfo(student.timezone))
    if window.mode == "closed":
        return gettext("Closed for an exam: {when}.", when=when)
    return gettext("Explains only the rules of an exam: {when}.", when=when)
