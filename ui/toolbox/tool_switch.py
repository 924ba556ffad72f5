"""Buttons that switch a tool off or on again for the student alone."""

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from services.tools.tool import Tool, heading
from ui import session
from ui.flash_message import flash
from ui.session_guard import guarded_callback
from ui.tool_names import tool_title
from ui.week.week_state import forget_week


def draw_switch_on(student: Student, tool: Tool) -> None:
    """Draw the way back, for the category where that is what is off."""
    off = student.tools_off
    if tool.category in off.categories:
        name = gettext(heading(tool.category))
        label, what = gettext("Switch on {category}", category=literal(name)), {"category": tool.category}
    else:
        label, what = gettext("Switch it on"), {"tool": tool.name}
    st.button(
        label,
        icon=":material/check_circle:",
        key=f"switch-on-{tool.name}",
        on_click=switch,
        args=(student,),
        kwargs={**what, "is_on": True},
    )


def draw_switch_off(student: Student, tool: Tool) -> None:
    """Draw the button that switches this tool off."""
    st.button(
        gettext("Switch it off for me"),
        icon=":material/do_not_disturb_on:",
        type="tertiary",
        key=f"switch-off-{tool.name}",
        help=gettext("No assistant and no program of yours then uses it. You can switch it on again at any time."),
        on_click=switch,
        args=(student,),
        kwargs={"tool": tool.name, "is_on": False},
    )


@guarded_callback
def switch(student: Student, *, category: str = "", tool: str = "", is_on: bool) -> None:
    """Switch a category or a tool, and tell it on the next run."""
    services = session.services()
    services.students.switch_tools(student.id, category=category, tool=tool, is_on=is_on)
    forget_week()
    found = services.gateway.tool(tool) if tool else None
    name = tool_title(found) if found else gettext(heading(category or tool))
    told = gettext("{name}: on again.", name=literal(name)) if is_on else gettext("{name}: off.", name=literal(name))
    flash(told)
