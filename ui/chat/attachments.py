"""Attachments: files of sent messages to download, and the errors of refused uploads."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from services.conversations.items import UserMessage
from services.errors import HomeroomError
from services.files.attachments import Attachment
from services.files.limits import LARGEST_MB
from services.files.upload import FilesRefused, Upload, format_size
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from ui import session

LONGEST_LABEL = 36
ICONS = {
    "pdf": ":material/picture_as_pdf:",
    "image": ":material/image:",
    "word": ":material/article:",
    "slides": ":material/slideshow:",
}
TEXT_ICON = ":material/description:"


def draw_upload_messages() -> None:
    """Messages about uploads, which happen in the browser: `ui/style.css` shows which applies (`api/drafts.js`)."""
    refused = gettext(
        "The file marked in red is not attached: a file may have {megabytes} MB. Take it out to send your message. "
        "If it is smaller than that, press it to try once more.",
        megabytes=LARGEST_MB,
    )
    gone = gettext("The files that you had chosen here are gone, as you left before sending them. Choose them again.")
    st.bottom.html(
        f'<div class="file-words" role="status"><p class="refused">{refused}</p><p class="gone">{gone}</p></div>'
    )


def draw_attachments(student: Student, conversation_id: str, message: UserMessage) -> None:
    """Draw the files of a message as download buttons."""
    if not message.files:
        return
    with st.container(horizontal=True, gap="small", key=f"files-{conversation_id}-{message.seq}"):
        for at, file in enumerate(message.files):
            st.download_button(
                attachment_label(file.name, file.size),
                # Read only on a click.
                data=session.while_signed_in(student, partial(_content, student.id, conversation_id, file)),
                file_name=file.name,
                # Never a type that a browser would open as a page of our origin.
                mime="application/octet-stream",
                key=f"file-{conversation_id}-{message.seq}-{at}",
                icon=ICONS.get(file.kind, TEXT_ICON),
                help=gettext("{file}. Press to download.", file=file.description),
                on_click="ignore",
            )


def accepted_uploads(error: HomeroomError, uploads: Sequence[Upload]) -> list[Upload]:
    """Uploads that the error does not refuse."""
    refused = error.refused if isinstance(error, FilesRefused) else {}
    return [upload for at, upload in enumerate(uploads) if at not in refused]


def _content(student_id: str, conversation_id: str, file: Attachment) -> bytes:
    return session.services().conversations.files.read_original(student_id, conversation_id, file.id)


def attachment_label(name: str, size: int) -> str:
    if len(name) > LONGEST_LABEL:
        name = f"{name[: LONGEST_LABEL - 10]}…{name[-9:]}"
    return f"{literal(name)} · {format_size(size)}"
