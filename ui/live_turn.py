"""Follows a running turn on the page, and lets the student stop it."""

import streamlit as st

from services.agent.view import TurnView
from services.students import Student
from ui import outcome, session
from ui.transcript import LiveTranscript, Transcript, bubble


def follow(student: Student, conversation_id: str, running: TurnView, transcript: Transcript) -> None:
    """Draw the turn as it grows; when it waits or ends, run the page again to show what was stored.

    The turn belongs to its runner: a closed tab, a reload or another click only ends this drawing of it.
    """
    with bubble(is_student=False):
        live = LiveTranscript(transcript)
        thinking = st.empty()
        thinking.status("Thinking …", type="step")
        st.button("Stop", key="stop", icon=":material/stop_circle:", on_click=_stop, args=(student, running.turn_id))
        for view in session.services().turns.follow(student, conversation_id):
            if view.items:
                thinking.empty()
            live.update(view.items)
    st.rerun()


def _stop(student: Student, turn_id: str) -> None:
    with outcome.told_next_run():
        session.services().turns.stop(student, turn_id)
