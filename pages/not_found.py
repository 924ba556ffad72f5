"""Not found: what an address shows that no page has."""

import streamlit as st

from services.i18n import gettext
from services.navigation import CHAT_PAGE, WEEK_PAGE

st.title(gettext("There is no page here"))
st.write(
    gettext("The address may have a typo, or the page has moved. Nothing of yours is lost; from here you can go on:")
)
st.page_link(CHAT_PAGE.script, label=gettext("Today and your chats"), icon=CHAT_PAGE.icon)
st.page_link(WEEK_PAGE.script, label=gettext(WEEK_PAGE.title), icon=WEEK_PAGE.icon)
