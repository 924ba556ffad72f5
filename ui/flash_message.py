"""Says on the next run of a page how the last action ended, until the student does something else."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from services.errors import HomeroomError
from services.safety.text import literal
from ui.error_boundary import show_error

KEY = "outcome"
SHOWN = "outcome shown"


def flash(outcome: str | HomeroomError) -> None:
    st.session_state[KEY] = outcome


def keep_flash() -> None:
    """Before a page runs again by itself: what stands there now stays."""
    if st.session_state.get(SHOWN):
        st.session_state.setdefault(KEY, st.session_state[SHOWN])


def show_flash() -> str | HomeroomError | None:
    """What there was to tell."""
    outcome = st.session_state[SHOWN] = st.session_state.pop(KEY, None)
    if isinstance(outcome, HomeroomError):
        show_error(outcome)
    elif outcome:
        st.success(literal(outcome), icon=":material/check_circle:")
    return outcome


@contextmanager
def flash_errors() -> Iterator[None]:
    """For a button's callback: a foreseen error is shown at the top of the page's next run."""
    try:
        yield
    except HomeroomError as error:
        flash(error)
