"""Card of one integration: permissions, health, connect, test and disconnect."""

from collections.abc import Callable
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.connections import messages
from services.connections.connection import Connection, Health
from services.connections.connector import missing_permissions
from services.errors import HomeroomError
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.integrations.base import Integration
from services.integrations.calendar.provider import READ
from services.safety.consent import ConsentStatus
from services.safety.text import literal
from ui import session
from ui.connections.blocking_dialog import draw_blocking_button
from ui.connections.connect_dialog import open_connect_dialog
from ui.error_boundary import error_boundary, show_error
from ui.flash_message import flash, flash_errors
from ui.local_time import clock_time, days_until, local_day
from ui.settings.consents_card import consent_sentence, draw_consent_button, draw_more

BADGES = {
    Health.HEALTHY: (gettext_noop("Connected"), "green", ":material/check_circle:"),
    Health.EXPIRING: (gettext_noop("Expires {ends}"), "orange", ":material/schedule:"),
    Health.EXPIRED: (gettext_noop("Reconnect"), "red", ":material/link_off:"),
    Health.REVOKED: (gettext_noop("Reconnect"), "red", ":material/link_off:"),
    Health.UNREACHABLE: (gettext_noop("Not answering"), "orange", ":material/cloud_off:"),
    Health.LOCKED: (gettext_noop("Locked"), "red", ":material/lock:"),
}
SINCE = {
    (True, True): gettext_noop("Connected as **{account}** at {place} since {since}."),
    (True, False): gettext_noop("Connected as **{account}** since {since}."),
    (False, True): gettext_noop("Was connected as **{account}** at {place} since {since}."),
    (False, False): gettext_noop("Was connected as **{account}** since {since}."),
}
"""By whether it works, and whether its address is shown."""
CardAction = Callable[[], None]
"""Work of a pressed button, for after the page is drawn: it may take seconds, and reruns the page."""


def draw_connection_card(
    student: Student, integration: Integration, connection: Connection | None
) -> CardAction | None:
    """Draw the card; returns the work of a pressed button, for after the page is drawn."""
    with st.container(border=True, key=f"card-{integration.id}"):
        with st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="xsmall"
        ):
            st.markdown(f"## {integration.icon} {gettext(integration.label)}", width="content")
            _draw_badge(student, connection)
        st.write(gettext(integration.summary))
        _draw_permissions(integration)
        with error_boundary():
            if connection is None:
                _draw_connect_button(student, integration)
            else:
                _draw_status(student, integration, connection)
                _draw_consent(student, connection)
                return _draw_buttons(student, integration, connection)
    return None


def _draw_badge(student: Student, connection: Connection | None) -> None:
    if connection is None:
        st.badge(gettext("Not connected"), color="gray")
        return
    label, color, icon = BADGES[connection.health]
    st.badge(gettext(label, ends=_expiry(student, connection)), color=color, icon=icon)


def _draw_permissions(integration: Integration) -> None:
    reads, writes = ", ".join(map(gettext, integration.reads)), ", ".join(map(gettext, integration.writes))
    with st.container(key=f"permissions-{integration.id}", gap=None):
        sentence = gettext("Reads {reads}.", reads=reads)
        st.caption(f":material/visibility: {sentence}")
        st.caption(
            gettext(":material/edit: Changes {writes}, each time only after you approve.", writes=writes)
            if writes
            else gettext(":material/edit_off: Changes nothing.")
        )


def _draw_status(student: Student, integration: Integration, connection: Connection) -> None:
    place = literal(_host(connection.origin)) if len(integration.origins) > 1 or integration.read_origin else ""
    sentence = SINCE[connection.health.offers_tools, bool(place)]
    since = local_day(connection.connected_at, student)
    sentences = [gettext(sentence, account=literal(connection.account), place=place, since=since)]
    if connection.expires_at and not connection.is_refreshable and connection.health.offers_tools:
        day = local_day(connection.expires_at, student)
        sentences.append(gettext("Expires {ends}, on {day}.", ends=_expiry(student, connection), day=day))
    st.markdown(" ".join(sentences))
    if missing := missing_permissions(connection, integration):
        words = gettext("Not allowed yet: {permissions}.", permissions="; ".join(map(gettext, missing)))
        st.caption(f":material/add_circle: {words}")
    if connection.reason:
        st.warning(literal(connection.reason), icon=":material/info:")


