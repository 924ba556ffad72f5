"""Where the student writes: starts a turn, and keeps the text when it cannot start."""

import streamlit as st

from services.errors import HomeroomError
from services.students import Student
from ui import assistant_picker, kept, outcome, session

KEY = "composer"


def draw(student: Student, conversation: str | None) -> None:
    """The field stays open while Homeroom answers, so that the next question can be written meanwhile."""
    if text := kept.take():
        st.session_state[KEY] = text
    st.chat_input(
        "Ask about your week",
        key=KEY,
        on_submit=_send_written,
        args=(student, conversation),
    )


def _send_written(student: Student, conversation: str | None) -> None:
    send(student, conversation, str(st.session_state[KEY] or ""))


def send(student: Student, conversation: str | None, text: str) -> None:
    """Start a turn with this text, in a new conversation when there is none yet; else it goes back into the field."""
    services = session.services()
    if not text.strip():
        return
    try:
        if conversation is None:
            conversation = services.conversations.create(student.id, assistant=assistant_picker.for_new_chat())
        services.turns.start(student, conversation, text)
        st.query_params["c"] = conversation
    except HomeroomError as error:
        outcome.tell(error)
        kept.keep(text)
