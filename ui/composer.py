"""Where the student writes: starts a turn, and keeps the text when it cannot start."""

import streamlit as st

from services.errors import HomeroomError
from services.students import Student
from ui import outcome, session

KEY = "composer"
KEPT = "kept_message"
LONGEST = 20_000
"""Characters of one message; what is longer belongs in a file."""


def conversation_id() -> str | None:
    """The conversation that the address names; `?new=1` starts afresh."""
    if "new" in st.query_params:
        st.query_params.clear()
    return st.query_params.get("c")


def draw(student: Student, conversation: str | None, *, is_answering: bool = False) -> None:
    _draw_kept(student, conversation)
    st.chat_input(
        "Homeroom is answering …" if is_answering else "Ask about your week",
        key=KEY,
        max_chars=LONGEST,
        disabled=is_answering,
        on_submit=_send_written,
        args=(student, conversation),
    )


def _send_written(student: Student, conversation: str | None) -> None:
    send(student, conversation, str(st.session_state[KEY] or ""))


def send(student: Student, conversation: str | None, text: str) -> None:
    """Start a turn with this text, in a new conversation when there is none yet."""
    services = session.services()
    if not text.strip():
        return
    try:
        conversation = conversation or services.conversations.create(student.id)
        services.turns.start(student, conversation, text)
        st.query_params["c"] = conversation
    except HomeroomError as error:
        outcome.tell(error)
        st.session_state[KEPT] = text


def _draw_kept(student: Student, conversation: str | None) -> None:
    """A message that could not be sent stays on the page, with a button to send it again."""
    text = st.session_state.get(KEPT)
    if not text:
        return
    with st.container(border=True, key="kept-message"):
        st.caption("Not sent yet")
        st.text(text)
        st.button("Send again", key="send-again", type="primary", on_click=_send_kept, args=(student, conversation))


def _send_kept(student: Student, conversation: str | None) -> None:
    send(student, conversation, st.session_state.pop(KEPT))