def _draw_consent(student: Student, connection: Connection) -> None:
    """Draw whether answers and programs may use the account, and the click that changes it."""
    state = session.services().consents.account_state(connection)
    icon = ":material/check_circle:" if state.status is ConsentStatus.GIVEN else ":material/lock:"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{icon} {consent_sentence(student, state)}", width="content")
        draw_consent_button(student, state)
        draw_more(state.terms, with_lines=True)


def _expiry(student: Student, connection: Connection) -> str:
    if connection.expires_at is None:
        return gettext("soon")
    return days_until(connection.expires_at, session.services().clock(), student)


def _host(origin: str) -> str:
    return urlsplit(origin).netloc


def _draw_connect_button(student: Student, integration: Integration) -> None:
    if st.button(
        gettext("Connect {service}", service=gettext(integration.label)),
        key=f"connect-{integration.id}",
        type="primary",
        icon=":material/add_link:",
    ):
        open_connect_dialog(student, integration)


def _draw_buttons(student: Student, integration: Integration, connection: Connection) -> CardAction | None:
    with st.container(horizontal=True, gap="small"):
        if _can_gain(integration, connection) and st.button(
            gettext("Reconnect"), key=f"reconnect-{integration.id}", type="primary", icon=":material/refresh:"
        ):
            open_connect_dialog(student, integration)
        wants_test = connection.health.offers_tools and st.button(
            gettext("Test"), key=f"test-{integration.id}", icon=":material/network_check:"
        )
        if READ in integration.capabilities and connection.health.offers_tools:
            draw_blocking_button(student, key=f"blocking-{integration.id}", integration=integration.id)
        with st.popover(gettext("Disconnect"), icon=":material/link_off:", key=f"end-{integration.id}"):
            label = gettext(integration.label)
            st.write(
                gettext(
                    "Homeroom forgets your {service} credentials at once. What is there stays as it is.", service=label
                )
            )
            wants_end = st.button(
                gettext("Disconnect {service}", service=label), key=f"disconnect-{integration.id}", type="primary"
            )
    progress = st.empty()
    _draw_test_result(student, integration)
    if wants_end:
        return lambda: _disconnect(student, integration, progress)
    return (lambda: _run_test(student, integration, progress)) if wants_test else None


def _can_gain(integration: Integration, connection: Connection) -> bool:
    """Whether connecting again brings the account back, or allows more than it does now."""
    is_ending = connection.health in (Health.EXPIRING, Health.EXPIRED, Health.REVOKED)
    return is_ending or (connection.health.offers_tools and bool(missing_permissions(connection, integration)))


def _disconnect(student: Student, integration: Integration, progress: DeltaGenerator) -> None:
    with progress, st.spinner(gettext("Disconnecting …")), flash_errors():
        flash(_end_connection(student, integration))
    st.rerun()


def _end_connection(student: Student, integration: Integration) -> str:
    label = gettext(integration.label)
    if session.services().connections.disconnect(student.id, integration.id):
        return gettext("{service} is disconnected.", service=label)
    return gettext(
        "{service} is disconnected here: Homeroom has forgotten your credentials. {service} did not answer when we "
        "ended the access there too; we keep trying, and you can end it yourself in your {service} settings.",
        service=label,
    )


def _run_test(student: Student, integration: Integration, progress: DeltaGenerator) -> None:
    """Test the connection now, then rerun the page: the card shows the health that it found."""
    try:
        with progress, st.spinner(gettext("Asking {service} …", service=gettext(integration.label))):
            found: object = session.services().connections.test_connection(student.id, integration.id)
    except HomeroomError as error:
        found = error
    st.session_state[_test_key(integration)] = found
    st.rerun()


def _draw_test_result(student: Student, integration: Integration) -> None:
    """Show the result of the last test, once."""
    match st.session_state.pop(_test_key(integration), None):
        case HomeroomError() as error:
            show_error(error)
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
            meaning = messages.test_failed(integration.label, connection.health)
            st.info(gettext("Tested at {at}: {meaning}", at=at, meaning=meaning), icon=":material/network_check:")


def _test_key(integration: Integration) -> str:
    return f"tested-{integration.id}"
