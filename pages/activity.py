"""Activity: all that was read or changed in the student's name, by day and service, with Undo where it can be."""

import streamlit as st

from services.i18n import gettext
from ui import activity_list, outcome, problems, session

student = session.current()

st.title(gettext("Activity"))
st.caption(
    gettext(
        "Everything that Homeroom looked up or changed in your name, in the chat, on these pages or through your own "
        "programs. Which service and when; nothing of what was read."
    )
)
outcome.show_flash()
with problems.calmly():
    wanted = activity_list.choices(student)
    activity_list.draw(student, wanted)
