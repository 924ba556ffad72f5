"""One integration's card: what it gives, its health in words, and the buttons that change it."""

from collections.abc import Callable
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.connections.connection import Connection, Health
from services.integrations.base import Integration
from services.language import say, to_say
from services.safety.text import literal
from services.students import Student
from ui import outcome, problems, session
from ui.connections import check, connect_dialog
from ui.dates import days_until, in_words

BADGES = {
    Health.HEALTHY: (to_say("Connected"), "green", ":material/check_circle:"),
    Health.EXPIRING: (to_say("Expires {ends}"), "orange", ":material/schedule:"),
    Health.EXPIRED: (to_say("Reconnect"), "red", ":material/link_off:"),
    Health.REVOKED: (to_say("Reconnect"), "red", ":material/link_off:"),
    Health.UNREACHABLE: (to_say("Not answering"), "orange", ":material/cloud_off:"),
    Health.LOCKED: (to_say("Locked"), "red", ":material/lock:"),
}
SINCE = {
    (True, True): to_say("Connected as **{account}** at {place} since {since}."),
    (True, False): to_say("Connected as **{account}** since {since}."),
    (False, True): to_say("Was connected as **{account}** at {place} since {since}."),
    (False, False): to_say("Was connected as **{account}** since {since}."),
}
"""By whether it works, and whether its address is told."""
Work = Callable[[], None]
"""What a pressed button asks for, done once the whole page is drawn: it may take seconds, and runs the page again."""


def draw(student: Student, integration: Integration, connection: Connection | None) -> Work | None:
    with st.container(border=True, key=f"card-{integration.id}"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xsmall"
        ):
            st.markdown(f"## {integration.icon} {say(integration.label)}", width="content")
            _badge(student, connection)
        st.write(say(integration.summary))
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
        st.badge(say("Not connected"), color="gray")
        return
    label, color, icon = BADGES[connection.health]
    st.badge(say(label, ends=_ends(student, connection)), color=color, icon=icon)


def _permissions(integration: Integration) -> None:
    reads, writes = ", ".join(map(say, integration.reads)), ", ".join(map(say, integration.writes))
    with st.container(key=f"permissions-{integration.id}", gap=None):
        said = say("Reads {reads}.", reads=reads)
        st.caption(f":material/visibility: {said}")
        st.caption(
            say(":material/edit: Changes {writes}, each time only after you approve.", writes=writes)
            if writes
            else say(":material/edit_off: Changes nothing.")
        )


def _status(student: Student, integration: Integration, connection: Connection) -> None:
    place = literal(_host(connection.origin)) if len(integration.origins) > 1 or integration.read_origin else ""
    sentence = SINCE[connection.health.offers_tools, bool(place)]
    since = in_words(connection.connected_at, student)
    sentences = [say(sentence, account=literal(connection.account), place=place, since=since)]
    if connection.expires_at and not connection.is_refreshable and connection.health.offers_tools:
        day = in_words(connection.expires_at, student)
        sentences.append(say("Expires {ends}, on {day}.", ends=_ends(student, connection), day=day))
    st.markdown(" ".join(sentences))
    if connection.reason:
        st.warning(literal(connection.reason), icon=":material/info:")


def _ends(student: Student, connection: Connection) -> str:
    if connection.expires_at is None:
        return say("soon")
    return days_until(connection.expires_at, session.services().clock(), student)


def _host(origin: str) -> str:
    return urlsplit(origin).netloc


def _offer(student: Student, integration: Integration) -> None:
    if st.button(
        say("Connect {service}", service=say(integration.label)),
        key=f"connect-{integration.id}",
        type="primary",
        icon=":material/add_link:",
    ):
        connect_dialog.ask(student, integration)


def _actions(student: Student, integration: Integration, connection: Connection) -> Work | None:
    with st.container(horizontal=True, gap="small"):
        if connection.health in (Health.EXPIRING, Health.EXPIRED, Health.REVOKED, Health.LOCKED) and st.button(
            say("Reconnect"), key=f"reconnect-{integration.id}", type="primary", icon=":material/refresh:"
        ):
            connect_dialog.ask(student, integration)
        wants_test = connection.health.offers_tools and st.button(
            say("Test"), key=f"test-{integration.id}", icon=":material/network_check:"
        )
        with st.popover(say("Disconnect"), icon=":material/link_off:", key=f"end-{integration.id}"):
            label = say(integration.label)
            st.write(
                say("Homeroom forgets your {service} credentials at once. What is there stays as it is.", service=label)
            )
            wants_end = st.button(
                say("Disconnect {service}", service=label), key=f"disconnect-{integration.id}", type="primary"
            )
    progress = st.empty()
    check.show_result(student, integration)
    if wants_end:
        return lambda: _disconnect(student, integration, progress)
    return (lambda: check.run(student, integration, progress)) if wants_test else None


def _disconnect(student: Student, integration: Integration, progress: DeltaGenerator) -> None:
    with progress, st.spinner(say("Disconnecting …")), outcome.told_next_run():
        outcome.tell(_disconnected(student, integration))
    st.rerun()


def _disconnected(student: Student, integration: Integration) -> str:
    label = say(integration.label)
    if session.services().connections.disconnect(student.id, integration.id):
        return say("{service} is disconnected.", service=label)
    return say(
        "{service} is disconnected here: Homeroom has forgotten your credentials. {service} did not answer when we "
        "ended the access there too; we keep trying, and you can end it yourself in your {service} settings.",
        service=label,
    )
