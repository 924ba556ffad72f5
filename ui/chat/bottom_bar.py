"""Bottom bar above the composer: flash message, broken connections, pickers and the Stop button."""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.connections import messages
from services.connections.connection import Connection
from services.errors import AnsweredElsewhere, TurnBusy
from services.i18n import gettext
from services.identity.page_registry import CONNECTIONS_PAGE
from services.identity.students import Student
from ui import session
from ui.chat.chat_menu import draw_undo_delete, forget_deleted
from ui.chat.chat_state import ChatState
from ui.chat.pickers import draw_assistant_picker, draw_effort_picker
from ui.flash_message import show_flash
from ui.session_guard import guarded_callback


def draw_bottom_bar(student: Student, chat: ChatState, connected: Mapping[str, Connection]) -> DeltaGenerator | None:
    """Draw the bar; returns the slot of Stop, to be emptied when the turn ends, or None when the page reruns then."""
    with st.bottom.container(key="dock", gap="xsmall"):
        flashed = show_flash()
        if chat.id is None:
            draw_undo_delete(student)
        else:
            forget_deleted()
        _draw_broken_connections(connected)
        with st.container(key="pickers", horizontal=True, vertical_alignment="center", gap="small"):
            assistant = draw_assistant_picker(student, chat, connected)
            draw_effort_picker(student, chat, assistant)
            stop = _draw_stop_button(student, chat.running.turn_id) if chat.running else None
        reruns_then = isinstance(flashed, TurnBusy) and not isinstance(flashed, AnsweredElsewhere)
        return None if reruns_then else stop


def _draw_stop_button(student: Student, turn_id: str) -> DeltaGenerator:
    slot = st.empty()
    slot.button(gettext("Stop"), key="stop", icon=":material/stop_circle:", on_click=_stop, args=(student, turn_id))
    return slot


@guarded_callback
def _stop(student: Student, turn_id: str) -> None:
    session.services().turns.stop(student, turn_id)


def _draw_broken_connections(connected: Mapping[str, Connection]) -> None:
    """Link to Connections for each connection that must be reconnected before an answer can use it."""
    integrations = session.services().integrations
    for id, connection in connected.items():
        if not connection.health.offers_tools:
            label = messages.open_connections_link(integrations[id].label, connection.health)
            st.page_link(CONNECTIONS_PAGE.script, label=label, icon=":material/link_off:")
