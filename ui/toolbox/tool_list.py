"""List of tools by category, with search, and notes on extensions without tools."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import streamlit as st

from services.i18n import gettext, ngettext
from services.identity.students import Student
from services.integrations.base import Integration
from services.integrations.extensions import Extension
from services.safety.text import literal
from services.tools.gateway import ToolAvailability
from services.tools.tool import heading
from ui.tool_names import tool_title
from ui.toolbox.tool_card import draw_tool_card, summary_line

MOST_SHOWN = 60
"""Tools of one category: more would slow the page down."""
ICONS = {
    "assistants": ":material/groups:",
    "calendar": ":material/calendar_month:",
    "courses": ":material/school:",
    "documents": ":material/draft:",
    "github": ":material/code:",
    "mail": ":material/mail:",
    "notes": ":material/article:",
    "planner": ":material/checklist:",
    "study": ":material/quiz:",
    "research": ":material/travel_explore:",
    "writing": ":material/edit_note:",
}
OTHER_ICON = ":material/handyman:"


def search_tools(listings: Sequence[ToolAvailability], search: str) -> Sequence[ToolAvailability]:
    """Offers that have all words of the search in name, category, summary or description, in the same order."""
    words = search.lower().split()
    return [listing for listing in listings if all(word in _search_text(listing) for word in words)]


def draw_tool_groups(
    student: Student, listings: Sequence[ToolAvailability], integrations: Mapping[str, Integration], *, are_open: bool
) -> None:
    """Draw an expander for each category. are_open: after a search."""
    by_category = sorted(listings, key=lambda listing: listing.tool.category)
    for category, group in groupby(by_category, key=lambda listing: listing.tool.category):
        _draw_group(student, category, list(group), _icon(category, integrations), is_open=are_open)


def _draw_group(
    student: Student, category: str, listings: Sequence[ToolAvailability], icon: str, *, is_open: bool
) -> None:
    usable = sum(listing.reason is None for listing in listings)
    label = f"**{literal(gettext(heading(category)))}** · {_usable_count(usable, len(listings))}"
    # A search opens what it finds, and its end closes it: two keys, as Streamlit keeps an expander as it was.
    key = f"tools-{category}-{'found' if is_open else 'all'}"
    group = st.expander(label, icon=icon, key=key, expanded=is_open, on_change="rerun", type="compact")
    if not group.open:
        return
    with group:
        for listing in listings[:MOST_SHOWN]:
            draw_tool_card(student, listing)
        if len(listings) > MOST_SHOWN:
            st.caption(gettext("{n} more are here. Search to narrow it down.", n=len(listings) - MOST_SHOWN))


def _search_text(listing: ToolAvailability) -> str:
    tool = listing.tool
    parts = (tool.name, tool.name.replace("_", " "), tool.label, tool.title, tool.category, tool.description)
    translated = (tool_title(tool), gettext(heading(tool.category)), summary_line(tool))
    return " ".join((*parts, tool.usage_hint, *tool.contexts, *translated)).lower()


def _usable_count(usable: int, total: int) -> str:
    if usable == total:
        return ngettext("{n} tool", "{n} tools", total)
    return gettext("{usable} of {all} work for you", usable=usable, all=total)


def _icon(category: str, integrations: Mapping[str, Integration]) -> str:
    of_integration = next(
        (integration.icon for integration in integrations.values() if integration.category == category), OTHER_ICON
    )
    return ICONS.get(category, of_integration)


def draw_extension_notes(extensions: Sequence[Extension], *, is_instructor: bool) -> None:
    """Note for each extension that failed and has no tool in the list to say so."""
    for extension in extensions:
        if (obstacle := extension.obstacle) is not None and not extension.tools:
            step = gettext(obstacle.setup) if is_instructor and obstacle.setup else obstacle.step
            st.caption(f":material/extension_off: {literal(obstacle.sentence)} {literal(step)}")
