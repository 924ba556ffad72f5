"""Draft: a message that could not be sent, kept until its text is back in the field and its files are sent."""

from collections.abc import Sequence

import streamlit as st

from services.files.upload import Upload, clean_name
from services.i18n import gettext
from ui.chat.attachments import attachment_label

DRAFT_TEXT = "kept_message"
DRAFT_FILES = "kept_files"


def save_draft_text(text: str) -> None:
    """Save the text for the field."""
    st.session_state[DRAFT_TEXT] = text


def take_draft_text() -> str | None:
    """Remove and return the text, for the field."""
    return st.session_state.pop(DRAFT_TEXT, None)


def peek_draft_text() -> str | None:
    """Text of the draft, which stays."""
    return st.session_state.get(DRAFT_TEXT)


def save_draft_files(uploads: Sequence[Upload]) -> None:
    """Save files for the next message."""
    st.session_state[DRAFT_FILES] = list(uploads)


def take_draft_files() -> list[Upload]:
    """Remove and return the files."""
    return st.session_state.pop(DRAFT_FILES, [])


def draw_draft_files() -> None:
    """Draw the files above the field, each with a button to remove it."""
    if not (uploads := st.session_state.get(DRAFT_FILES)):
        return
    with st.bottom.container(horizontal=True, gap="small", key="kept-files", vertical_alignment="center"):
        st.caption(gettext("Goes with your next message:"), width="content")
        for at, upload in enumerate(uploads):
            label = attachment_label(clean_name(upload.name), len(upload.content))
            st.button(
                label,
                key=f"kept-file-{at}",
                icon=":material/close:",
                help=gettext("Leave it out"),
                on_click=_drop_file,
                args=(at,),
            )


def _drop_file(at: int) -> None:
    st.session_state[DRAFT_FILES].pop(at)
