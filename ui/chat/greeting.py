"""Greeting of an empty chat, with the first steps of new students and suggested questions."""

from collections.abc import Mapping

import streamlit as st

from services.connections.connection import Connection
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.navigation import CONNECTIONS_PAGE
from services.safety.text import literal
from ui import session
from ui.approvals.pending_approvals import draw_pending_approvals
from ui.chat.onboarding import draw_onboarding
from ui.chat.suggestions import draw_suggestions
from ui.connections import sample_course
from ui.local_time import to_local
from ui.settings.language_and_timezone import draw_timezone_notice

GREETINGS = {
    "morning": gettext_noop("Good morning, {name}."),
    "afternoon": gettext_noop("Good afternoon, {name}."),
    "evening": gettext_noop("Good evening, {name}."),
}


def draw_greeting(student: Student, connected: Mapping[str, Connection]) -> None:
    """Draw the greeting, the onboarding of new students, and suggested questions."""
    services = session.services()
    st.title(gettext(GREETINGS[_day_part(student)], name=literal(student.first_name)))
    draw_timezone_notice(student)
    has_steps = draw_onboarding(student, connected)
    draw_pending_approvals(student)
    if has_steps:
        return
    sample_course.draw_sample_note(student, connected, key="sample-note")
    if not connected and services.integrations:
        st.page_link(CONNECTIONS_PAGE.script, label=gettext("Connect an account"), icon=":material/cable:")
    st.caption(gettext("Ask anything about your week, or start with one of these:"))
    draw_suggestions(student, connected)


def _day_part(student: Student) -> str:
    hour = to_local(session.services().clock(), student).hour
    return "morning" if 4 <= hour < 12 else "afternoon" if 12 <= hour < 18 else "evening"
