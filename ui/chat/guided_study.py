"""Guided study in the chat: its start in one press, what can be said at any time, and its end."""

from collections.abc import Callable

import streamlit as st

from services.assistants.assistant import DEFAULT_ASSISTANT
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.navigation import CHAT_PAGE
from services.safety.text import one_line
from ui import session
from ui.chat.draft import save_draft_text
from ui.chat.pickers import NEW_CHAT_ASSISTANT, pick_assistant

Send = Callable[[Student, str | None, str], None]
"""Sends a message in a chat, or begins one with it."""
LONGEST_SUBJECT = 150
_GUIDED = {
    "hint": (gettext_noop("Give me a hint"), ":material/help:"),
    "tell": (gettext_noop("Just tell me"), ":material/menu_book:"),
}
"""What is sent in the student's name, by key."""


def start_guided_study(student: Student, about: str, send: Send) -> None:
    """Open a new chat that guides, and begin with a topic where there is one; what cannot be sent waits there."""
    st.query_params.pop("c", None)
    if text := _choose_guided_assistant(about):
        send(student, None, text)
    chat = st.query_params.get("c")
    st.switch_page(CHAT_PAGE.script, query_params={"c": chat} if chat else {"new": "1"})


def _choose_guided_assistant(about: str = "") -> str:
    """Choose the assistant that guides for a new chat; returns the first message about this, "" for none."""
    assistants = session.services().assistants.all()
    st.session_state[NEW_CHAT_ASSISTANT] = next((each.id for each in assistants if each.is_guided), DEFAULT_ASSISTANT)
    shown = one_line(about, LONGEST_SUBJECT)
    return gettext("Study “{about}” with me.", about=shown) if shown else ""


def take_guided_request() -> None:
    """Prepare what an address asks for (`guided_address`): not sent, as anybody may have made the link."""
    if "guide" in st.query_params:
        save_draft_text(_choose_guided_assistant(st.query_params["guide"]))
        st.query_params.clear()


def draw_guided_actions(student: Student, conversation: str, send: Send) -> None:
    """Draw what a student may say at any time in a chat that guides: a hint, the explanation, the end."""
    with st.container(key="guided", horizontal=True, gap="small"):
        for key, (label, icon) in _GUIDED.items():
            text = gettext(label)
            args = (student, conversation, text)
            st.button(text, key=f"guided-{key}", icon=icon, type="tertiary", on_click=send, args=args)
        st.button(
            gettext("End guided study"),
            key="guided-end",
            icon=":material/close:",
            type="tertiary",
            on_click=pick_assistant,
            args=(student, conversation, session.services().assistants.get(DEFAULT_ASSISTANT)),
        )
