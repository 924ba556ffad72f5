"""Insights: charts of what the model read for the questions, what discovery saved, and which tools were used."""

import streamlit as st

from services.i18n import gettext
from ui import session
from ui.error_boundary import error_boundary
from ui.flash_message import show_flash
from ui.insights.cards import draw_method, draw_nothing, draw_period_filter, draw_reset, draw_summary
from ui.insights.charts import draw_contexts, draw_days, draw_failures, draw_tools

student = session.current_student()
metrics = session.services().metrics

st.title(gettext("Insights"))
st.caption(
    gettext(
        "Homeroom gives the model only the tools that a question needs. This is what it came to, in numbers alone: "
        "nothing of what you wrote."
    )
)
show_flash()
days, is_mine = draw_period_filter(student)
with error_boundary():
    numbers = metrics.for_student(student.id, days) if is_mine else metrics.for_everyone(days)
    if numbers["turns"]:
        draw_summary(numbers, days, is_mine=is_mine)
        st.markdown(gettext("## Day by day"))
        draw_days(numbers.by_day, metrics.today(student.id if is_mine else None), days)
        st.markdown(gettext("## What the questions were about"))
        draw_contexts(numbers.contexts)
        st.markdown(gettext("## Tools"))
        draw_tools(numbers.tools)
    else:
        draw_nothing(student, days, is_mine=is_mine)
    if not numbers.is_empty:
        st.markdown(gettext("## What did not work"))
        draw_failures(numbers.tools)
        draw_method(numbers)
    if is_mine and not numbers.is_empty:
        draw_reset(student)
