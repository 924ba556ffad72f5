"""Header of an open chat: its menu (rename, pin, export, delete) and dialogs, and the restoring of deleted chats."""

from collections.abc import Callable

import streamlit as st

from services.conversations.chat_export import conversation_json, conversation_to_markdown, markdown_file_name
from services.conversations.conversation import ConversationSummary
from services.conversations.deletion_queue import RESTORABLE_FOR
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.chat.chat_search import forget_hits
from ui.chat.chat_state import CONTEXT_MESSAGES, ChatState, show_from
from ui.classroom.assistants.chat_policy import draw_policy_line
from ui.flash_message import flash_errors
from ui.session_guard import guarded_callback, guarded_dialog

RENAME, PIN, UNPIN = gettext_noop("Rename"), gettext_noop("Pin"), gettext_noop("Unpin")
EXPORT, DELETE = gettext_noop("Export"), gettext_noop("Delete")
ICONS = {
    RENAME: ":material/edit:",
    PIN: ":material/keep:",
    UNPIN: ":material/keep_off:",
    EXPORT: ":material/download:",
    DELETE: ":material/delete:",
}
LONGEST_NAME = 60
DELETED_CHAT = "deleted_chat"
EARLIER_MESSAGES = 60
"""Number of messages that "Show earlier" adds."""


def draw_chat_menu(student: Student, chat: ConversationSummary, label: str, *, is_open: bool = False) -> None:
    """Draw the menu as one element. label: also for screen readers. is_open: the chat is the one on the page."""
    key = f"chat-menu-{chat.id}"
    chosen = st.menu_button(
        label,
        [RENAME, UNPIN if chat.is_pinned else PIN, EXPORT, DELETE],
        key=key,
        icon=":material/more_horiz:",
        type="tertiary",
        format_func=lambda choice: f"{ICONS[choice]} {gettext(choice)}",
        on_click=_run_choice,
        args=(student, chat, key, is_open),
    )
    if chosen in DIALOGS:
        heading, draw_inside = DIALOGS[chosen]
        guarded_dialog(gettext(heading), draw_inside, icon=ICONS[chosen])(student, chat)


@guarded_callback
def _run_choice(student: Student, chat: ConversationSummary, key: str, is_open: bool) -> None:
    """Callback of the menu: what needs no dialog is done before the page is drawn again."""
    services, chosen = session.services(), st.session_state[key]
    if chosen in (PIN, UNPIN):
        services.conversations.pin(student.id, chat.id, chosen == PIN)
    elif chosen == DELETE:
        forget_hits()
        remember_deleted(services.chats.deletion_queue.delete(student, chat.id), was_open=is_open)
        if is_open:
            st.query_params.clear()


def _draw_rename_form(student: Student, chat: ConversationSummary) -> None:
    with st.form(f"rename-{chat.id}", border=False):
        name = st.text_input(
            gettext("Name"), chat.title, max_chars=LONGEST_NAME, key=f"name-{chat.id}", autocomplete="off"
        )
        if not st.form_submit_button(gettext("Save the name"), type="primary", width="stretch"):
            return
    with flash_errors():
        session.services().conversations.rename(student.id, chat.id, name)
        forget_hits()
    st.rerun()


def _draw_export(student: Student, chat: ConversationSummary) -> None:
    st.caption(
        gettext("All of it, with what was looked up and what you decided. Markdown is for reading, JSON for programs.")
    )
    name = markdown_file_name(chat, student.timezone).removesuffix(".md")
    with st.container(horizontal=True):
        # Built only on a click.
        _draw_download(
            "Markdown",
            session.while_signed_in(student, lambda: _markdown(student, chat)),
            f"{name}.md",
            "text/markdown",
        )
        _draw_download(
            "JSON", session.while_signed_in(student, lambda: _json(student, chat)), f"{name}.json", "application/json"
        )


def _draw_download(label: str, data: Callable[[], str], name: str, mime: str) -> None:
    icon = ":material/download:"
    st.download_button(label, data, name, mime, icon=icon, on_click="ignore", key=f"export-{label}")


