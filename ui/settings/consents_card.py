"""Consents of the student: what they agreed to and when, a button to withdraw each, and who receives words."""

import streamlit as st

from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.privacy.student_consents import ConsentState
from services.safety.consent import CHAT, ConsentStatus, Terms
from ui import session
from ui.flash_message import flash
from ui.local_time import local_day
from ui.privacy_notice import is_model_simulated
from ui.session_guard import guarded_callback

STATUS = {
    ConsentStatus.GIVEN: gettext_noop("You agreed on {day}."),
    ConsentStatus.MISSING: gettext_noop("You have not been asked yet; the chat asks before your next message."),
    ConsentStatus.OUTDATED: gettext_noop("It has changed since you agreed on {day}; the chat asks again."),
    ConsentStatus.WITHDRAWN: gettext_noop("You took this back on {day}."),
}
GIVEN_ELSEWHERE = gettext_noop("You agreed before you came to Homeroom.")
NOT_ASKED = gettext_noop("This demo does not ask.")


def draw_consents(student: Student) -> None:
    """Draw the chat's consent and those to accounts; one store read."""
    services = session.services()
    st.markdown(gettext("## What goes where"))
    if is_model_simulated():
        st.caption(gettext("In this demo a scripted model stands in for Claude, and nothing leaves this machine."))
    for state in services.consents.states(student, services.connections.all(student.id)):
        _draw_consent(student, state)
    draw_recipients()
    if labels := [key.label for key in services.keys.list(student.id)]:
        st.caption(gettext("Programs with a key of yours read what they ask for: {names}.", names=", ".join(labels)))
    st.caption(gettext("Your credentials are stored encrypted, and only ever sent to the service they belong to."))


def lines_of(terms: Terms) -> str:
    """The three lines of these terms, as Markdown."""
    return "  \n".join(terms.lines)


def draw_recipients() -> None:
    """Draw who receives words, besides the model's provider."""
    terms = session.services().consents.terms
    lines = [f"- **{recipient.name}**: {gettext(recipient.receives)}" for recipient in terms.recipients]
    if lines:
        st.markdown("\n".join([gettext("For an answer, these may receive words, too:"), "", *lines]))


def consent_sentence(student: Student, state: ConsentState) -> str:
    """What is stored of a consent, in a sentence."""
    consent = state.consent
    if consent is None:
        if state.status is not ConsentStatus.GIVEN:
            return gettext(STATUS[state.status])
        return gettext(NOT_ASKED if is_model_simulated() else GIVEN_ELSEWHERE)
    if state.status is ConsentStatus.GIVEN and consent.given_by != "student":
        return gettext(GIVEN_ELSEWHERE)
    return gettext(STATUS[state.status], day=local_day(consent.withdrawn_at or consent.given_at, student))


def _draw_consent(student: Student, state: ConsentState) -> None:
    subject = state.terms.subject
    label = _label(subject)
    with st.container(key=f"consent-{subject}", gap="xsmall"):
        if subject == CHAT:
            st.markdown(lines_of(state.terms))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{label}** {consent_sentence(student, state)}", width="content")
            draw_consent_button(student, state)
            draw_more(state.terms, with_lines=subject != CHAT)


def draw_more(terms: Terms, *, with_lines: bool) -> None:
    """Draw the whole text of these terms behind "More". with_lines: its three lines stand there as well."""
    with st.popover(gettext("More"), type="tertiary", key=f"more-{terms.subject}"):
        if with_lines:
            st.markdown(lines_of(terms))
        st.markdown(terms.text)


def draw_consent_button(student: Student, state: ConsentState) -> None:
    """Draw the one click that withdraws a consent, or gives it."""
    subject = state.terms.subject
    if state.status is ConsentStatus.GIVEN:
        st.button(
            gettext("Take it back"),
            key=f"withdraw-{subject}",
            icon=":material/close:",
            on_click=withdraw,
            args=(student, subject),
        )
    else:
        st.button(
            gettext("I agree"), key=f"agree-{subject}", icon=":material/check:", on_click=_agree, args=(student, state)
        )


def _label(subject: str) -> str:
    return gettext("Chat") if subject == CHAT else gettext(session.services().integrations[subject].label)


@guarded_callback
def withdraw(student: Student, subject: str) -> None:
    """Withdraw a consent, and say what that means."""
    session.services().consents.withdraw(student, subject)
    if subject == CHAT:
        flash(gettext("Homeroom sends nothing to the model any more until you agree again. Your chats stay."))
        return
    flash(
        gettext(
            "Answers and programs no longer use your {service}. It stays connected for your own pages; to end that, "
            "too, disconnect it.",
            service=_label(subject),
        )
    )


@guarded_callback
def _agree(student: Student, state: ConsentState) -> None:
    session.services().consents.agree(student, [state.terms])
