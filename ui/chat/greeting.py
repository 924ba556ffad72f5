"""An empty chat: a greeting, the first steps of whoever is new, and questions that fit this student."""

from collections.abc import Mapping

import streamlit as st

from services.connections.connection import Connection
from services.language import say, to_say
from services.safety.text import literal
from services.students import Student
from ui import places, sample_course, session, timezone_note
from ui.chat import first_steps, suggestions, waiting_approvals
from ui.dates import day_part

GREETINGS = {
    "morning": to_say("Good morning, {name}."),
    "afternoon": to_say("Good afternoon, {name}."),
    "evening": to_say("Good evening, {name}."),
}


def draw(student: Student, connected: Mapping[str, Connection]) -> None:
    services = session.services()
    st.title(say(GREETINGS[day_part(services.clock(), student)], name=literal(student.first_name)))
    timezone_note.draw(student)
    has_steps = first_steps.draw(student, connected)
    waiting_approvals.draw(student)
    if has_steps:
        return
    sample_course.note(student, connected, key="sample-note")
    if not connected and services.integrations:
        st.page_link(places.CONNECTIONS, label=say("Connect an account"), icon=":material/cable:")
    st.caption(say("Ask anything about your week, or start with one of these:"))
    suggestions.draw(student, connected)
