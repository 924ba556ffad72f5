"""Field for one file, in the student's language: Streamlit's own words on it are English."""

import json
from collections.abc import Sequence

import streamlit as st

from services.files.upload import Upload
from services.i18n import gettext


def draw_file_field(label: str, *, types: Sequence[str], largest_mb: int, key: str) -> tuple[str, Upload] | None:
    """Draw the field; the chosen file with an id of its own, None before. Kinds and sizes are for words beside it."""
    with st.container(key=f"file-field-{key}"):
        words = json.dumps(gettext("Choose a file"))
        st.html(f"<style>.st-key-file-field-{key} button p::after {{ content: {words} }}</style>")
        file = st.file_uploader(label, type=list(types), max_upload_size=largest_mb, key=key)
    return None if file is None else (str(file.file_id), Upload(name=file.name, content=file.getvalue()))
