"""Settings: profile, sessions, language, time zone, API keys, usage, and personal data."""

import streamlit as st

from services.i18n import gettext
from services.navigation import CONNECTIONS_PAGE
from ui import session
from ui.flash_message import show_flash
from ui.settings.api_keys_card import draw_api_keys
from ui.settings.consents_card import draw_consents
from ui.settings.language_and_timezone import draw_language_setting, draw_timezone_setting
from ui.settings.personal_data_card import draw_personal_data
from ui.settings.reminders_card import draw_reminders
from ui.settings.sessions_card import draw_sign_in_sessions, draw_sign_out_everywhere
from ui.settings.tool_switches_card import draw_tool_switches
from ui.settings.usage_card import draw_usage

student = session.current_student()

st.title(gettext("Settings"))
show_flash()
with st.container(border=True):
    st.markdown(gettext("## You"))
    st.text(f"{student.name}\n{student.email}")
    st.caption(gettext("Name and e-mail come from your sign-in and are updated each time you sign in."))
with st.container(border=True):
    draw_sign_in_sessions(student)
    draw_sign_out_everywhere(student)
with st.container(border=True):
    st.markdown(gettext("## Language"))
    draw_language_setting(student)
with st.container(border=True):
    st.markdown(gettext("## Time zone"))
    draw_timezone_setting(student)
with st.container(border=True):
    draw_reminders(student)
with st.container(border=True):
    draw_tool_switches(student)
with st.container(border=True):
    draw_api_keys(student)
with st.container(border=True):
    draw_usage(student)
with st.container(border=True):
    draw_consents(student)
    st.page_link(CONNECTIONS_PAGE.script, label=gettext("See or end your connections"), icon=":material/cable:")
with st.container(border=True):
    draw_personal_data(student)
