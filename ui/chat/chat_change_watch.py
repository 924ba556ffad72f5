"""Live updates of a chat: a page that shows one is rerun when another tab, device or program adds to it."""

import streamlit as st

from services.conversations.conversation import Conversation
from services.identity.students import Student
from ui import session
from ui.flash_message import keep_flash
from ui.streamlit_compat import BROWSER_TAB, BrowserTab, script_session_id, tab_id


def watch_for_changes(student: Student, drawn: Conversation) -> None:
    """Let the page rerun when another tab, device or program adds to the chat that it shows."""
    if (session_id := script_session_id()) is None:
        return
    tab = BrowserTab(id=tab_id(), session_id=session_id)
    if session.services().conversations.changes.watch(tab, student.id, drawn.id, drawn=drawn.changed_at):
        keep_flash()


def stop_watching() -> None:
    """Let the page rerun for no chat any more, because it shows none."""
    if BROWSER_TAB in st.session_state:
        session.services().conversations.changes.unwatch(tab_id())
