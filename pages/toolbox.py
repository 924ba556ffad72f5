"""Tools: list of all tools that Homeroom has, with their availability, and a form to try those that only read."""

import streamlit as st

from services.i18n import gettext
from ui import session
from ui.flash_message import show_flash
from ui.toolbox.tool_list import draw_extension_notes, draw_tool_groups, search_tools
from ui.toolbox.usage_table import draw_tool_usage

student = session.current_student()
services = session.services()

st.title(gettext("Tools"))
st.caption(gettext("Everything Homeroom can use for you. Open one to see what it does, and try those that only read."))
show_flash()
draw_tool_usage(student)

listings = services.gateway.list_tools(student.id)
search = st.text_input(
    gettext("Search"),
    placeholder=gettext("Such as grades, free time or notes"),
    icon=":material/search:",
    key="tools-search",
)
is_mine_only = st.toggle(gettext("Only those I have now"), key="tools-mine")
mine = [listing for listing in listings if listing.reason is None]
found = search_tools(mine if is_mine_only else listings, search)
count = {"found": len(found), "usable": len(mine), "all": len(listings)}
st.caption(
    gettext("{found} of {all} tools found.", **count)
    if search.strip()
    else gettext("{usable} of {all} tools work for you now.", **count)
)
draw_tool_groups(student, found, services.integrations, are_open=bool(search.strip()))
if not found:
    st.info(gettext("No tool fits that. Try another word, or fewer."), icon=":material/search_off:")
draw_extension_notes(services.extensions, is_instructor=services.keys.is_instructor(student))
