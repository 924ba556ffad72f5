"""The way back from a service's consent page: finish the connection once, clean the address, go where it began."""

import streamlit as st

from services.errors import HomeroomError
from services.i18n import gettext
from services.identity.students import Student
from ui import outcome, places, sample_course, session

CHAT = "chat"
"""The name under which the chat's first steps begin a connection: the student comes back to them."""


def finish(student: Student) -> None:
    """Finish the OAuth redirect that this page was opened with, if any, and reload without its parameters."""
    parameters = dict(st.query_params)
    if "state" not in parameters and "error" not in parameters:
        return
    st.query_params.clear()
    services, state = session.services(), parameters.get("state", "")
    begun_on = services.connections.begun_on(student.id, state)
    before = services.connections.all(student.id)
    try:
        with st.spinner(gettext("Finishing the connection …")):
            made = services.connections.finish_oauth(
                student.id,
                state=state,
                code=parameters.get("code"),
                error=parameters.get("error"),
            )
        outcome.flash(sample_course.told_connected(student, services.integrations[made.integration], before))
    except HomeroomError as error:
        outcome.flash(error)
    if begun_on == CHAT:
        st.switch_page(places.CHAT)
    st.rerun()
