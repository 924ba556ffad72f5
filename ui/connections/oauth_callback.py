"""OAuth callback: the end of a consent page that leads back to Connections."""

import streamlit as st

from services.errors import HomeroomError
from services.i18n import gettext
from services.identity.students import Student
from ui import session
from ui.connections import sample_course
from ui.connections.connect_dialog import return_to
from ui.connections.connect_together import go_on
from ui.flash_message import flash


def finish_oauth_redirect(student: Student) -> None:
    """Finish the OAuth redirect that this page was opened with, if any, and reload without its parameters; where
    several accounts are connected together, leave for the next one.
    """
    parameters = dict(st.query_params)
    if "state" not in parameters and "error" not in parameters:
        return
    st.query_params.clear()
    services, state = session.services(), parameters.get("state", "")
    begun_on = services.connections.begun_on(student.id, state)
    before = services.connections.all(student.id)
    try:
        with st.spinner(gettext("Finishing the connection …")):
            step = services.connections.finish_step(
                student.id,
                state=state,
                code=parameters.get("code"),
                error=parameters.get("error"),
                issuer=parameters.get("iss"),
            )
    except HomeroomError as error:
        flash(error)
        return_to(begun_on)
    if step.connection is not None:
        message = sample_course.connected_message(student, services.integrations[step.connection.integration], before)
        flash(message)
    if step.batch is not None:
        go_on(student, step.batch, begun_on)
    return_to(begun_on)
