"""One integration's card: what it gives, its health in words, and the buttons that change it."""

import streamlit as st

from services.connections.connection import Connection, Health
from services.integrations.base import Integration
from services.safety.text import literal
from services.students import Student
from ui import connect_dialog, outcome, problems, session
from ui.dates import in_words

BADGES = {
    Health.HEALTHY: ("Connected", "green", ":material/check_circle:"),
    Health.EXPIRING: ("Expires soon", "orange", ":material/schedule:"),
    Health.EXPIRED: ("Reconnect", "red", ":material/link_off:"),
    Health.REVOKED: ("Reconnect", "red", ":material/link_off:"),
    Health.UNREACHABLE: ("Not answering", "orange", ":material/cloud_off:"),
    Health.LOCKED: ("Locked", "red", ":material/lock:"),
}


def draw(student: Student, integration: Integration, connection: Connection | None) -> None:
    with st.container(border=True, key=f"card-{integration.id}"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"#### {integration.icon} {integration.label}", width="content")
            _badge(connection)
        st.write(integration.summary)
        _permissions(integration)
        with problems.calmly():
            if connection is None:
                _offer(student, integration)
            else:
                _status(student, connection)
                _actions(student, integration, connection)


def _badge(connection: Connection | None) -> None:
    if connection is None:
        st.badge("Not connected", color="gray")
    else:
        label, color, icon = BADGES[connection.health]
        st.badge(label, color=color, icon=icon)


def _permissions(integration: Integration) -> None:
    reads = ", ".join(integration.reads)
    writes = ", ".join(integration.writes)
    st.caption(f":material/visibility: Reads {reads}.")
    st.caption(
        f":material/edit: Changes {writes}, each time only after you approve."
        if writes
        else ":material/edit_off: Changes nothing."
    )


def _status(student: Student, connection: Connection) -> None:
    st.markdown(f"Connected as **{literal(connection.account)}** on {in_words(connection.connected_at, student)}.")
    if connection.expires_at and not connection.is_refreshable:
        st.caption(f"The token ends on {in_words(connection.expires_at, student)}.")
    if connection.reason:
        st.warning(literal(connection.reason), icon=":material/info:")


def _offer(student: Student, integration: Integration) -> None:
    if st.button(
        f"Connect {integration.label}", key=f"connect-{integration.id}", type="primary", icon=":material/add_link:"
    ):
        connect_dialog.ask(student, integration)


def _actions(student: Student, integration: Integration, connection: Connection) -> None:
    with st.container(horizontal=True):
        if not connection.health.offers_tools and st.button(
            "Reconnect", key=f"reconnect-{integration.id}", type="primary", icon=":material/refresh:"
        ):
            connect_dialog.ask(student, integration)
        if st.button("Test", key=f"test-{integration.id}", icon=":material/network_check:"):
            _test(student, integration)
        with st.popover("Disconnect", icon=":material/link_off:"):
            st.write(f"Homeroom forgets your {integration.label} credentials at once. What is there stays as it is.")
            st.button(
                f"Disconnect {integration.label}",
                key=f"disconnect-{integration.id}",
                on_click=_disconnect,
                args=(student, integration),
            )


def _test(student: Student, integration: Integration) -> None:
    with st.spinner(f"Asking {integration.label} …"):
        connection = session.services().connections.test(student.id, integration.id)
    if connection.health.offers_tools and connection.health is not Health.UNREACHABLE:
        st.toast(f"{integration.label} answers. All good.", icon=":material/check_circle:")
    else:
        st.rerun()


def _disconnect(student: Student, integration: Integration) -> None:
    with problems.calmly():
        revoked = session.services().connections.disconnect(student.id, integration.id)
        words = f"{integration.label} is disconnected."
        if not revoked:
            words += f" {integration.label} did not answer when we ended the access there; we keep trying."
        outcome.tell(words)
