"""Dialog that connects an account by OAuth or token, after consent."""

from typing import NoReturn
from urllib.parse import urlsplit

import streamlit as st

from services.errors import HomeroomError, ItemNotFound
from services.i18n import gettext
from services.identity.students import Student
from services.integrations.base import Integration
from services.navigation import CHAT_PAGE
from services.safety.consent import Terms
from services.safety.text import literal
from ui import session
from ui.connections import sample_course
from ui.error_boundary import error_boundary, show_error
from ui.flash_message import flash
from ui.local_time import as_heading
from ui.privacy_notice import is_model_simulated
from ui.session_guard import guarded_dialog
from ui.settings.consents_card import lines_of
from ui.streamlit_compat import redirect_browser

OTHER_ADDRESS = ""
"""Choice of an address that is not listed."""
BEGUN_ON_CHAT = "chat"
"""Page to return to when the connection was begun in the chat's onboarding."""


def open_connect_dialog(student: Student, integration: Integration, *, begun_on: str = "") -> None:
    """Open the dialog of one integration. begun_on: the page to return to, when it is not Connections."""
    heading = gettext("Connect {service}", service=gettext(integration.label))
    guarded_dialog(heading, _draw_dialog, icon=integration.icon)(student, integration, begun_on)


def _draw_dialog(student: Student, integration: Integration, begun_on: str) -> None:
    st.markdown(gettext("**What goes where**"))
    terms = session.services().connections.consents.terms(integration.id)
    st.markdown(lines_of(terms))
    with st.expander(gettext("More"), key=f"more-before-{integration.id}"):
        st.markdown(terms.text)
    if is_model_simulated():
        words = gettext("In this demo a scripted model stands in for Claude, and nothing leaves this machine.")
        st.info(words, icon=":material/info:")
    origin = _draw_address_field(integration)
    has_agreed = st.checkbox(gettext("I have read this and agree"), key=f"agree-{integration.id}")
    agreed = terms if has_agreed else None
    if integration.oauth is not None and origin in integration.origins:
        _draw_oauth_button(student, integration, origin, agreed, begun_on)
    if integration.accepts_token:
        _draw_token_form(student, integration, origin, agreed)
    if integration.oauth is None and not integration.accepts_token:
        st.info(
            gettext(
                "Whoever runs Homeroom has not finished setting up {service} yet.", service=gettext(integration.label)
            )
        )


def _draw_address_field(integration: Integration) -> str:
    """Chosen address of the service: a configured one, or typed by the student where that is allowed."""
    is_free = integration.read_origin is not None
    if len(integration.origins) == 1 and not is_free:
        return integration.origins[0]
    chosen = st.selectbox(
        gettext("Your school's address"),
        [*integration.origins, *([OTHER_ADDRESS] if is_free else [])],
        key=f"origin-{integration.id}",
        format_func=without_scheme,
    )
    if chosen != OTHER_ADDRESS:
        return chosen
    label = gettext("The address that you open your school's {service} at", service=gettext(integration.label))
    return st.text_input(label, key=f"another-{integration.id}", placeholder="canvas.example.edu")


def without_scheme(origin: str) -> str:
    """Address for a person; what a student typed is shown as they typed it."""
    if origin == OTHER_ADDRESS:
        return gettext("Another school")
    parts = urlsplit(origin)
    return parts.netloc + parts.path if parts.netloc else origin


def _draw_oauth_button(
    student: Student, integration: Integration, origin: str, agreed: Terms | None, begun_on: str
) -> None:
    if st.button(
        gettext("Continue to {service}", service=gettext(integration.label)),
        key=f"oauth-{integration.id}",
        type="primary",
        disabled=agreed is None,
        icon=":material/arrow_forward:",
    ):
        with error_boundary():
            connections = session.services().connections
            redirect_browser(
                connections.begin_oauth(student.id, integration.id, origin=origin, agreed=agreed, begun_on=begun_on)
            )
            st.caption(gettext("Opening {service} …", service=gettext(integration.label)))


def _draw_token_form(student: Student, integration: Integration, origin: str, agreed: Terms | None) -> None:
    name = gettext(integration.token_name)
    heading = (
        gettext("Paste your {name}", name=name)
        if integration.read_token
        else gettext("Use an {name} instead", name=name)
    )
    with st.expander(heading, expanded=integration.oauth is None or origin not in integration.origins):
        st.caption(gettext(integration.token_help))
        _draw_demo_hint()
        error_slot = st.empty()
        with st.form(f"token-form-{integration.id}", border=False):
            token = st.text_input(as_heading(name), type="password", key=f"token-{integration.id}", autocomplete="off")
            sent = st.form_submit_button(gettext("Check and connect"), disabled=agreed is None)
        if sent:
            with error_slot.container():
                _connect_with_token(student, integration, origin, token.strip(), agreed)


def _draw_demo_hint() -> None:
    """Hint where the demo campus shows its token: its Canvas has no menus."""
    settings = session.services().settings
    if settings.demo:
        st.caption(
            gettext("Demo campus: its [first page]({address}) leads to one.", address=f"{settings.public_url}/sandbox/")
        )


def _connect_with_token(
    student: Student, integration: Integration, origin: str, token: str, agreed: Terms | None
) -> None:
    if not token:
        st.warning(gettext("Paste the {name} first.", name=gettext(integration.token_name)))
        return
    before = session.services().connections.all(student.id)
    try:
        with st.spinner(gettext("Trying it with {service} …", service=gettext(integration.label))):
            session.services().connections.connect_with_token(
                student.id, integration.id, origin=origin, token=token, agreed=agreed
            )
    except ItemNotFound:
        st.error(
            gettext(
                "There is no {service} at {address}. Choose another address, or tell whoever runs Homeroom.",
                service=gettext(integration.label),
                address=literal(without_scheme(origin)),
            ),
            icon=":material/wrong_location:",
        )
        return
    except HomeroomError as error:
        show_error(error)
        return
    flash(sample_course.connected_message(student, integration, before))
    st.rerun()


def return_to(begun_on: str) -> NoReturn:
    """Go back to the page on which the student set out to connect."""
    if begun_on == BEGUN_ON_CHAT:
        st.switch_page(CHAT_PAGE.script)
    st.rerun()
