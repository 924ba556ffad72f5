"""An empty chat: a greeting, and questions that fit what this student has connected."""

from collections.abc import Collection, Mapping

import streamlit as st

from services.connections.connection import Connection
from services.safety.text import literal
from services.students import Student
from ui import composer, places, session, waiting_approvals
from ui.dates import day_part

SUGGESTIONS = {
    "courses": ("What is due this week?", "How are my grades?"),
    "calendar": ("When am I free tomorrow?",),
    "notes": ("What is in my notes?",),
}
ALWAYS = ("Add a task to plan my week by Sunday",)


def draw(student: Student, connected: Mapping[str, Connection]) -> None:
    services = session.services()
    st.title(f"Good {day_part(services.clock(), student)}, {literal(student.first_name)}.")
    if not connected and services.integrations:
        _first_step()
    waiting_approvals.draw(student)
    categories = {services.integrations[id].category for id, one in connected.items() if one.health.offers_tools}
    st.caption("Ask anything about your week, or start with one of these:")
    with st.container(horizontal=True):
        for question in fitting(categories):
            st.button(question, key=f"ask-{question}", on_click=composer.send, args=(student, None, question))


def fitting(categories: Collection[str]) -> tuple[str, ...]:
    """The questions for these categories of services, each once, however many services share a category."""
    return (*(question for one in SUGGESTIONS if one in categories for question in SUGGESTIONS[one]), *ALWAYS)


def _first_step() -> None:
    with st.container(border=True, key="first-step"):
        st.markdown("**Connect an account first**")
        st.write(
            "Homeroom knows your week once it can look at Canvas, your calendar or your notes. "
            "You choose which, and can end it at any time."
        )
        st.page_link(places.CONNECTIONS, label="Open Connections", icon=":material/cable:")
