"""An empty chat: a greeting, and questions that fit what this student has connected."""

from collections.abc import Collection, Mapping

import streamlit as st

from services.connections.connection import Connection
from services.language import say, to_say
from services.safety.text import literal
from services.students import Student
from ui import composer, places, session, waiting_approvals
from ui.dates import day_part

SUGGESTIONS = {
    "courses": (to_say("What is due this week?"), to_say("How are my grades?")),
    "calendar": (to_say("When am I free tomorrow?"),),
    "notes": (to_say("What is in my notes?"),),
}
ALWAYS = (to_say("Add a task to plan my week by Sunday"),)
GREETINGS = {
    "morning": to_say("Good morning, {name}."),
    "afternoon": to_say("Good afternoon, {name}."),
    "evening": to_say("Good evening, {name}."),
}


def draw(student: Student, connected: Mapping[str, Connection]) -> None:
    services = session.services()
    st.title(say(GREETINGS[day_part(services.clock(), student)], name=literal(student.first_name)))
    if not connected and services.integrations:
        _first_step()
    waiting_approvals.draw(student)
    categories = {services.integrations[id].category for id, one in connected.items() if one.health.offers_tools}
    st.caption(say("Ask anything about your week, or start with one of these:"))
    with st.container(horizontal=True):
        for question in fitting(categories):
            said = say(question)
            st.button(said, key=f"ask-{question}", on_click=composer.send, args=(student, None, said))


def fitting(categories: Collection[str]) -> tuple[str, ...]:
    """The questions for these categories of services, each once, however many services share a category."""
    return (*(question for one in SUGGESTIONS if one in categories for question in SUGGESTIONS[one]), *ALWAYS)


def _first_step() -> None:
    with st.container(border=True, key="first-step"):
        st.markdown(say("**Connect an account first**"))
        st.write(
            say(
                "Homeroom knows your week once it can look at Canvas, your calendar or your notes. "
                "You choose which, and can end it at any time."
            )
        )
        st.page_link(places.CONNECTIONS, label=say("Open Connections"), icon=":material/cable:")
