"""State of the chat page: the conversation of the address or a new one, and how much of it is shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from services.conversations.conversation import Conversation
from services.conversations.items import Items, TurnView
from services.conversations.versions import QuestionVersions
from services.errors import ItemNotFound
from services.i18n import gettext
from services.identity.students import Student
from ui import session
from ui.chat.chat_change_watch import stop_watching, watch_for_changes
from ui.flash_message import flash

INITIAL_MESSAGES = 30
"""Number of messages drawn when a conversation is opened."""
CONTEXT_MESSAGES = 10
"""Number of messages drawn before a search hit, and before those that "Show earlier" adds."""
FOUND_MESSAGE = "found-message"
OPENED_CHAT = "opened-chat"


@dataclass(frozen=True, kw_only=True)
class ChatState:
    """id: None for a new chat. items: stored ones, without the running turn.

    first_seq: of the first message that is shown; 1 when it is the first of all. found_seq: of the message that a
    search opened, 0 for none. versions: of the questions that were edited or asked again, by their number.
    """

    id: str | None = None
    conversation: Conversation | None = None
    running: TurnView | None = None
    items: Items
    first_seq: int = 1
    found_seq: int = 0
    versions: Mapping[int, QuestionVersions] = field(default_factory=dict)


def load_chat(student: Student) -> ChatState:
    """Load the conversation of `?c=…`; `?new=1` begins one. An unknown id is flashed and replaced by a new chat."""
    id = requested_chat_id()
    if id is None:
        st.session_state.pop(FOUND_MESSAGE, None)
        stop_watching()
        return ChatState(items=[])
    services = session.services()
    try:
        conversation = services.conversations.get(student.id, id)
    except ItemNotFound:
        return _replace_missing_chat()
    watch_for_changes(student, conversation)
    running = services.turns.current(student.id, id)
    followed = running.turn_id if running else None
    since = st.session_state.get(_shown_from_key(id), 0)
    found = services.conversations.latest(student.id, id, limit=INITIAL_MESSAGES, since=since, followed=followed)
    if not found.items and running is None:
        return _replace_missing_chat()
    _list_opened(student, conversation)
    return ChatState(
        id=id,
        conversation=conversation,
        running=running,
        items=found.items,
        first_seq=found.first_seq,
        found_seq=_marked_seq(id, is_running=running is not None),
        versions=services.chats.branches.versions(student.id, conversation),
    )


def show_from(id: str, seq: int) -> None:
    """Show the conversation from some messages before this one on, for the rest of the session."""
    if seq:
        st.session_state[_shown_from_key(id)] = max(1, seq - CONTEXT_MESSAGES)


def show_found(id: str, seq: int) -> None:
    """Show the conversation from this search hit on, and mark it until the student goes on."""
    show_from(id, seq)
    st.session_state[FOUND_MESSAGE] = (id, seq)


def _list_opened(student: Student, conversation: Conversation) -> None:
    """Let the list of chats lead to this version, when it has just been opened: two tabs with two versions of a chat
    would otherwise take turns at every click.
    """
    if st.session_state.get(OPENED_CHAT) != conversation.id:
        st.session_state[OPENED_CHAT] = conversation.id
        if conversation.replaced_by:
            session.services().chats.branches.show(student.id, conversation.id)


def _marked_seq(id: str, *, is_running: bool) -> int:
    """Marked message, until another chat is opened or the next question is asked in this one."""
    marked, seq = st.session_state.get(FOUND_MESSAGE, ("", 0))
    if marked == id and not is_running:
        return int(seq)
    st.session_state.pop(FOUND_MESSAGE, None)
    return 0


def requested_chat_id() -> str | None:
    """Id of the conversation that the address names, if any."""
    if "new" in st.query_params:
        st.query_params.clear()
    return st.query_params.get("c")


def _replace_missing_chat() -> ChatState:
    sentence, next_step = gettext("This chat is not here any more."), gettext("You can start a new one.")
    flash(ItemNotFound("Homeroom", sentence, next_step=next_step))
    st.query_params.clear()
    stop_watching()
    return ChatState(items=[])


def _shown_from_key(id: str) -> str:
    return f"shown-from-{id}"
