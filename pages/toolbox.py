"""Tools: everything that Homeroom can use, whether you have it, and a way to try what only reads."""

from itertools import groupby

import streamlit as st

from services.safety.text import literal
from ui import session, tool_card

MOST_SHOWN = 60

student = session.current()

st.title("Tools")
st.caption("Everything Homeroom can use for you. Open one to see what it does, and try those that only read.")
offers = session.services().door.offers(student.id)
search = st.text_input("Search", placeholder="Such as grades, free time or notes", icon=":material/search:")
is_mine_only = st.toggle("Only those I have now", key="tools-mine")

words = search.lower().split()
found = [
    offer
    for offer in offers
    if all(word in f"{offer.tool.name} {offer.tool.category} {offer.tool.description}".lower() for word in words)
    and not (is_mine_only and offer.reason)
]
usable = sum(offer.reason is None for offer in offers)
st.caption(f"{usable} of {len(offers)} tools work for you now.")
shown = sorted(found[:MOST_SHOWN], key=lambda offer: offer.tool.category)
for category, group in groupby(shown, key=lambda offer: offer.tool.category):
    st.subheader(literal(category.capitalize()), anchor=False)
    for offer in group:
        tool_card.draw(student, offer)
if not found:
    st.info("No tool fits that. Try another word.", icon=":material/search_off:")
if len(found) > MOST_SHOWN:
    st.caption(f"{len(found) - MOST_SHOWN} more fit. Search to narrow it down.")
