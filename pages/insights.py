"""Insights: what Homeroom read for your questions, what that spared, and which tools it used."""

import streamlit as st

from services.i18n import gettext
from ui import outcome, problems, session
from ui.insights import cards, charts

student = session.current()
metrics = session.services().metrics

st.title(gettext("Insights"))
st.caption(
    gettext(
        "Homeroom gives the model only the tools that a question needs. This is what it came to, in numbers alone: "
        "nothing of what you wrote."
    )
)
outcome.show_flash()
days, is_mine = cards.choices(student)
with problems.calmly():
    numbers = metrics.of(student.id, days) if is_mine else metrics.of_all(days)
    if numbers["turns"]:
        cards.summary(numbers, days, is_mine=is_mine)
        st.markdown(gettext("## Day by day"))
        charts.by_day(numbers.by_day, metrics.today(student.id if is_mine else None), days)
        st.markdown(gettext("## What the questions were about"))
        charts.by_context(numbers.contexts)
        st.markdown(gettext("## Tools"))
        charts.by_tool(numbers.tools)
    else:
        cards.nothing(student, days, is_mine=is_mine)
    if not numbers.is_empty:
        st.markdown(gettext("## What did not work"))
        charts.failures(numbers.tools)
        cards.how_it_is_counted(numbers)
    if is_mine and not numbers.is_empty:
        cards.reset(student)
