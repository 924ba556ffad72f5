"""Settings: who you are here, and your time zone."""

import streamlit as st
from services.safety.text import literal

from ui import session, timezone_setting

student = session.current()

st.title("Settings")
with st.container(border=True):
    st.markdown("#### You")
    st.markdown(f"**{literal(student.name)}**  \n{literal(student.email)}")
    st.caption("Name and e-mail come from your sign-in and are updated each time you sign in.")
with st.container(border=True):
    st.markdown("#### Time zone")
    timezone_setting.draw(student)
with st.container(border=True):
    st.markdown("#### What goes where")
    st.write(
        "Your messages, and what Homeroom looks up to answer them, go to Anthropic's Claude, which writes the answers. "
        "Your credentials are stored encrypted, and only ever sent to the service they belong to."
    )
    st.page_link("pages/connections.py", label="See or end your connections", icon=":material/cable:")
