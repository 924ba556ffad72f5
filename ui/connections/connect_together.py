"""Connecting accounts that go together: one button, one dialog with the terms of each, the way from one consent page
to the next, and one line at the end.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from services.connections.batch_flow import BatchStep, ChosenAccount
from services.connections.connect_batch import ConnectOutcome
from services.connections.connection import Connection
from services.connections.messages import CONNECT_AGAIN
from services.errors import HomeroomError, RequestRefused
from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.integrations.base import Integration
from ui import session
from ui.connections import sample_course
from ui.connections.connect_dialog import return_to, without_scheme
from ui.error_boundary import error_boundary
from ui.flash_message import flash
from ui.local_time import as_heading
from ui.privacy_notice import is_model_simulated
from ui.session_guard import guarded_dialog
from ui.settings.consents_card import lines_of
from ui.streamlit_compat import redirect_browser

ICON = ":material/add_link:"


def accounts_to_connect(connected: Mapping[str, Connection]) -> list[Integration]:
    """Accounts that the operator lets connect together and that are not connected; none when fewer than two are."""
    services = session.services()
    listed = dict.fromkeys(services.settings.connect_together)
    offered = [services.integrations[id] for id in listed if id in services.integrations]
    missing = [
        integration
        for integration in offered
        if integration.needs_account
        and (integration.oauth is not None or integration.accepts_token)
        and not (integration.id in connected and connected[integration.id].health.offers_tools)
    ]
    return missing if len(missing) > 1 else []


def draw_connect_together(student: Student, connected: Mapping[str, Connection], *, begun_on: str = "") -> bool:
    """Draw the button that opens the dialog; False where there is nothing to connect together."""
    accounts = accounts_to_connect(connected)
    if not accounts:
        return False
    listed = [id for id in session.services().settings.connect_together if id in session.services().integrations]
    is_all = len(accounts) == len(set(listed))
    n = len(accounts)
    label = gettext("Connect all {n} accounts", n=n) if is_all else gettext("Connect the other {n} accounts", n=n)
    if st.button(label, key="connect-together", type="primary", icon=ICON):
        heading = gettext("Connect {n} accounts", n=n)
        guarded_dialog(heading, _draw_dialog, icon=ICON)(student, accounts, begun_on)
    return True


def _draw_dialog(student: Student, accounts: Sequence[Integration], begun_on: str) -> None:
    if is_model_simulated():
        words = gettext("In this demo a scripted model stands in for Claude, and nothing leaves this machine.")
        st.caption(words)
    chosen = [_draw_account(integration) for integration in accounts]
    st.caption(gettext("Each service asks you in turn, and what you do not allow there is left out."))
    # Those without a token are left out: nobody need have every account at hand.
    wanted = [account for account in chosen if account is not None]
    if st.button(gettext("Agree and connect"), key="agree-together", type="primary", disabled=not wanted, icon=ICON):
        with error_boundary():
            go_on(
                student,
                session.services().connections.begin_batch(
                    student.id, wanted, login_hint=student.email, begun_on=begun_on
                ),
                begun_on,
            )


def _draw_account(integration: Integration) -> ChosenAccount | None:
    """Draw the terms of one account, with its address and its token where one must be named; None without a token."""
    terms = session.services().connections.consents.terms(integration.id)
    with st.container(border=True, gap="xsmall", key=f"together-{integration.id}"):
        st.markdown(f"**{integration.icon} {gettext(integration.label)}**")
        st.markdown(lines_of(terms))
        origin = integration.origins[0]
        if len(integration.origins) > 1:
            address = gettext("Your school's address")
            key = f"together-origin-{integration.id}"
            origin = st.selectbox(address, integration.origins, key=key, format_func=without_scheme)
        token = _draw_token_field(integration) if integration.oauth is None else ""
        with st.popover(gettext("More"), type="tertiary", key=f"together-more-{integration.id}"):
            st.markdown(terms.text)
    if integration.oauth is None and not token:
        return None
    return ChosenAccount(integration=integration.id, agreed=terms, origin=origin, token=token)


def _draw_token_field(integration: Integration) -> str:
    label = as_heading(gettext(integration.token_name))
    key = f"together-token-{integration.id}"
    help_text = gettext(integration.token_help)
    return st.text_input(label, type="password", key=key, autocomplete="off", help=help_text).strip()


def go_on(student: Student, step: BatchStep, begun_on: str) -> None:
    """Leave for the next consent page, or say how it ended and return to where the student set out."""
    if step.address:
        redirect_browser(step.address)
        st.caption(gettext("Opening the next service …"))
        st.stop()
    flash(outcome_message(step.outcomes))
    return_to(begun_on)


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


def outcome_message(outcomes: Sequence[ConnectOutcome]) -> str | RequestRefused:
    """What was connected, what was not and why, and how to try again; an error when nothing was."""
    integrations = session.services().integrations
    labels = {id: gettext(integrations[id].label) for id in (each.integration for each in outcomes)}
    made = [labels[outcome.integration] for outcome in outcomes if outcome.is_connected]
    failed = [outcome for outcome in outcomes if not outcome.is_connected]
    connected = (
        ngettext("{services} is connected.", "{services} are connected.", len(made), services=", ".join(made))
        if made
        else ""
    )
    if not failed:
        next_step = gettext("Ask about them in the chat.")
        return f"{connected} {next_step}"
    names = ", ".join(labels[outcome.integration] for outcome in failed)
    reasons = dict.fromkeys(outcome.reason for outcome in failed)
    sentence = " ".join(filter(None, (connected, gettext("Not connected: {services}.", services=names), *reasons)))
    if not made:
        return RequestRefused("Homeroom", sentence, next_step=gettext(CONNECT_AGAIN))
    return f"{sentence} {gettext(CONNECT_AGAIN)}"
