"""Says once, on the next run of a page, how the last action ended."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from services.errors import HomeroomError
from services.safety.text import literal
from ui import problems

KEY = "outcome"


def tell(outcome: str | HomeroomError) -> None:
    st.session_state[KEY] = outcome


def show() -> bool:
    """Whether there was anything to tell."""
    outcome = st.session_state.pop(KEY, None)
    if isinstance(outcome, HomeroomError):
        problems.show(outcome)
    elif outcome:
        st.success(literal(outcome), icon=":material/check_circle:")
    return bool(outcome)


@contextmanager
def told_next_run() -> Iterator[None]:
    """For a button's callback: a foreseen error is shown at the top of the page's next run."""
    try:
        yield
    except HomeroomError as error:
        tell(error)
