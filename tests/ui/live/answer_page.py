"""Draws the sample answer as a page does: `?drawn=finished`, or else an empty place with the theme of a component."""

from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from services.conversations.items import AssistantText, NoticeItem, ToolLine
from services.safety.text import literal
from tests.ui.live.sample_answer import ANSWER, KNOWN, SERVICE
from ui.chat.answer_text import Citations, draw_answer_text
from ui.chat.attachments import ICONS, TEXT_ICON, attachment_label
from ui.chat.tool_step import draw_thinking, draw_tool_step
from ui.chat.transcript import chat_bubble

NOTICE = NoticeItem(sentence="The model did not answer.", next_step="Try again.")
QUESTION = """What is due?
- and *what* is **late**?   See https://canvas.example.edu/courses/1 and <b>this</b> $5

    1. really
# no heading"""
FILES = (("essay on cells, the second version of the draft.pdf", 1_234_567), ("notes.txt", 12_300))


def draw() -> None:
    st.set_page_config(layout="centered")
    st.html(Path(__file__).parents[3] / "ui" / "style.css")
    with st.container(key="conversation"):
        if st.query_params.get("drawn") == "finished":
            with chat_bubble(is_student=True):
                st.markdown(literal(QUESTION))
                with st.container(horizontal=True, gap="small", key="files"):
                    for (name, size), icon in zip(FILES, (ICONS["pdf"], TEXT_ICON), strict=True):
                        st.download_button(attachment_label(name, size), b"", icon=icon, key=name, help="Press")
            with chat_bubble(is_student=False):
                citations = Citations()
                for item in ANSWER:
                    if isinstance(item, ToolLine):
                        draw_tool_step(item, known=KNOWN, service=SERVICE)
                    elif isinstance(item, AssistantText):
                        draw_answer_text(citations.mark_text(item), known=KNOWN)
                what, next_step = literal(NOTICE.sentence), literal(NOTICE.next_step)
                st.info(f"**{what}** {next_step}", icon=":material/info:")
                citations.draw(known=KNOWN)
                draw_thinking(st.empty())
        else:
            st.components.v2.component("answer-place", html='<div class="host"></div>', isolate_styles=False)(
                key="place"
            )
    st.text("everything is drawn")


# Other tests read the names above, and Streamlit takes a second to find out that nobody looks.
if get_script_run_ctx(suppress_warning=True):
    draw()
