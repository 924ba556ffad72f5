"""The sidebar: recent conversations, and who is signed in."""

import streamlit as st

from services.safety.text import literal
from services.students import Student
from ui import places, session

RECENT = 20
TITLE_LENGTH = 32


def draw(student: Student) -> None:
    with st.sidebar:
        if st.button("New chat", icon=":material/edit_square:", width="stretch"):
            st.switch_page(places.CHAT, query_params={"new": "1"})
        _recent(student)
        with st.container(key="sidebar-foot", gap="xsmall"):
            st.caption(f"Signed in as {literal(student.name)}")
            st.button("Sign out", icon=":material/logout:", type="tertiary", on_click=st.logout)


def _recent(student: Student) -> None:
    conversations = session.services().conversations.list(student.id, RECENT)
    if not conversations:
        return
    with st.container(key="recent-chats", gap=None):
        st.caption("Recent chats")
        for one in conversations:
            label = literal(
                one.title if len(one.title) <= TITLE_LENGTH else one.title[: TITLE_LENGTH - 1].rstrip() + "…"
            )
            if st.button(label, key=f"chat-{one.id}", type="tertiary", width="stretch"):
                st.switch_page(places.CHAT, query_params={"c": one.id})
