"""The student's own switches: categories of tools, and single tools, off for them at every door."""

from itertools import groupby

import streamlit as st

from services.i18n import gettext
from services.identity.students import Student
from services.navigation import TOOLBOX_PAGE
from services.safety.text import literal
from services.tools.tool import Tool, heading
from ui import session
from ui.session_guard import guarded_callback
from ui.tool_names import tool_title
from ui.week.week_state import forget_week


def draw_tool_switches(student: Student) -> None:
    """Draw a switch for each category, with one for each of its tools inside."""
    st.markdown(gettext("## Tools for me"))
    st.caption(
        gettext(
            "What you switch off here is not used for you: by no assistant, by no program with your key, and not for "
            "your week. What you do yourself on a page works as before. An assistant may use fewer tools than these."
        )
    )
    off = student.tools_off
    tools = sorted(session.services().root_tools.tools(), key=lambda tool: (gettext(heading(tool.category)), tool.name))
    for category, group in groupby(tools, key=lambda tool: tool.category):
        _draw_category(student, category, list(group), is_on=category not in off.categories)
    st.page_link(TOOLBOX_PAGE.script, label=gettext("What each tool does"), icon=":material/handyman:")


def _draw_category(student: Student, category: str, tools: list[Tool], *, is_on: bool) -> None:
    name, off = gettext(heading(category)), student.tools_off
    count = sum(tool.name in off.tools for tool in tools)
    note = gettext("{n} of {all} off", n=count, all=len(tools)) if is_on and count else ""
    state = "" if is_on else gettext("off")
    label = " · ".join(filter(None, (literal(name), note or state)))
    key = f"tool-switch-{category}"
    card = st.expander(label, key=f"tool-switches-{category}", on_change="rerun", type="compact")
    if not card.open:
        return
    with card:
        _draw_toggle(student, gettext("All of these"), key=key, is_on=is_on, category=category)
        for tool in tools if is_on else ():
            is_tool_on = tool.name not in off.tools
            _draw_toggle(student, literal(tool_title(tool)), key=f"{key}-{tool.name}", is_on=is_tool_on, tool=tool.name)


def _draw_toggle(student: Student, label: str, *, key: str, is_on: bool, category: str = "", tool: str = "") -> None:
    # Another tab, or the Tools page, may have switched it meanwhile: the key changes with the state.
    key = f"{key}-{'on' if is_on else 'off'}"
    st.toggle(label, value=is_on, key=key, on_change=_switch, args=(student, key, category, tool))


@guarded_callback
def _switch(student: Student, key: str, category: str, tool: str) -> None:
    is_on = bool(st.session_state[key])
    session.services().students.switch_tools(student.id, category=category, tool=tool, is_on=is_on)
    forget_week()
