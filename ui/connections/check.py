"""The Test button of a connection: asks the service who this is, and says in words what came of it."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.connections.connection import Connection, Health
from services.errors import HomeroomError
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.integrations.base import Integration
from services.safety.text import literal
from ui import problems, session
from ui.dates import clock_time


def run(student: Student, integration: Integration, progress: DeltaGenerator) -> None:
    """Ask now, then run the page again: the card then shows the health that the answer left."""
    try:
        with progress, st.spinner(gettext("Asking {service} …", service=gettext(integration.label))):
            found: object = session.services().connections.test(student.id, integration.id)
    except HomeroomError as error:
        found = error
    st.session_state[_key(integration)] = found
    st.rerun()


def show_result(student: Student, integration: Integration) -> None:
    """Once, what the last test found."""
    match st.session_state.pop(_key(integration), None):
        case HomeroomError() as error:
            problems.show(error)
        case Connection(health=Health.HEALTHY | Health.EXPIRING) as connection:
            at = clock_time(connection.seen_at, student)
            st.success(
                gettext(
                    "{service} answered at {at} and knows you as {account}. All good.",
                    service=gettext(integration.label),
                    at=at,
                    account=literal(connection.account),
                ),
                icon=":material/check_circle:",
            )
        case Connection() as connection:
            at = clock_time(session.services().clock(), student)
            meaning = _meaning(integration, connection)
            st.info(gettext("Tested at {at}: {meaning}", at=at, meaning=meaning), icon=":material/network_check:")


def _meaning(integration: Integration, connection: Connection) -> str:
    if connection.health is Health.UNREACHABLE:
        said = gettext_noop("{service} does not answer right now. Your connection is kept; try again later.")
    else:
        said = gettext_noop("{service} does not accept this connection any more. Reconnect it to go on.")
    return gettext(said, service=gettext(integration.label))


def _key(integration: Integration) -> str:
    return f"tested-{integration.id}"
