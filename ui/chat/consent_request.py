"""Consent request: what the next message waits for, in a sentence and a button above the field."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from services.connections.connection import Connection
from services.files.upload import Upload
from services.i18n import gettext
from services.identity.students import Student
from services.privacy.student_consents import ConsentState
from services.safety.consent import CHAT, ConsentStatus, Terms
from services.safety.text import literal, one_line
from ui import session
from ui.session_guard import guarded_callback
from ui.settings.consents_card import draw_recipients, lines_of, withdraw

WAITS = "waits_for_consent"
HELD = "held_message"
_SHOWN_OF_HELD = 80


@dataclass(frozen=True, kw_only=True)
class HeldMessage:
    """Message that is sent as soon as the student has agreed. conversation: None for a new chat."""

    conversation: str | None
    text: str = field(repr=False)
    uploads: Sequence[Upload] = field(default=(), repr=False)


Send = Callable[[Student, HeldMessage], None]


def is_consent_awaited() -> bool:
    """Whether the page, as it was drawn last, asks for a consent."""
    return bool(st.session_state.get(WAITS))


def hold_message(message: HeldMessage) -> None:
    """Keep a message until the student has agreed."""
    st.session_state[HELD] = message


def draw_consent_request(student: Student, connected: Mapping[str, Connection], *, send: Send) -> None:
    """Draw what the next message waits for, if anything. send: sends the message that waits."""
    asked = session.services().consents.asked(student, connected)
    st.session_state[WAITS] = bool(asked)
    if not asked:
        st.session_state.pop(HELD, None)
        return
    with st.container(border=True, key="consent", gap="xsmall"):
        st.markdown(_request(asked))
        if held := st.session_state.get(HELD):
            words = literal(one_line(held.text, _SHOWN_OF_HELD))
            st.caption(gettext("This waits, and is sent when you agree: “{words}”", words=words))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            terms = [state.terms for state in asked]
            st.button(gettext("I agree"), key="agree", type="primary", on_click=_agree, args=(student, terms, send))
            with st.popover(gettext("More"), icon=":material/info:", type="tertiary", key="consent-details"):
                _draw_details(student, asked)


def _request(asked: Sequence[ConsentState]) -> str:
    """What is asked for: three lines of the chat or of one account; those of several are told behind "More"."""
    first = asked[0]
    services = ", ".join(_accounts(asked).values())
    if first.terms.subject != CHAT:
        why = gettext("Before answers use your {services} again, please read what goes where.", services=services)
        return why if len(asked) > 1 else f"{why}\n\n{lines_of(first.terms)}"
    has_changed = first.status is ConsentStatus.OUTDATED
    changed = gettext("This has changed since you agreed.") if has_changed else ""
    includes = gettext("That includes your {services}.", services=services) if services else ""
    return "\n\n".join(filter(None, (changed, lines_of(first.terms), includes)))


def _accounts(asked: Sequence[ConsentState]) -> dict[str, str]:
    """Labels of the accounts that are asked about, by integration."""
    integrations = session.services().integrations
    subjects = [state.terms.subject for state in asked if state.terms.subject != CHAT]
    return {subject: gettext(integrations[subject].label) for subject in subjects}


def _draw_details(student: Student, asked: Sequence[ConsentState]) -> None:
    """Draw all that the button agrees to, with a way to leave each account out."""
    accounts = _accounts(asked)
    for state in asked:
        label = accounts.get(state.terms.subject)
        st.markdown((f"**{label}** " if label else "") + state.terms.text)
        if label:
            st.button(
                gettext("Leave {service} out", service=label),
                key=f"leave-out-{state.terms.subject}",
                type="tertiary",
                icon=":material/close:",
                on_click=withdraw,
                args=(student, state.terms.subject),
            )
    draw_recipients()


@guarded_callback
def _agree(student: Student, agreed: Sequence[Terms], send: Send) -> None:
    student = session.services().consents.agree(student, agreed)
    st.session_state[WAITS] = False
    if held := st.session_state.pop(HELD, None):
        send(student, held)
