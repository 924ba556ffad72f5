"""Activity: log of all reads and changes in the student's name, by day and service, with Undo where it can be."""

import streamlit as st

from services.i18n import gettext
from ui import session
from ui.approvals.activity_list import draw_activity, draw_activity_filter
from ui.approvals.pending_approvals import MOST_LISTED, draw_waiting_cards
from ui.error_boundary import error_boundary
from ui.flash_message import show_flash

student = session.current_student()

st.title(gettext("Activity"))
st.caption(
    gettext(
        "Everything that Homeroom looked up or changed in your name, in the chat, on these pages or through your own "
        "programs. Which service and when; nothing of what was read."
    )
)
show_flash()
with error_boundary():
    draw_waiting_cards(session.services().approvals.waiting(student.id, MOST_LISTED))
    chosen = draw_activity_filter(student)
    draw_activity(student, chosen)
