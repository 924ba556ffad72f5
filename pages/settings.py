"""Settings: who you are here, your time zone, keys for your own programs, and what is kept of you."""

import streamlit as st

from services.i18n import gettext
from ui import outcome, places, session
from ui.chat import who_reads
from ui.settings import (
    devices_card,
    keys_card,
    language_setting,
    own_data_card,
    sign_out_card,
    timezone_setting,
    usage_card,
)

student = session.current()

st.title(gettext("Settings"))
outcome.show_flash()
with st.container(border=True):
    st.markdown(gettext("## You"))
    st.text(f"{student.name}\n{student.email}")
    st.caption(gettext("Name and e-mail come from your sign-in and are updated each time you sign in."))
with st.container(border=True):
    devices_card.draw(student)
    sign_out_card.draw(student)
with st.container(border=True):
    st.markdown(gettext("## Language"))
    language_setting.draw(student)
with st.container(border=True):
    st.markdown(gettext("## Time zone"))
    timezone_setting.draw(student)
with st.container(border=True):
    keys_card.draw(student)
with st.container(border=True):
    usage_card.draw(student)
with st.container(border=True):
    st.markdown(gettext("## What goes where"))
    st.write(
        gettext(
            "In this demo a scripted model on this machine writes the answers: your messages with the files you "
            "attach, your name and time zone, and what Homeroom looks up stay here. Your credentials are stored "
            "encrypted, and only ever sent to the service they belong to."
        )
        if who_reads.is_played()
        else gettext(
            "Your messages with the files you attach, your name and time zone, and what Homeroom looks up to answer "
            "you go to Anthropic's Claude, which writes the answers. Your credentials are stored encrypted, and only "
            "ever sent to the service they belong to."
        )
    )
    st.page_link(places.CONNECTIONS, label=gettext("See or end your connections"), icon=":material/cable:")
with st.container(border=True):
    own_data_card.draw(student)
