"""Sidebar: new chat, recent chats with search, the pages, and the menu of the student's account."""

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
from ui.page_links import draw_page_link, draw_page_links

MOST_RECENT = 20
MOST_HITS = 8
TITLE_LENGTH = 60
PIN = ":material/keep: "
_INVISIBLE = str.maketrans("0123456789abcdef", "".join(map(chr, range(0xFE00, 0xFE10))))
"""Unicode's variation selectors: sixteen invisible characters."""


def draw_sidebar(student: Student, path: str) -> None:
    """Draw chats, then pages, then what stands behind the student's name. path: of the page that is open."""
    open_id = requested_chat_id() if path == CHAT_PAGE.path else None
    with st.sidebar:
        if st.button(gettext("New chat"), icon=":material/edit_square:", width="stretch", key="new-chat"):
            st.switch_page(CHAT_PAGE.script, query_params={"new": "1"})
        draw_waiting_badge(student)
        with st.container(key="sidebar-chats", gap="xsmall"):
            _draw_recent_chats(student, open_id, is_list_open=path == CHATS_PAGE.path)
        draw_page_links(student, path, is_chat_open=open_id is not None)


def _draw_recent_chats(student: Student, open_id: str | None, *, is_list_open: bool) -> None:
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
    # An older chat is open among all of them.
    draw_page_link(CHATS_PAGE, is_open=is_list_open or (open_id is not None and open_id not in titles))
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
