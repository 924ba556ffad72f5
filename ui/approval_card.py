"""An action that waits for the student: every field as literal text, and the three answers."""

import streamlit as st

from services.approvals.approval import Approval, ApprovalStatus
from services.students import Student
from ui import argument_form, outcome, session
from ui.dates import clock_time

ENDINGS = {
    ApprovalStatus.DONE: ("Done", "green", ":material/check_circle:"),
    ApprovalStatus.EXECUTING: ("Working on it …", "blue", ":material/hourglass_top:"),
    ApprovalStatus.UNDOING: ("Undoing …", "blue", ":material/hourglass_top:"),
    ApprovalStatus.UNDONE: ("Undone", "gray", ":material/undo:"),
    ApprovalStatus.UNDO_REFUSED: ("Done, can no longer be undone", "green", ":material/check_circle:"),
    ApprovalStatus.DECLINED: ("Declined, nothing was changed", "gray", ":material/do_not_disturb_on:"),
    ApprovalStatus.EXPIRED: ("Expired, nothing was changed", "gray", ":material/timer_off:"),
    ApprovalStatus.WITHDRAWN: ("Put aside, nothing was changed", "gray", ":material/do_not_disturb_on:"),
    ApprovalStatus.FAILED: ("Did not work, nothing was changed", "red", ":material/error:"),
    ApprovalStatus.UNKNOWN: ("Unclear, please look", "orange", ":material/help:"),
}


def draw(student: Student, approval: Approval) -> None:
    with st.container(border=True, key=f"approval-{approval.id}"):
        st.markdown(f"**:material/front_hand: {approval.title}**")
        if approval.status is ApprovalStatus.PENDING:
            _ask(student, approval)
        else:
            _rows(approval)
            _ending(student, approval)


def _rows(approval: Approval) -> None:
    for row in approval.rows:
        with st.container(gap=None):
            st.caption(row.label)
            if row.before is not None and row.before != row.value:
                st.text(f"{row.before or '(empty)'}  →  {row.value or '(empty)'}")
            else:
                st.text(row.value or "(empty)")


def _ask(student: Student, approval: Approval) -> None:
    if st.session_state.get("editing") == approval.id:
        _edit(student, approval)
        return
    _rows(approval)
    with st.container(horizontal=True):
        st.button(
            "Approve",
            key=f"approve-{approval.id}",
            type="primary",
            on_click=_decide,
            args=(student, approval, "approve"),
        )
        st.button("Edit", key=f"edit-{approval.id}", on_click=_open_editor, args=(approval.id,))
        st.button("Decline", key=f"decline-{approval.id}", on_click=_decide, args=(student, approval, "decline"))
    st.caption(f"Waits for you until {clock_time(approval.expires_at, student)}. Nothing happens before you approve.")


def _edit(student: Student, approval: Approval) -> None:
    tool = next(tool for tool in session.services().root_tools.tools() if tool.name == approval.tool)
    with st.form(f"edit-form-{approval.id}", border=False):
        edited = argument_form.draw(tool.schema, approval.arguments, key=approval.id)
        with st.container(horizontal=True):
            approved = st.form_submit_button("Approve with these changes", type="primary")
            closed = st.form_submit_button("Keep as it was")
    if approved and _decide(student, approval, "approve", edited):
        st.session_state.pop("editing", None)
    if approved or closed:
        if closed:
            st.session_state.pop("editing", None)
        st.rerun()


def _open_editor(approval_id: str) -> None:
    st.session_state["editing"] = approval_id


def _decide(student: Student, approval: Approval, decision: str, arguments: dict[str, object] | None = None) -> bool:
    """Whether the decision was taken; a refusal is drawn where the student looks."""
    with outcome.told_next_run():
        session.services().turns.decide(student, approval.id, decision, arguments)
        return True
    return False


def _ending(student: Student, approval: Approval) -> None:
    label, color, icon = ENDINGS[approval.status]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(label, color=color, icon=icon)
        if approval.link:
            st.link_button("Open", approval.link, icon=":material/open_in_new:", type="tertiary")
        if approval.can_undo:
            st.button(
                "Undo",
                key=f"undo-{approval.id}",
                icon=":material/undo:",
                type="tertiary",
                on_click=_undo,
                args=(student, approval),
            )
    if approval.outcome and approval.status is not ApprovalStatus.DONE:
        st.text(approval.outcome)


def _undo(student: Student, approval: Approval) -> None:
    with outcome.told_next_run():
        session.services().turns.undo(student, approval.id)
