"""Empty state of a page: what will stand here, and a link to begin."""

import streamlit as st

from services.i18n import gettext
from services.navigation import CHAT_PAGE


def draw_empty_state(words: str, *, key: str) -> None:
    """words: one sentence on what fills the page."""
    with st.container(border=True, key=key, gap="small"):
        st.markdown(gettext("**Nothing yet**"))
        st.write(words)
        st.page_link(CHAT_PAGE.script, label=gettext("Ask something"), icon=":material/forum:")
