"""The frame around every page: sign-in, navigation, and the sidebar."""

from pathlib import Path

import streamlit as st

from services.errors import HomeroomError
from ui import places, problems, session, sidebar, welcome

HERE = Path(__file__).parent

st.set_page_config(page_title="Homeroom", page_icon=str(HERE / "icon.svg"), layout="centered")
st.html(HERE / "style.css")
st.logo(HERE / "logo.svg", size="large")
pages = [
    st.Page(places.CHAT, title="Chat", icon=":material/forum:", default=True),
    st.Page(places.WEEK, title="This week", icon=":material/calendar_view_week:", url_path="week"),
    st.Page(places.CONNECTIONS, title="Connections", icon=":material/cable:", url_path="connections"),
    st.Page(places.TOOLBOX, title="Tools", icon=":material/construction:", url_path="toolbox"),
    st.Page(places.ACTIVITY, title="Activity", icon=":material/history:", url_path="activity"),
    st.Page(places.INSIGHTS, title="Insights", icon=":material/insights:", url_path="insights"),
    # Reached from the list of recent chats.
    st.Page(places.CHATS, title="All chats", url_path="chats", visibility="hidden"),
    st.Page(places.SETTINGS, title="Settings", icon=":material/tune:", url_path="settings"),
]

with problems.calmly():
    try:
        student = session.student()
    except HomeroomError:
        # Named in every run: else the next one would not know which page it is on.
        st.navigation(pages, position="hidden")
        raise
    page = st.navigation(pages, position="hidden" if student is None else "sidebar")
    if student is None:
        welcome.draw()
    else:
        sidebar.draw(student, is_chat=page is pages[0])
        page.run()