def _markdown(student: Student, chat: ConversationSummary) -> str:
    services = session.services()
    items = services.conversations.view(student.id, chat.id)
    approvals = services.approvals.for_conversation(student.id, chat.id)
    return conversation_to_markdown(chat, items, approvals, student.timezone, own_origin=services.settings.public_url)


def _json(student: Student, chat: ConversationSummary) -> str:
    services = session.services()
    messages = services.conversations.messages(student.id, chat.id)
    return conversation_json(chat, messages, services.approvals.for_conversation(student.id, chat.id))


DIALOGS = {
    RENAME: (gettext_noop("Rename this chat"), _draw_rename_form),
    EXPORT: (gettext_noop("Export this chat"), _draw_export),
}


def chat_title(chat: ConversationSummary) -> str:
    """Title as Markdown, with a pin in front of a pinned chat."""
    return f"{':material/keep: ' if chat.is_pinned else ''}{literal(chat.title)}"


def remember_deleted(chat: ConversationSummary, *, was_open: bool) -> None:
    """Offer to undo this deletion."""
    st.session_state[DELETED_CHAT] = (chat, was_open, session.services().clock() + RESTORABLE_FOR)


def forget_deleted(id: str | None = None) -> None:
    """Offer no more to undo the deletion: of any chat, or only of this one."""
    if id is None or (DELETED_CHAT in st.session_state and st.session_state[DELETED_CHAT][0].id == id):
        st.session_state.pop(DELETED_CHAT, None)


def draw_undo_delete(student: Student) -> None:
    """Draw the offer to undo, until the student goes on or the chat is gone for good."""
    if DELETED_CHAT not in st.session_state:
        return
    chat, _, until = st.session_state[DELETED_CHAT]
    if session.services().clock() >= until:
        forget_deleted()
        return
    with st.container(key="undo-delete", horizontal=True, vertical_alignment="center"):
        st.caption(gettext("“{title}” is deleted.", title=literal(chat.title)))
        st.button(gettext("Undo"), key="undo-delete-button", icon=":material/undo:", on_click=_undo, args=(student,))


@guarded_callback
def _undo(student: Student) -> None:
    chat, was_open, _ = st.session_state.pop(DELETED_CHAT)
    session.services().chats.deletion_queue.restore(student.id, chat.id)
    forget_hits()
    if was_open:
        st.query_params["c"] = chat.id


def draw_deleted_chats(student: Student) -> None:
    """Draw the list of deleted chats that can still be restored."""
    deleted = session.services().chats.deletion_queue.deleted(student.id)
    if not deleted:
        return
    with st.expander(gettext("Deleted a moment ago · {n}", n=len(deleted)), icon=":material/delete:"):
        st.caption(gettext("Kept for ten minutes after you deleted it, then gone for good."))
        for chat in deleted:
            with st.container(horizontal=True, vertical_alignment="center", key=f"gone-{chat.id}"):
                st.markdown(literal(chat.title), width="stretch")
                st.button(gettext("Put back"), key=f"put-back-{chat.id}", on_click=_put_back, args=(student, chat.id))


@guarded_callback
def _put_back(student: Student, id: str) -> None:
    session.services().chats.deletion_queue.restore(student.id, id)
    forget_deleted(id)
    forget_hits()


def draw_chat_header(student: Student, chat: ChatState) -> None:
    """Draw the menu; nothing while the chat's first question is being stored."""
    if chat.conversation is not None:
        with st.container(key="chat-head", horizontal=True, horizontal_alignment="right"):
            draw_policy_line(student, chat.conversation.assistant)
            draw_chat_menu(student, chat.conversation.summary, gettext("Chat options"), is_open=True)
    _draw_earlier_button(chat)


def _draw_earlier_button(chat: ChatState) -> None:
    """Button that loads earlier messages, when there are any."""
    if chat.first_seq > 1:
        args = (chat.id, max(1, chat.first_seq - EARLIER_MESSAGES + CONTEXT_MESSAGES))
        with st.container(horizontal_alignment="center", key="earlier"):
            st.button(
                gettext("Show earlier"), key="show-earlier", icon=":material/history:", on_click=show_from, args=args
            )
