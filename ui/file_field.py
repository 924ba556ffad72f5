"""Field for one file, in the student's language: Streamlit's own words on it are English."""

import json
from collections.abc import Sequence
from html import escape

import streamlit as st

from services.files.upload import Upload
from services.i18n import gettext


def draw_upload_words(scope: str, button: str) -> None:
    """Write the words of a field for files in the student's language. scope: CSS class around the field."""
    st.html(f"<style>.{scope} button p::after {{ content: {json.dumps(button)} }}</style>")


def draw_refusal(largest_mb: int) -> None:
    """Draw, below a field, why a file was refused; it is out of sight until one is (style.css)."""
    told = gettext(
        "A file was not taken: it is larger than {n} MB, or of a kind that Homeroom does not read.", n=largest_mb
    )
    st.html(f'<p class="file-refused" role="alert">{escape(told)}</p>')


def draw_file_field(label: str, *, types: Sequence[str], largest_mb: int, key: str) -> tuple[str, Upload] | None:
    """Draw the field; the chosen file with an id of its own, None before. Kinds and sizes are for words beside it."""
    with st.container(key=f"file-field-{key}"):
        draw_upload_words(f"st-key-file-field-{key}", gettext("Choose a file"))
        file = st.file_uploader(label, type=list(types), max_upload_size=largest_mb, key=key)
        draw_refusal(largest_mb)
    return None if file is None else (str(file.file_id), Upload(name=file.name, content=file.getvalue()))
