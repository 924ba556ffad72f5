"""Above the composer, always in view: what just happened, what needs the student, and Stop."""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.connections.connection import Connection
from services.errors import AnsweredElsewhere, TurnBusy
from services.i18n import gettext
from services.identity.students import Student
from ui import action, outcome, session
from ui.chat import assistant_picker, attention, effort_picker, undo_delete
from ui.chat.opened import Opened


def draw(student: Student, chat: Opened, connected: Mapping[str, Connection]) -> DeltaGenerator | None:
    """Where Stop is, to be emptied when the answer is whole; None when the page has more to put away then."""
    with st.bottom.container(key="dock", gap="xsmall"):
        told = outcome.show_flash()
        if chat.id is None:
            undo_delete.draw(student)
        else:
            undo_delete.forget()
        attention.draw(connected)
        with st.container(key="pickers", horizontal=True, vertical_alignment="center", gap="small"):
            assistant = assistant_picker.draw(student, chat, connected)
            effort_picker.draw(student, chat, assistant)
            stop = _stop_button(student, chat.running.turn_id) if chat.running else None
        is_over_then = isinstance(told, TurnBusy) and not isinstance(told, AnsweredElsewhere)
        return None if is_over_then else stop


def _stop_button(student: Student, turn_id: str) -> DeltaGenerator:
    place = st.empty()
    place.button(gettext("Stop"), key="stop", icon=":material/stop_circle:", on_click=_stop, args=(student, turn_id))
    return place


@action.guarded
def _stop(student: Student, turn_id: str) -> None:
    session.services().turns.stop(student, turn_id)
