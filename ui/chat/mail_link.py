"""The button that opens a drafted message in the student's own mail program."""

from collections.abc import Container

import streamlit as st

from services.agent.view import ToolLine
from services.i18n import gettext
from services.safety.addresses import link_target

SCHEME = "mailto:"
TEXT_HEIGHT = 240


def draw(item: ToolLine, *, known: Container[str]) -> None:
    """Nothing for a step that drafted no message. A text that does not fit the link is shown to be copied."""
    for source in item.sources:
        target = link_target(source.url, known) if source.url.startswith(SCHEME) else None
        if target is None:
            continue
        st.link_button(gettext(source.title), target, icon=":material/mail:")
        text = item.arguments.get("body")
        if "body=" not in target and isinstance(text, str):
            st.caption(gettext("The text is too long for the button. Copy it into the message:"))
            st.code(text, language=None, wrap_lines=True, height=TEXT_HEIGHT)
