"""Changing an action before approving it."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from services.approvals.approval import Approval
from services.errors import BadArguments
from services.i18n import gettext
from services.tools.base import Tool
from ui import session
from ui.arguments import fields as argument_fields
from ui.arguments import form as argument_form
from ui.arguments import things
from ui.arguments.form import Refusal

KEY = "editing"
REFUSED = "edit refused"


def is_open(approval: Approval) -> bool:
    return st.session_state.get(KEY) == approval.id


def open_for(approval: Approval) -> None:
    st.session_state[KEY] = approval.id
    st.session_state.pop(REFUSED, None)
    things.forget(approval.id)


def refuse(approval: Approval, arguments: Mapping[str, Any], error: BadArguments) -> bool:
    """Have the form tell what is wrong, under each field that it is about; whether it is about these alone."""
    refusal = argument_form.refused(arguments, error)
    st.session_state[REFUSED] = refusal
    schema = session.services().tool(approval.tool).schema
    return bool(refusal.wrong) and argument_form.shows(schema, refusal.wrong)


def draw(approval: Approval, *, approve: Callable[[dict[str, object]], bool]) -> None:
    """The form. `approve` gets the changed arguments and says whether they were taken; else the form stays open."""
    tool = session.services().tool(approval.tool)
    # Streamlit brings the chosen one of new tabs into view; else a long form shows its end first.
    with st.container(key=f"edit-here-{approval.id}").tabs([gettext("Edit")])[0]:
        _form(tool, approval, approve)


def _form(tool: Tool, approval: Approval, approve: Callable[[dict[str, object]], bool]) -> None:
    refusal: Refusal | None = st.session_state.get(REFUSED)
    # Only its button approves: Enter in a field could press one that removes a group of them.
    with st.form(f"edit-form-{approval.id}", border=False, enter_to_submit=False):
        edited = argument_form.draw(tool.schema, approval.arguments, key=approval.id, refusal=refusal)
        is_unclear = argument_form.is_unclear()
        if is_unclear or (refusal and refusal.wrong):
            argument_fields.show(gettext("Not approved yet. What is wrong stands in red under its field."))
        with st.container(horizontal=True, gap="small"):
            wants_it = st.form_submit_button(
                gettext("Approve with these changes"), type="primary", icon=":material/check:"
            )
            keeps_it = st.form_submit_button(gettext("Keep as it was"))
    if wants_it:
        st.session_state.pop(REFUSED, None)
        if is_unclear:
            _check(tool, approval, edited)
        elif approve(edited):
            st.session_state.pop(KEY, None)
    if keeps_it:
        st.session_state.pop(KEY, None)
    if keeps_it or wants_it:
        st.rerun()


def _check(tool: Tool, approval: Approval, edited: Mapping[str, Any]) -> None:
    """What else is wrong is told beside what a field tells of by itself."""
    try:
        tool.validate(edited)
    except BadArguments as error:
        refuse(approval, edited, error)
