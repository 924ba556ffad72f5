"""Above the composer, always in view: what just happened, what needs the student, and Stop."""

from collections.abc import Mapping

import streamlit as st

from services.connections.connection import Connection
from services.students import Student
from ui import assistant_picker, attention, outcome, session
from ui.opened import Opened


def draw(student: Student, chat: Opened, connected: Mapping[str, Connection]) -> None:
    with st.bottom.container(key="dock", gap="xsmall"):
        outcome.show()
        attention.draw(connected)
        assistant_picker.draw(student, chat.id, connected)
        if chat.running is not None:
            turn_id = chat.running.turn_id
            st.button("Stop", key="stop", icon=":material/stop_circle:", on_click=_stop, args=(student, turn_id))


def _stop(student: Student, turn_id: str) -> None:
    with outcome.told_next_run():
        session.services().turns.stop(student, turn_id)
