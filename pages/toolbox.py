"""Tools: everything that Homeroom can use, whether you have it, and a way to try what only reads."""

import streamlit as st

from services.language import say
from ui import outcome, session
from ui.toolbox import extension_notes, groups, usage

student = session.current()
services = session.services()

st.title(say("Tools"))
st.caption(say("Everything Homeroom can use for you. Open one to see what it does, and try those that only read."))
outcome.show()
usage.draw(student)

offers = services.door.offers(student.id)
search = st.text_input(
    say("Search"),
    placeholder=say("Such as grades, free time or notes"),
    icon=":material/search:",
    key="tools-search",
)
is_mine_only = st.toggle(say("Only those I have now"), key="tools-mine")
mine = [offer for offer in offers if offer.reason is None]
found = groups.fitting(mine if is_mine_only else offers, search)
count = {"found": len(found), "usable": len(mine), "all": len(offers)}
st.caption(
    say("{found} of {all} tools found.", **count)
    if search.strip()
    else say("{usable} of {all} tools work for you now.", **count)
)
groups.draw(student, found, services.integrations, are_open=bool(search.strip()))
if not found:
    st.info(say("No tool fits that. Try another word, or fewer."), icon=":material/search_off:")
extension_notes.draw(services.extensions, is_instructor=services.keys.is_instructor(student))
