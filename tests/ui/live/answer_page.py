"""Draws the sample answer as a page does: `?drawn=finished`, or else an empty place with the theme of a component."""

from pathlib import Path

import streamlit as st

from services.conversations.items import AssistantText, NoticeItem, ToolLine
from services.safety.text import literal
from tests.ui.live.sample_answer import ANSWER, KNOWN, SERVICE
from ui.chat.answer_text import draw_answer_text
from ui.chat.citations import Citations
from ui.chat.tool_step import draw_thinking, draw_tool_step
from ui.chat.transcript import chat_bubble

NOTICE = NoticeItem(sentence="The model did not answer.", next_step="Try again.")
QUESTION = "What is due?"

st.set_page_config(layout="centered")
st.html(Path(__file__).parents[3] / "ui" / "style.css")
with st.container(key="conversation"):
    if st.query_params.get("drawn") == "finished":
        with chat_bubble(is_student=True):
            st.markdown(QUESTION)
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
        st.components.v2.component("answer-place", html='<div class="host"></div>', isolate_styles=False)(key="place")
st.text("everything is drawn")
