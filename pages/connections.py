"""Connections: card for each account, with what it gives, its permissions and its health, and the way to end it."""

import streamlit as st

from services.i18n import gettext
from ui import session
from ui.connections import sample_course
from ui.connections.connect_together import draw_connect_together, finish_oauth_redirect
from ui.connections.connection_card import draw_connection_card
from ui.flash_message import show_flash

student = session.current_student()
services = session.services()

finish_oauth_redirect(student)
st.title(gettext("Connections"))
st.caption(
    gettext(
        "Connect what you already use. Homeroom reads only what a question needs, and asks before it changes anything."
    )
)
show_flash()

connections = services.connections.all(student.id)
draw_connect_together(student, connections)
# OAuth, one click, before integrations that need an address or a token.
own = [integration for integration in services.integrations.values() if integration.needs_account]
easiest_first = sorted(own, key=lambda integration: integration.oauth is None)
actions = [draw_connection_card(student, integration, connections.get(integration.id)) for integration in easiest_first]
sample_course.draw_sample_card(student, connections)
if not own:
    st.info(
        gettext(
            "Whoever runs Homeroom has not set up any service to connect yet. The chat and your own tasks still work."
        )
    )
for run_action in filter(None, actions):
    run_action()
