"""Address of an assistant's form in the view "Assistants" of a class."""

import streamlit as st

ASSISTANT = "assistant"


def opened_assistant() -> str:
    """Id of the assistant whose form the address names; "" for none."""
    return str(st.query_params.get(ASSISTANT, ""))


def open_editor(id: str) -> None:
    """Show the form of this assistant with the next run."""
    st.query_params[ASSISTANT] = id


def close_editor() -> None:
    """Show all assistants of the class with the next run."""
    st.query_params.pop(ASSISTANT, None)
