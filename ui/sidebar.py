"""The sidebar: recent conversations, and who is signed in."""

import streamlit as st
from services.safety.text import literal

from services.students import Student
from ui import session

RECENT = 20
TITLE_LENGTH = 34


def draw(student: Student) -> None:
    with st.sidebar:
        st.page_link("pages/chat.py", label="New chat", icon=":material/edit_square:", query_params={"new": "1"})
        conversations = session.services().conversations.list(student.id, RECENT)
        if conversations:
            st.caption("Recent chats")
        for one in conversations:
            title = one.title if len(one.title) <= TITLE_LENGTH else one.title[: TITLE_LENGTH - 1].rstrip() + "…"
            st.page_link("pages/chat.py", label=literal(title), query_params={"c": one.id})
        st.divider()
        st.markdown(f":material/account_circle: {literal(student.name)}")
        st.button("Sign out", icon=":material/logout:", type="tertiary", on_click=st.logout)
