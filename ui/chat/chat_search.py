"""Full-text search of chats: the field and the hits."""

from collections.abc import Sequence

import streamlit as st

from services.conversations.conversation import ConversationSummary
from services.conversations.search import ChatHit, ChatSearchResult
from services.errors import StorageError
from services.i18n import gettext
from services.identity.students import Student
from services.navigation import CHAT_PAGE
from services.safety.text import literal
from ui import session
from ui.chat.chat_state import show_found

LONGEST_TITLE = 60
CACHED_HITS = "found-chats"


def draw_search_field(key: str) -> str:
    """Draw the field; returns its text, "" when there is none."""
    return str(
        st.text_input(
            gettext("Search chats"),
            type="search",
            key=key,
            placeholder=gettext("Search chats"),
            label_visibility="collapsed",
        )
        or ""
    ).strip()


def forget_hits() -> None:
    """Drop the cached hits: a chat was renamed, deleted or restored."""
    st.session_state.pop(CACHED_HITS, None)


def draw_hits(student: Student, query: str, *, limit: int, key: str, among: Sequence[ConversationSummary] = ()) -> None:
    """Draw each hit as a button that opens the chat at that message.

    among: the latest chats; while these stay the same, the hits are cached.
    """
    try:
        found = _find_cached(student, query, limit, among) if among else _find(student, query, limit)
    except StorageError:
        st.caption(gettext("Your chats cannot be searched right now."))
        return
    with st.container(key=f"{key}-hits", gap="xsmall"):
        if not found.hits:
            st.caption(gettext("Nothing was found. Try another word, or only its beginning."))
        for hit in found.hits:
            if st.button(_label(hit), key=f"{key}-{hit.chat.id}", type="tertiary", width="stretch", wrap=True):
                show_found(hit.chat.id, hit.seq)
                st.switch_page(CHAT_PAGE.script, query_params={"c": hit.chat.id})
        if found.has_more:
            st.caption(gettext("There is more. Add a word to narrow it down."))
        if not found.is_whole:
            st.caption(gettext("Older chats are still being read. Search again in a moment."))


def _find(student: Student, query: str, limit: int) -> ChatSearchResult:
    return session.services().chats.search.find(student.id, query, limit=limit)


def _find_cached(student: Student, query: str, limit: int, among: Sequence[ConversationSummary]) -> ChatSearchResult:
    state = (student.id, query, limit, [(chat.id, chat.title, chat.updated_at) for chat in among])
    cached = st.session_state.get(CACHED_HITS)
    if cached is None or cached[0] != state or not cached[1].is_whole:
        cached = st.session_state[CACHED_HITS] = (state, _find(student, query, limit))
    return cached[1]


def _label(hit: ChatHit) -> str:
    title = literal(hit.chat.title[:LONGEST_TITLE])
    if not hit.match:
        return f"**{title}**"
    return f"**{title}** {_grey(hit.before)}**{literal(hit.match)}**{_grey(hit.after)}"


def _grey(words: str) -> str:
    """Small grey text; blanks at its ends stay outside, where Markdown keeps them."""
    bare = words.strip()
    if not bare:
        return words[:1]
    lead, trail = words[:1] if words[0].isspace() else "", words[-1:] if words[-1].isspace() else ""
    return f"{lead}:small[:gray[{literal(bare)}]]{trail}"
