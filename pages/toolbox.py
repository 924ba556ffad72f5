"""Tools: everything that Homeroom can use, whether you have it, and a way to try what only reads."""

import streamlit as st

from ui import extension_notes, outcome, session, tool_groups, tool_usage

student = session.current()
services = session.services()

st.title("Tools")
st.caption("Everything Homeroom can use for you. Open one to see what it does, and try those that only read.")
outcome.show()
tool_usage.draw(student)

offers = services.door.offers(student.id)
search = st.text_input("Search", placeholder="Such as grades, free time or notes", icon=":material/search:")
is_mine_only = st.toggle("Only those I have now", key="tools-mine")
mine = [offer for offer in offers if offer.reason is None]
found = tool_groups.fitting(mine if is_mine_only else offers, search)
number = f"{len(found)} of {len(offers)} tools found." if search.strip() else None
st.caption(number or f"{len(mine)} of {len(offers)} tools work for you now.")
tool_groups.draw(student, found, services.integrations, are_open=bool(search.strip()))
if not found:
    st.info("No tool fits that. Try another word, or fewer.", icon=":material/search_off:")
extension_notes.draw(services.extensions)
