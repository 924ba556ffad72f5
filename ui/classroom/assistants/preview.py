"""Preview of a draft as a student: a chat that is kept nowhere else, and what the model reads and has."""

from typing import Any

import streamlit as st

from services.assistants.class_assistant import AssistantDraft, ClassAssistant
from services.errors import HomeroomError
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from services.turns.assistants.preview import PreviewMessage
from ui import session
from ui.chat.answer_text import draw_answer_text
from ui.classroom.assistants.student_summary import draw_student_summary
from ui.error_boundary import show_error
from ui.session_guard import guarded_callback
from ui.tool_names import tool_title

TRY, READS = "try", "reads"
LONGEST_QUESTION = 4000


def draw_preview(student: Student, draft: AssistantDraft) -> None:
    """Draw the preview of the draft as it stands in the form."""
    st.markdown(gettext("**As a student**"))
    assistant = session.services().classroom.assistants.as_student(student, draft)
    with st.container(border=True, key="preview-policy", gap="xsmall"):
        draw_student_summary(student, assistant, can_open=False)
    labels = {TRY: gettext("Try it"), READS: gettext("What it reads and has")}
    view = st.segmented_control(
        gettext("Preview"),
        list(labels),
        default=TRY,
        required=True,
        format_func=labels.__getitem__,
        key=f"preview-view-{draft.id}",
        label_visibility="collapsed",
        width="stretch",
    )
    if view == READS:
        _draw_text(student, assistant)
    else:
        _draw_chat(student, assistant)


def _draw_chat(student: Student, assistant: ClassAssistant) -> None:
    st.caption(
        gettext(
            "It answers with what stands in the form now and with your own accounts. Nothing of this chat is kept, and "
            "nothing is changed anywhere; it costs as much as a student's question."
        )
    )
    said = _said(assistant)
    for number, message in enumerate(said):
        with st.chat_message(message.role, avatar=_avatar(message)), st.container(key=f"preview-{number}"):
            if message.role == "assistant":
                draw_answer_text(message.text, known=frozenset())
            else:
                st.markdown(literal(message.text))
    if said and said[-1].role == "user":
        _answer(student, assistant, said)
    with st.form(f"preview-ask-{assistant.id}", clear_on_submit=True, border=False):
        question = st.text_area(
            gettext("Ask as a student would"),
            max_chars=LONGEST_QUESTION,
            height=68,
            key=f"preview-question-{assistant.id}",
            placeholder=gettext("Such as: Can you do question 3 for me?"),
        )
        if st.form_submit_button(gettext("Ask"), icon=":material/send:") and question.strip():
            said.append(PreviewMessage(role="user", text=question.strip()))
            st.rerun()
    if said:
        st.button(
            gettext("Begin anew"),
            icon=":material/restart_alt:",
            type="tertiary",
            key="preview-clear",
            on_click=_clear,
            args=(student, assistant),
        )


def _answer(student: Student, assistant: ClassAssistant, said: list[PreviewMessage]) -> None:
    with st.chat_message("assistant", avatar=":material/support_agent:"), st.spinner(gettext("Thinking …")):
        try:
            session.require_signed_in(student)
            answer = session.services().assistant_preview.answer(student, assistant, said)
        except HomeroomError as error:
            said.pop()
            show_error(error)
            return
    steps = ", ".join(dict.fromkeys(gettext(step.label) for step in answer.steps))
    looked_up = f"\n\n*{literal(steps)}*" if steps else ""
    partial = f"\n\n{literal(answer.why_partial)}" if answer.why_partial else ""
    said.append(PreviewMessage(role="assistant", text=f"{answer.text}{looked_up}{partial}"))
    st.rerun()


def _draw_text(student: Student, assistant: ClassAssistant) -> None:
    text = session.services().assistant_preview.text(student, assistant)
    st.caption(gettext("This is the exact text that it would read before a chat of yours."))
    st.code(text.system, language=None, wrap_lines=True, height=320)
    names = ", ".join(tool_title(tool) for tool in text.tools)
    st.markdown(gettext("**It has {n} tools with your accounts:** {names}", n=len(text.tools), names=literal(names)))
    with st.expander(gettext("And not these {n}, each with the reason", n=len(text.lacking))):
        for tool, reason in text.lacking:
            st.caption(f"{literal(tool_title(tool))}: {literal(reason.sentence)}")


def _said(assistant: ClassAssistant) -> list[PreviewMessage]:
    chats: dict[str, list[PreviewMessage]] = st.session_state.setdefault("assistant-previews", {})
    return chats.setdefault(assistant.id, [])


@guarded_callback
def _clear(student: Student, assistant: ClassAssistant) -> None:
    _said(assistant).clear()


def _avatar(message: PreviewMessage) -> Any:
    return ":material/person:" if message.role == "user" else ":material/support_agent:"
