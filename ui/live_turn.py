"""Follows a running turn on the page."""

import streamlit as st

from services.students import Student
from ui import session
from ui.transcript import LiveTranscript, Transcript, bubble


def follow(student: Student, conversation_id: str, transcript: Transcript) -> None:
    """Draw the turn as it grows; when it waits or ends, run the page again to show what was stored.

    The turn belongs to its runner: a closed tab, a reload or another click only ends this drawing of it.
    """
    with bubble(is_student=False):
        live = LiveTranscript(transcript)
    for view in session.services().turns.follow(student, conversation_id):
        live.update(view.items)
    st.rerun()
