"""Draft: a message that could not be sent, kept until its text is back in the field and its files are sent."""

from collections.abc import Sequence

import streamlit as st

from services.files.upload import Upload, clean_name
from services.i18n import gettext
from ui.chat.attachments import attachment_label

KEPT_TEXT = "kept_message"
KEPT_FILES = "kept_files"


def keep_text(text: str) -> None:
    """Keep the text for the field."""
    st.session_state[KEPT_TEXT] = text


def take_text() -> str | None:
    """Remove and return the kept text, for the field."""
    return st.session_state.pop(KEPT_TEXT, None)


def peek_text() -> str | None:
    """Kept text, which stays kept."""
    return st.session_state.get(KEPT_TEXT)


def keep_files(uploads: Sequence[Upload]) -> None:
    """Keep files for the next message."""
    st.session_state[KEPT_FILES] = list(uploads)


def take_files() -> list[Upload]:
    """Remove and return the kept files."""
    return st.session_state.pop(KEPT_FILES, [])


def draw_kept_files() -> None:
    """Draw the kept files above the field, each with a button to remove it."""
    if not (uploads := st.session_state.get(KEPT_FILES)):
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
                on_click=_drop_kept_file,
                args=(at,),
            )


def _drop_kept_file(at: int) -> None:
    st.session_state[KEPT_FILES].pop(at)
