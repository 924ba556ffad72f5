"""What came to an open chat meanwhile from somewhere else: another tab, another device, a program of the student's."""

import streamlit as st

from services.agent.conversations import Conversation
from services.errors import ItemNotFound, StorageError
from services.identity.students import Student
from ui import outcome, session

LOOK_AGAIN_S = 5.0
"""How long a chat stays behind a question that was asked in it elsewhere: one read each time."""


def watch(student: Student, drawn: Conversation) -> None:
    """Run the page again once something was said after what is drawn; the run that draws it costs no read."""
    _look(student, drawn, is_first=[True])


@st.fragment(run_every=LOOK_AGAIN_S)
def _look(student: Student, drawn: Conversation, is_first: list[bool]) -> None:
    """Draws nothing. is_first: emptied by the page's own run, which has just read what it draws."""
    if is_first:
        is_first.clear()
        return
    try:
        now = session.services().conversations.get(student.id, drawn.id).updated_at
    except ItemNotFound:
        now = ""
    except StorageError:
        return
    if now != drawn.updated_at:
        outcome.keep_flash()
        st.rerun()
