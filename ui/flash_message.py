"""Flash message: the outcome of an action, shown on the page's next run and gone with the one after."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from services.errors import HomeroomError
from services.safety.text import literal
from ui.error_boundary import show_error

KEY = "outcome"
SHOWN = "outcome shown"


def flash(outcome: str | HomeroomError) -> None:
    """Show this outcome on the next run."""
    st.session_state[KEY] = outcome


def keep_flash() -> None:
    """Show the current message once more, before a page reruns by itself."""
    if st.session_state.get(SHOWN):
        st.session_state.setdefault(KEY, st.session_state[SHOWN])


def drop_flash() -> None:
    """Drop the message that would be shown on the next run."""
    st.session_state.pop(KEY, None)


def show_flash() -> str | HomeroomError | None:
    """Show the pending message, and return it."""
    outcome = st.session_state[SHOWN] = st.session_state.pop(KEY, None)
    if isinstance(outcome, HomeroomError):
        show_error(outcome)
    elif outcome:
        st.success(literal(outcome), icon=":material/check_circle:")
    return outcome


@contextmanager
def flash_errors() -> Iterator[None]:
    """Flash a foreseen error of a button's callback on the next run."""
    try:
        yield
    except HomeroomError as error:
        flash(error)
