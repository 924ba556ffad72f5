"""A message that could not be sent: kept until it is back in the field where the student wrote it."""

from collections.abc import Sequence

import streamlit as st

from services.files.upload import Upload, clean_name
from services.i18n import gettext
from ui.chat.attachments import attachment_label

KEPT_TEXT = "kept_message"


def keep_text(text: str) -> None:
    st.session_state[KEPT_TEXT] = text


def take_text() -> str | None:
    """The kept message, handed over: whoever takes it shows it."""
    return st.session_state.pop(KEPT_TEXT, None)


def peek_text() -> str | None:
    return st.session_state.get(KEPT_TEXT)


KEPT_FILES = "kept_files"


def keep_files(uploads: Sequence[Upload]) -> None:
    """Keep files that could not be sent yet, until the next message takes them along."""
    st.session_state[KEPT_FILES] = list(uploads)


def take_files() -> list[Upload]:
    """The kept files, handed over."""
    return st.session_state.pop(KEPT_FILES, [])


def draw_kept_files() -> None:
    """Above the field: the kept files, each with a way to leave it out."""
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
