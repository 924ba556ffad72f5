"""What a chat lacks because an account has come loose, with the way to mend it."""

from collections.abc import Mapping

import streamlit as st

from services.connections.connection import Connection, Health
from ui import places, session


def draw(connected: Mapping[str, Connection]) -> None:
    """One line for each connection that no answer can use until the student reconnects it."""
    integrations = session.services().integrations
    for id, connection in connected.items():
        if not connection.health.offers_tools:
            need = "cannot be opened" if connection.health is Health.LOCKED else "needs to be reconnected"
            st.page_link(
                places.CONNECTIONS,
                label=f"{integrations[id].label} {need}. Open Connections",
                icon=":material/link_off:",
            )
