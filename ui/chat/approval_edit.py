"""Changing an action before approving it."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from services.approvals.approval import Approval
from services.language import say
from ui import session
from ui.arguments import form as argument_form
from ui.arguments import things

KEY = "editing"


def is_open(approval: Approval) -> bool:
    return st.session_state.get(KEY) == approval.id


def open_for(approval: Approval) -> None:
    st.session_state[KEY] = approval.id
    things.forget(approval.id)


def draw(approval: Approval, *, approve: Callable[[dict[str, object]], bool]) -> None:
    """The form. `approve` gets the changed arguments and says whether they were taken; else the form stays open."""
    tool = session.services().tool(approval.tool)
    # Streamlit brings the chosen one of new tabs into view; else a long form shows its end first.
    with st.container(key=f"edit-here-{approval.id}").tabs([say("Edit")])[0]:
        _form(tool.schema, approval, approve)


def _form(schema: Mapping[str, Any], approval: Approval, approve: Callable[[dict[str, object]], bool]) -> None:
    # Only its button approves: Enter in a field could press one that removes a group of them.
    with st.form(f"edit-form-{approval.id}", border=False, enter_to_submit=False):
        edited = argument_form.draw(schema, approval.arguments, key=approval.id)
        with st.container(horizontal=True, gap="small"):
            wants_it = st.form_submit_button(say("Approve with these changes"), type="primary", icon=":material/check:")
            keeps_it = st.form_submit_button(say("Keep as it was"))
    # What a field tells of stands beside it already; asking the tool would tell it again, far from there.
    is_sent = wants_it and not argument_form.is_unclear()
    if keeps_it or (is_sent and approve(edited)):
        st.session_state.pop(KEY, None)
    if keeps_it or is_sent:
        st.rerun()
