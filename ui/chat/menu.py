"""What can be done with one chat: a small menu that is one element, and the dialogs behind it."""

from collections.abc import Callable

import streamlit as st

from services.agent.conversation_export import as_json
from services.agent.conversations import ConversationSummary
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.privacy.written import as_markdown, file_name
from services.safety.text import literal
from ui import action, outcome, session
from ui.chat import search, undo_delete

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


def draw(student: Student, chat: ConversationSummary, label: str, *, is_open: bool = False) -> None:
    """label: what the menu is called, for screen readers above all. is_open: the chat is the one on the page."""
    key = f"chat-menu-{chat.id}"
    chosen = st.menu_button(
        label,
        [RENAME, UNPIN if chat.is_pinned else PIN, EXPORT, DELETE],
        key=key,
        icon=":material/more_horiz:",
        type="tertiary",
        format_func=lambda choice: f"{ICONS[choice]} {gettext(choice)}",
        on_click=_act,
        args=(student, chat, key, is_open),
    )
    if chosen in DIALOGS:
        heading, draw_inside = DIALOGS[chosen]
        action.dialog(gettext(heading), draw_inside, icon=ICONS[chosen])(student, chat)


@action.guarded
def _act(student: Student, chat: ConversationSummary, key: str, is_open: bool) -> None:
    """What needs no dialog is done before the page is drawn again."""
    services, chosen = session.services(), st.session_state[key]
    if chosen in (PIN, UNPIN):
        services.conversations.pin(student.id, chat.id, chosen == PIN)
    elif chosen == DELETE:
        search.forget()
        undo_delete.remember(services.chats.trash.delete(student, chat.id), was_open=is_open)
        if is_open:
            st.query_params.clear()


def _rename(student: Student, chat: ConversationSummary) -> None:
    with st.form(f"rename-{chat.id}", border=False):
        name = st.text_input(
            gettext("Name"), chat.title, max_chars=LONGEST_NAME, key=f"name-{chat.id}", autocomplete="off"
        )
        if not st.form_submit_button(gettext("Save the name"), type="primary", width="stretch"):
            return
    with outcome.flash_errors():
        session.services().conversations.rename(student.id, chat.id, name)
        search.forget()
    st.rerun()


def _export(student: Student, chat: ConversationSummary) -> None:
    st.caption(
        gettext("All of it, with what was looked up and what you decided. Markdown is for reading, JSON for programs.")
    )
    name = file_name(chat, student.timezone).removesuffix(".md")
    with st.container(horizontal=True):
        # Made when it is asked for.
        _download(
            "Markdown",
            session.while_signed_in(student, lambda: _markdown(student, chat)),
            f"{name}.md",
            "text/markdown",
        )
        _download(
            "JSON", session.while_signed_in(student, lambda: _json(student, chat)), f"{name}.json", "application/json"
        )


def _download(label: str, data: Callable[[], str], name: str, mime: str) -> None:
    icon = ":material/download:"
    st.download_button(label, data, name, mime, icon=icon, on_click="ignore", key=f"export-{label}")


def _markdown(student: Student, chat: ConversationSummary) -> str:
    services = session.services()
    items = services.conversations.view(student.id, chat.id)
    approvals = services.approvals.of_conversation(student.id, chat.id)
    return as_markdown(chat, items, approvals, student.timezone, own_origin=services.settings.public_url)


def _json(student: Student, chat: ConversationSummary) -> str:
    services = session.services()
    messages = services.conversations.messages(student.id, chat.id)
    return as_json(chat, messages, services.approvals.of_conversation(student.id, chat.id))


DIALOGS = {RENAME: (gettext_noop("Rename this chat"), _rename), EXPORT: (gettext_noop("Export this chat"), _export)}


def title(chat: ConversationSummary) -> str:
    """As Markdown, with a pin in front of a pinned one."""
    return f"{':material/keep: ' if chat.is_pinned else ''}{literal(chat.title)}"
