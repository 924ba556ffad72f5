"""Dialog in which a student chooses the calendars that take their time; mounted on Connections and on the week."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from services.errors import ServiceUnavailable
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.integrations.calendar.calendar_choices import choose_blocking
from services.safety.text import literal
from services.tools.result_contracts import CALENDARS
from ui import session
from ui.session_guard import guarded_callback, guarded_dialog

TITLE = gettext_noop("Which calendars make you busy")
ASKED_BY = gettext_noop("Connections")
"""Caller's name in the activity."""
_ROWS = "blocking-calendars"
"""Session key of the calendars as they were when the dialog was opened."""


def draw_blocking_button(student: Student, *, key: str, integration: str = "", is_quiet: bool = False) -> None:
    """Draw the button that opens the dialog, for a student with a calendar. integration: only its calendars."""
    label, icon = gettext(TITLE), ":material/event_busy:"
    if st.button(label, icon=icon, key=key, type="tertiary" if is_quiet else "secondary"):
        st.session_state.pop(_ROWS, None)
        guarded_dialog(label, _draw_dialog, icon=icon)(student, integration)


def _draw_dialog(student: Student, integration: str) -> None:
    st.write(
        gettext(
            "Switch on the calendars that make you busy: Homeroom plans around what is in them. What is in the others "
            "stays in sight, as something that you may go to."
        )
    )
    for row in _calendars(student):
        if row["selected"] and integration in ("", row["integration"]):
            _draw_choice(student, row)
    st.caption(
        gettext(
            "In each calendar, what is marked as free, tentative, declined or not answered yet does not make you busy."
        )
    )
    if st.button(gettext("Done"), type="primary", key="blocking-done"):
        st.rerun()


def _calendars(student: Student) -> list[dict[str, Any]]:
    """Calendars of all connections, read once for as long as the dialog is open."""
    if _ROWS not in st.session_state:
        gateway = session.services().gateway
        tool = next(tool for tool in gateway.tools() if CALENDARS in tool.produces)
        with st.spinner(gettext("Reading your calendars …")):
            result = gateway.call(student, tool.name, {}, asked_by=ASKED_BY)
        if not result.success:
            raise ServiceUnavailable(gettext("Calendar"), result.trouble)
        st.session_state[_ROWS] = (result.data or {})["calendars"]
    rows: list[dict[str, Any]] = st.session_state[_ROWS]
    return rows


def _draw_choice(student: Student, row: Mapping[str, Any]) -> None:
    key = f"blocks-{row['id']}"
    label = f"{literal(row['name'])} · {literal(gettext(row['provider']))}"
    st.toggle(label, value=row["blocks"], key=key, on_change=_choose, args=(student, row, key))


@guarded_callback
def _choose(student: Student, row: Mapping[str, Any], key: str) -> None:
    blocks = bool(st.session_state[key])
    choose_blocking(session.services().connections, student.id, row["integration"], row["id"], blocks)
