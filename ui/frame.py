"""The frame around every page: sign-in, navigation, and the sidebar."""

import streamlit as st

from ui import problems, session, sidebar, welcome

st.set_page_config(page_title="Homeroom", page_icon=":material/school:", layout="centered")
pages = [
    st.Page("pages/chat.py", title="Chat", icon=":material/forum:", default=True),
    st.Page("pages/connections.py", title="Connections", icon=":material/cable:", url_path="connections"),
    st.Page("pages/settings.py", title="Settings", icon=":material/tune:", url_path="settings"),
]

with problems.calmly():
    student = session.student()
    if student is None:
        st.navigation(pages, position="hidden")
        welcome.draw()
    else:
        page = st.navigation(pages)
        sidebar.draw(student)
        page.run()
