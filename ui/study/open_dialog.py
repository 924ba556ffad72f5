"""Dialog that is open on the Study page: kept in the session, so that a run of the page by itself does not close it."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

KEY = "study-dialog"


@dataclass(frozen=True, kw_only=True)
class OpenDialog:
    """kind: which dialog. subject: what it is about, mostly an id. number: of its opening, for the keys of its
    fields: what was written into the last one is not in the next.
    """

    kind: str
    subject: Any = ""
    number: int = 0


def open_dialog(kind: str, subject: Any = "") -> None:
    """Show this dialog with the next run."""
    number = st.session_state[f"{KEY}-number"] = int(st.session_state.get(f"{KEY}-number", 0)) + 1
    st.session_state[KEY] = OpenDialog(kind=kind, subject=subject, number=number)


def close_dialog() -> None:
    """Show none with the next run."""
    st.session_state.pop(KEY, None)


def current_dialog() -> OpenDialog | None:
    found: OpenDialog | None = st.session_state.get(KEY)
    return found


def field_key(name: str) -> str:
    """Key of a field of the open dialog."""
    found = current_dialog()
    return f"{name}-{found.number if found else 0}"
