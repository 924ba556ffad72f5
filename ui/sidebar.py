"""Sidebar: new chat, recent chats with search, and sign-out."""

from collections import Counter
from collections.abc import Iterable

import streamlit as st

from services.conversations.conversation import Conversation, ConversationSummary
from services.errors import StorageError
from services.i18n import gettext
from services.identity.students import Student
from services.navigation import CHAT_PAGE, CHATS_PAGE
from services.safety.text import literal
from ui import session
from ui.approvals.pending_approvals import draw_waiting_badge
from ui.chat.chat_search import draw_hits, draw_search_field
from ui.chat.chat_state import requested_chat_id

MOST_RECENT = 20
MOST_HITS = 8
TITLE_LENGTH = 60
PIN = ":material/keep: "
_INVISIBLE = str.maketrans("0123456789abcdef", "".join(map(chr, range(0xFE00, 0xFE10))))
"""Unicode's variation selectors: sixteen invisible characters."""


def draw_sidebar(student: Student, *, is_chat: bool) -> None:
    """Draw the sidebar. is_chat: the page is the chat, so that one of the conversations may be open."""
    with st.sidebar:
        if st.button(gettext("New chat"), icon=":material/edit_square:", width="stretch", key="new-chat"):
            st.switch_page(CHAT_PAGE.script, query_params={"new": "1"})
        draw_waiting_badge(student)
        _draw_recent_chats(student, requested_chat_id() if is_chat else None)
        with st.container(key="sidebar-foot", gap="xsmall"):
            st.caption(
                gettext("Signed in as {name}", name=literal(student.name)) if student.name else gettext("Signed in")
            )
            st.button(
                gettext("Sign out"),
                icon=":material/logout:",
                type="tertiary",
                on_click=session.sign_out,
                args=(student,),
                key="sign-out",
            )


def _draw_recent_chats(student: Student, open_id: str | None) -> None:
    try:
        conversations = session.services().conversations.list(student.id, MOST_RECENT)
    except StorageError:
        st.caption(gettext("Your recent chats cannot be reached right now."))
        return
    if not conversations:
        return
    if query := draw_search_field("chat-search"):
        draw_hits(student, query, limit=MOST_HITS, key="found", among=conversations)
        return
    titles = chat_labels(conversations)
    with st.container(key="recent-chats", gap=None):
        st.caption(gettext("Recent chats"))
        # One element for all of them: a button for each was half the cost of drawing a page.
        chosen = st.pills(
            gettext("Recent chats"),
            list(titles),
            format_func=titles.__getitem__,
            default=open_id if open_id in titles else None,
            required=True,
            key=f"recent-{open_id}",
            label_visibility="collapsed",
            width="stretch",
        )
    st.page_link(CHATS_PAGE.script, label=gettext("All chats"), icon=":material/list:")
    if chosen is not None and chosen != open_id:
        st.switch_page(CHAT_PAGE.script, query_params={"c": chosen})


def chat_labels(conversations: Iterable[Conversation | ConversationSummary]) -> dict[str, str]:
    """Label of each chat, by id; no two alike, since `st.pills` tells its options apart by labels alone.

    A duplicate gets its id appended in invisible characters.
    """
    titles = {chat.id: f"{PIN if chat.is_pinned else ''}{literal(chat.title[:TITLE_LENGTH])}" for chat in conversations}
    times = Counter(titles.values())
    return {
        id: title if times[title] == 1 else f"{title}\u2060{id.translate(_INVISIBLE)}" for id, title in titles.items()
    }
