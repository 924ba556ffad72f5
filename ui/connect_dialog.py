"""What a student reads and agrees to before an account is connected, and the two ways in."""

from urllib.parse import urlsplit

import streamlit as st

from services.errors import HomeroomError, ItemNotFound
from services.integrations.base import Integration
from services.safety.text import literal
from services.students import Student
from ui import oauth_return, outcome, problems, session
from ui.redirect import go_to


def ask(student: Student, integration: Integration) -> None:
    """Open the dialog of one integration."""
    st.dialog(f"Connect {integration.label}", icon=integration.icon)(_draw)(student, integration)


def _draw(student: Student, integration: Integration) -> None:
    st.markdown("**What goes where**")
    st.write(integration.consent)
    origin = _origin(integration)
    agreed = st.checkbox("I have read this and agree", key=f"agree-{integration.id}")
    if integration.oauth is not None:
        _by_consent_page(student, integration, origin, agreed)
    if integration.accepts_token:
        _by_token(student, integration, origin, agreed)
    if integration.oauth is None and not integration.accepts_token:
        st.info(f"Whoever runs Homeroom has not finished setting up {integration.label} yet.")


def _origin(integration: Integration) -> str:
    if len(integration.origins) == 1:
        return integration.origins[0]
    return st.selectbox(
        "Your school's address", integration.origins, key=f"origin-{integration.id}", format_func=_without_scheme
    )


def _without_scheme(origin: str) -> str:
    parts = urlsplit(origin)
    return parts.netloc + parts.path


def _by_consent_page(student: Student, integration: Integration, origin: str, agreed: bool) -> None:
    if st.button(
        f"Continue to {integration.label}",
        key=f"oauth-{integration.id}",
        type="primary",
        disabled=not agreed,
        icon=":material/arrow_forward:",
    ):
        with problems.calmly():
            go_to(session.services().connections.begin_oauth(student.id, integration.id, origin=origin))
            st.caption(f"Opening {integration.label} …")


def _by_token(student: Student, integration: Integration, origin: str, agreed: bool) -> None:
    name = integration.token_name
    heading = f"Paste your {name}" if integration.read_token else f"Use an {name} instead"
    with st.expander(heading, expanded=integration.oauth is None):
        st.caption(integration.token_help)
        _demo_hint()
        problem = st.empty()
        with st.form(f"token-form-{integration.id}", border=False):
            token = st.text_input(name.capitalize(), type="password", key=f"token-{integration.id}", autocomplete="off")
            sent = st.form_submit_button("Check and connect", disabled=not agreed)
        if sent:
            with problem.container():
                _check(student, integration, origin, token.strip())


def _demo_hint() -> None:
    """Where the campus shows what is to be pasted: its Canvas has no menus."""
    settings = session.services().settings
    if settings.demo:
        st.caption(f"Demo campus: its [first page]({settings.public_url}/sandbox/) leads to one.")


def _check(student: Student, integration: Integration, origin: str, token: str) -> None:
    if not token:
        st.warning(f"Paste the {integration.token_name} first.")
        return
    try:
        with st.spinner(f"Trying it with {integration.label} …"):
            session.services().connections.connect_with_token(student.id, integration.id, origin=origin, token=token)
    except ItemNotFound:
        st.error(
            f"There is no {integration.label} at {literal(_without_scheme(origin))}. Choose another address, or tell "
            "whoever runs Homeroom.",
            icon=":material/wrong_location:",
        )
        return
    except HomeroomError as error:
        problems.show(error)
        return
    outcome.tell(oauth_return.connected(integration.label))
    st.rerun()
