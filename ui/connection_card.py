"""One integration's card: what it gives, its health in words, and the buttons that change it."""

from collections.abc import Callable
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.connections.connection import Connection, Health
from services.integrations.base import Integration
from services.safety.text import literal
from services.students import Student
from ui import connect_dialog, connection_test, outcome, problems, session
from ui.dates import days_until, in_words

BADGES = {
    Health.HEALTHY: ("Connected", "green", ":material/check_circle:"),
    Health.EXPIRING: ("Expires {ends}", "orange", ":material/schedule:"),
    Health.EXPIRED: ("Reconnect", "red", ":material/link_off:"),
    Health.REVOKED: ("Reconnect", "red", ":material/link_off:"),
    Health.UNREACHABLE: ("Not answering", "orange", ":material/cloud_off:"),
    Health.LOCKED: ("Locked", "red", ":material/lock:"),
}


Work = Callable[[], None]
"""What a pressed button asks for, done once the whole page is drawn: it may take seconds, and runs the page again."""


def draw(student: Student, integration: Integration, connection: Connection | None) -> Work | None:
    with st.container(border=True, key=f"card-{integration.id}"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xsmall"
        ):
            st.markdown(f"## {integration.icon} {integration.label}", width="content")
            _badge(student, connection)
        st.write(integration.summary)
        _permissions(integration)
        with problems.calmly():
            if connection is None:
                _offer(student, integration)
            else:
                _status(student, integration, connection)
                return _actions(student, integration, connection)
    return None


def _badge(student: Student, connection: Connection | None) -> None:
    if connection is None:
        st.badge("Not connected", color="gray")
        return
    label, color, icon = BADGES[connection.health]
    st.badge(label.format(ends=_ends(student, connection)), color=color, icon=icon)


def _permissions(integration: Integration) -> None:
    reads, writes = ", ".join(integration.reads), ", ".join(integration.writes)
    with st.container(key=f"permissions-{integration.id}", gap=None):
        st.caption(f":material/visibility: Reads {reads}.")
        st.caption(
            f":material/edit: Changes {writes}, each time only after you approve."
            if writes
            else ":material/edit_off: Changes nothing."
        )


def _status(student: Student, integration: Integration, connection: Connection) -> None:
    place = f" at {literal(_host(connection.origin))}" if len(integration.origins) > 1 else ""
    since = in_words(connection.connected_at, student)
    verb = "Connected" if connection.health.offers_tools else "Was connected"
    sentences = [f"{verb} as **{literal(connection.account)}**{place} since {since}."]
    if connection.expires_at and not connection.is_refreshable and connection.health.offers_tools:
        day = in_words(connection.expires_at, student)
        sentences.append(f"Expires {_ends(student, connection)}, on {day}.")
    st.markdown(" ".join(sentences))
    if connection.reason:
        st.warning(literal(connection.reason), icon=":material/info:")


def _ends(student: Student, connection: Connection) -> str:
    return days_until(connection.expires_at, session.services().clock(), student) if connection.expires_at else "soon"


def _host(origin: str) -> str:
    return urlsplit(origin).netloc


def _offer(student: Student, integration: Integration) -> None:
    if st.button(
        f"Connect {integration.label}", key=f"connect-{integration.id}", type="primary", icon=":material/add_link:"
    ):
        connect_dialog.ask(student, integration)


def _actions(student: Student, integration: Integration, connection: Connection) -> Work | None:
    with st.container(horizontal=True, gap="small"):
        if connection.health in (Health.EXPIRING, Health.EXPIRED, Health.REVOKED, Health.LOCKED) and st.button(
            "Reconnect", key=f"reconnect-{integration.id}", type="primary", icon=":material/refresh:"
        ):
            connect_dialog.ask(student, integration)
        wants_test = connection.health.offers_tools and st.button(
            "Test", key=f"test-{integration.id}", icon=":material/network_check:"
        )
        with st.popover("Disconnect", icon=":material/link_off:"):
            st.write(f"Homeroom forgets your {integration.label} credentials at once. What is there stays as it is.")
            wants_end = st.button(f"Disconnect {integration.label}", key=f"disconnect-{integration.id}", type="primary")
    progress = st.empty()
    connection_test.show_result(student, integration)
    if wants_end:
        return lambda: _disconnect(student, integration, progress)
    return (lambda: connection_test.run(student, integration, progress)) if wants_test else None


def _disconnect(student: Student, integration: Integration, progress: DeltaGenerator) -> None:
    with progress, st.spinner("Disconnecting …"), outcome.told_next_run():
        outcome.tell(_disconnected(student, integration))
    st.rerun()


def _disconnected(student: Student, integration: Integration) -> str:
    label = integration.label
    if session.services().connections.disconnect(student.id, integration.id):
        return f"{label} is disconnected."
    return (
        f"{label} is disconnected here: Homeroom has forgotten your credentials. {label} did not answer when we ended "
        f"the access there too; we keep trying, and you can end it yourself in your {label} settings."
    )
