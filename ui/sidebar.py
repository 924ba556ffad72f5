"""The sidebar: recent conversations, the open one marked, and who is signed in."""

from collections import Counter
from collections.abc import Iterable

import streamlit as st

from services.agent.conversations import Conversation, ConversationSummary
from services.errors import StorageError
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from ui import places, session
from ui.chat import opened, search

RECENT = 20
HITS = 8
TITLE_LENGTH = 60
PIN = ":material/keep: "
_UNSEEN = str.maketrans("0123456789abcdef", "".join(map(chr, range(0xFE00, 0xFE10))))
"""Sixteen characters without a shape of their own: Unicode's variation selectors."""


def draw(student: Student, *, is_chat: bool) -> None:
    """is_chat: the page is the chat, so that one of the conversations may be the open one."""
    with st.sidebar:
        if st.button(gettext("New chat"), icon=":material/edit_square:", width="stretch", key="new-chat"):
            st.switch_page(places.CHAT, query_params={"new": "1"})
        _recent(student, opened.named() if is_chat else None)
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


def _recent(student: Student, open_id: str | None) -> None:
    try:
        conversations = session.services().conversations.list(student.id, RECENT)
    except StorageError:
        st.caption(gettext("Your recent chats cannot be reached right now."))
        return
    if not conversations:
        return
    if wanted := search.field("chat-search"):
        search.draw(student, wanted, limit=HITS, key="found", among=conversations)
        return
    titles = labels(conversations)
    with st.container(key="recent-chats", gap=None):
        st.caption(gettext("Recent chats"))
        # One element for all of them: a button for each made up half the cost of drawing a page.
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
    st.page_link(places.CHATS, label=gettext("All chats"), icon=":material/list:")
    if chosen is not None and chosen != open_id:
        st.switch_page(places.CHAT, query_params={"c": chosen})


def labels(conversations: Iterable[Conversation | ConversationSummary]) -> dict[str, str]:
    """What each is called, by id; no two alike, since `st.pills` knows its options by their labels alone.

    Of those with one title, the id follows in characters that nobody sees.
    """
    titles = {chat.id: f"{PIN if chat.is_pinned else ''}{literal(chat.title[:TITLE_LENGTH])}" for chat in conversations}
    times = Counter(titles.values())
    return {id: title if times[title] == 1 else f"{title}\u2060{id.translate(_UNSEEN)}" for id, title in titles.items()}
