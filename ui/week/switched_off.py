"""Note on what the week does not read, because the student has switched it off, with the way back."""

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from services.tools.tool import heading
from ui.toolbox.tool_switch import switch

CATEGORIES = ("courses", "calendar")
"""Of the tools that a week is read with from elsewhere."""


def draw_switched_off(student: Student) -> bool:
    """Draw a line for each category that is off; whether there is one."""
    off = [category for category in CATEGORIES if category in student.tools_off.categories]
    for category in off:
        name = gettext(heading(category))
        with st.container(horizontal=True, vertical_alignment="center", key=f"week-off-{category}"):
            note = gettext("“{category}” is switched off in Settings, so nothing of it stands here.", category=name)
            st.caption(note)
            st.button(
                gettext("Switch on {category}", category=name),
                type="tertiary",
                icon=":material/check_circle:",
                key=f"week-on-{category}",
                on_click=switch,
                args=(student,),
                kwargs={"category": category, "is_on": True},
            )
    return bool(off)
