"""A message that could not be sent: kept until it is back in the field where the student wrote it."""

import streamlit as st

KEY = "kept_message"


def keep(text: str) -> None:
    st.session_state[KEY] = text


def take() -> str | None:
    """The kept message, handed over: whoever takes it shows it."""
    return st.session_state.pop(KEY, None)


def look() -> str | None:
    return st.session_state.get(KEY)
