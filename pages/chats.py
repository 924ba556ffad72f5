"""All chats: list of every conversation, to open, rename, pin, export, delete or restore."""

import math

import streamlit as st

from services.i18n import gettext, ngettext
from services.navigation import CHAT_PAGE
from services.runtime.clock import moment
from ui import session
from ui.chat.chat_menu import chat_title, draw_chat_menu, draw_deleted_chats, draw_undo_delete
from ui.chat.chat_search import draw_hits, draw_search_field
from ui.empty_state import draw_empty_state
from ui.flash_message import show_flash
from ui.local_time import local_day

ON_A_PAGE = 20

student = session.current_student()

st.title(gettext("All chats"))
show_flash()
draw_undo_delete(student)
if query := draw_search_field("all-chats-search"):
    draw_hits(student, query, limit=20, key="all-found")
elif total := session.services().conversations.count(student.id):
    pages = math.ceil(total / ON_A_PAGE)
    rows = st.container(key="all-chats", gap="xsmall")
    number = st.pagination(pages, key="all-chats-page") if pages > 1 else 1
    for chat in session.services().conversations.list(student.id, ON_A_PAGE, skip=(number - 1) * ON_A_PAGE):
        with rows.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"chat-row-{chat.id}"):
            day = local_day(moment(chat.updated_at), student)
            label = f"{chat_title(chat)} :small[:gray[{day}]]"
            if st.button(label, key=f"open-{chat.id}", type="tertiary", width="stretch", wrap=True):
                st.switch_page(CHAT_PAGE.script, query_params={"c": chat.id})
            draw_chat_menu(student, chat, gettext("Options"))
    st.caption(ngettext("{n} chat", "{n} chats", total))
else:
    draw_empty_state(gettext("What you talk about with Homeroom is kept here."), key="chats-empty")
draw_deleted_chats(student)
