"""What a chat lacks because an account has come loose, with the way to mend it."""

from collections.abc import Mapping

import streamlit as st

from services.connections.connection import Connection, Health
from services.i18n import gettext, gettext_noop
from ui import places, session


def draw(connected: Mapping[str, Connection]) -> None:
    """One line for each connection that no answer can use until the student reconnects it."""
    integrations = session.services().integrations
    for id, connection in connected.items():
        if not connection.health.offers_tools:
            is_locked = connection.health is Health.LOCKED
            locked = gettext_noop("{service} cannot be opened. Open Connections")
            loose = gettext_noop("{service} needs to be reconnected. Open Connections")
            label = gettext(locked if is_locked else loose, service=gettext(integrations[id].label))
            st.page_link(places.CONNECTIONS, label=label, icon=":material/link_off:")
