"""The list of all chats, a page at a time."""

import math

import streamlit as st

from services.i18n import gettext, ngettext
from services.identity.page_registry import CHAT_PAGE
from services.identity.students import Student
from services.runtime.clock import moment
from services.safety.text import literal
from ui import session
from ui.chat.chat_menu import chat_title, draw_chat_menu, forget_deleted
from ui.chat.chat_search import forget_hits
from ui.empty_state import draw_empty_state
from ui.local_time import local_day
from ui.session_guard import guarded_callback

ON_A_PAGE = 20


def heading() -> None:
    st.title(gettext("All chats"))


def draw(student: Student) -> None:
    chats = session.services().conversations.list(student.id, None)
    if not chats:
        draw_empty_state(gettext("What you talk about with Homeroom is kept here."), key="chats-empty")
        return
    pages = math.ceil(len(chats) / ON_A_PAGE)
    place = st.container(key="all-chats", gap="xsmall")
    at = st.pagination(pages, key="all-chats-page") if pages > 1 else 1
    with place:
        for chat in chats[(at - 1) * ON_A_PAGE : at * ON_A_PAGE]:
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"chat-row-{chat.id}"):
                day = local_day(moment(chat.updated_at), student)
                label = f"{chat_title(chat)} :small[:gray[{day}]]"
                if st.button(label, key=f"open-{chat.id}", type="tertiary", width="stretch", wrap=True):
                    st.switch_page(CHAT_PAGE.script, query_params={"c": chat.id})
                draw_chat_menu(student, chat, gettext("Options"))
    st.caption(ngettext("{n} chat", "{n} chats", len(chats)))


def draw_deleted_chats(student: Student) -> None:
    """What can still be had back."""
    gone = session.services().chats.deletion_queue.deleted(student.id)
    if not gone:
        return
    with st.expander(gettext("Deleted a moment ago · {n}", n=len(gone)), icon=":material/delete:"):
        st.caption(gettext("Kept for ten minutes after you deleted it, then gone for good."))
        for chat in gone:
            with st.container(horizontal=True, vertical_alignment="center", key=f"gone-{chat.id}"):
                st.markdown(literal(chat.title), width="stretch")
                st.button(gettext("Put back"), key=f"put-back-{chat.id}", on_click=_put_back, args=(student, chat.id))


@guarded_callback
def _put_back(student: Student, id: str) -> None:
    session.services().chats.deletion_queue.restore(student.id, id)
    forget_deleted(id)
    forget_hits()
