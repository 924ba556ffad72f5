"""Connections: what each account gives, what Homeroom may do there, how it is doing, and how to end it."""

import streamlit as st

from services.i18n import gettext
from ui import outcome, sample_course, session
from ui.connections import card, oauth_return

student = session.current()
services = session.services()

oauth_return.finish(student)
st.title(gettext("Connections"))
st.caption(
    gettext(
        "Connect what you already use. Homeroom reads only what a question needs, and asks before it changes anything."
    )
)
outcome.show_flash()

connections = services.connections.all(student.id)
# What a click connects stands above what needs an address or a token to be found first.
own = [integration for integration in services.integrations.values() if integration.needs_account]
easiest_first = sorted(own, key=lambda integration: integration.oauth is None)
wanted = [card.draw(student, integration, connections.get(integration.id)) for integration in easiest_first]
sample_course.card(student, connections)
if not own:
    st.info(
        gettext(
            "Whoever runs Homeroom has not set up any service to connect yet. The chat and your own tasks still work."
        )
    )
for work in filter(None, wanted):
    work()
