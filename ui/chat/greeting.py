"""An empty chat: a greeting, the first steps of whoever is new, and questions that fit this student."""

from collections.abc import Mapping

import streamlit as st

from services.connections.connection import Connection
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from ui import places, sample_course, session, timezone_note
from ui.chat import first_steps, suggestions, waiting_approvals
from ui.dates import day_part

GREETINGS = {
    "morning": gettext_noop("Good morning, {name}."),
    "afternoon": gettext_noop("Good afternoon, {name}."),
    "evening": gettext_noop("Good evening, {name}."),
}


def draw(student: Student, connected: Mapping[str, Connection]) -> None:
    services = session.services()
    st.title(gettext(GREETINGS[day_part(services.runtime.clock(), student)], name=literal(student.first_name)))
    timezone_note.draw(student)
    has_steps = first_steps.draw(student, connected)
    waiting_approvals.draw(student)
    if has_steps:
        return
    sample_course.note(student, connected, key="sample-note")
    if not connected and services.integrations:
        st.page_link(places.CONNECTIONS, label=gettext("Connect an account"), icon=":material/cable:")
    st.caption(gettext("Ask anything about your week, or start with one of these:"))
    suggestions.draw(student, connected)
