"""The frame around every page: sign-in, navigation, and the sidebar."""

from copy import copy
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from services.errors import HomeroomError
from services.i18n import get_language, gettext
from ui import session
from ui.error_boundary import error_boundary
from ui.page_locale import mark_page_language, set_page_locale
from ui.places import ACTIVITY, CHAT, CHATS, CONNECTIONS, INSIGHTS, SETTINGS, TOOLBOX, WEEK
from ui.sidebar import draw_sidebar
from ui.welcome import draw_welcome

HERE = Path(__file__).parent
NAME = "Homeroom"

st.set_page_config(page_icon=str(HERE / "icon.svg"), layout="centered")
st.html(HERE / "style.css")
st.logo(HERE / "logo.svg", size="large")


def _pages() -> list[StreamlitPage]:
    """Copies, because a run marks the page that it may draw; each made anew would look for its file again."""
    return [copy(page) for page in _made(get_language())]


@cache
def _made(_language: str) -> list[StreamlitPage]:
    return [
        st.Page(CHAT, title=gettext("Chat"), icon=":material/forum:", default=True),
        st.Page(WEEK, title=gettext("This week"), icon=":material/calendar_view_week:", url_path="week"),
        st.Page(CONNECTIONS, title=gettext("Connections"), icon=":material/cable:", url_path="connections"),
        st.Page(TOOLBOX, title=gettext("Tools"), icon=":material/construction:", url_path="toolbox"),
        st.Page(ACTIVITY, title=gettext("Activity"), icon=":material/history:", url_path="activity"),
        st.Page(INSIGHTS, title=gettext("Insights"), icon=":material/insights:", url_path="insights"),
        # Reached from the list of recent chats.
        st.Page(CHATS, title=gettext("All chats"), url_path="chats", visibility="hidden"),
        st.Page(SETTINGS, title=gettext("Settings"), icon=":material/tune:", url_path="settings"),
    ]


with error_boundary():
    try:
        student = session.look_up_student()
    except HomeroomError:
        # Named in every run: else the next one would not know which page it is on.
        st.navigation(_pages(), position="hidden")
        raise
    set_page_locale(student)
    mark_page_language(student)
    pages = _pages()
    page = st.navigation(pages, position="hidden" if student is None else "sidebar")
    # What a browser's tab and history, and whoever has it read to them, tell pages apart by.
    st.set_page_config(page_title=NAME if student is None else f"{page.title} · {NAME}")
    if student is None:
        draw_welcome()
    else:
        draw_sidebar(student, is_chat=page is pages[0])
        page.run()
