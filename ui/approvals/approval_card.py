"""Card of an action that needs approval: its fields as literal text, the three answers, and the form to edit it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import streamlit as st

from services.approvals.approval import Approval, ApprovalStatus
from services.errors import ApprovalError, BadArguments, StorageError
from services.i18n import formats, gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from services.tools.result import PreviewRow
from services.tools.tool import Tool
from ui import session
from ui.arguments.fields import show_field_error
from ui.arguments.form import (
    ArgumentErrors,
    draw_form,
    error_message,
    errors_by_argument,
    has_field_errors,
    has_fields_for,
)
from ui.arguments.nested_fields import reset_form
from ui.flash_message import flash_errors, keep_flash
from ui.local_time import day_and_time
from ui.session_guard import guarded_callback

OUTCOMES = {
    ApprovalStatus.DONE: (gettext_noop("Done"), "green", ":material/check_circle:"),
    ApprovalStatus.EXECUTING: (gettext_noop("Working on it …"), "blue", ":material/hourglass_top:"),
    ApprovalStatus.UNDOING: (gettext_noop("Undoing …"), "blue", ":material/hourglass_top:"),
    ApprovalStatus.UNDONE: (gettext_noop("Undone"), "gray", ":material/undo:"),
    ApprovalStatus.UNDO_REFUSED: (gettext_noop("Done, can no longer be undone"), "green", ":material/check_circle:"),
    ApprovalStatus.DECLINED: (gettext_noop("Declined, nothing was changed"), "gray", ":material/do_not_disturb_on:"),
    ApprovalStatus.EXPIRED: (gettext_noop("Expired, nothing was changed"), "gray", ":material/timer_off:"),
    ApprovalStatus.WITHDRAWN: (gettext_noop("Put aside, nothing was changed"), "gray", ":material/do_not_disturb_on:"),
    ApprovalStatus.FAILED: (gettext_noop("Did not work, nothing was changed"), "red", ":material/error:"),
    ApprovalStatus.UNKNOWN: (gettext_noop("Unclear, please look"), "orange", ":material/help:"),
}
WITH_EXPLANATION = (ApprovalStatus.FAILED, ApprovalStatus.UNKNOWN, ApprovalStatus.UNDO_REFUSED)
"""Outcomes that need more than their badge."""
CHANGE_IT = gettext_noop("Change it, then approve again.")
APPROVED = (ApprovalStatus.EXECUTING, ApprovalStatus.DONE)
POLL_S = 3.0
"""Seconds until a card outside a chat shows what was decided in another tab or by a program; a look costs one read."""
LONGEST_SHOWN = 700
"""Characters of a value, so that the buttons of a card with a whole page in it are still near its title."""
BEGINNING = 280
"""Characters that stand for a longer value until all of it is asked for."""
EDITED = "editing"
REFUSED = "edit refused"


def draw_approval_card(student: Student, approval: Approval) -> None:
    # Keys must be unique in a run: a card whose status changes while an answer streams is drawn twice in it.
    with st.container(border=True, key=f"approval-{approval.id}-{approval.status}", gap="small"):
        st.markdown(f"**:material/front_hand: {literal(gettext(approval.title))}**")
        if approval.status is not ApprovalStatus.PENDING:
            _draw_rows(approval)
            _draw_outcome(student, approval)
        elif _is_edit_open(approval):
            _draw_edit_form(
                approval, approve=lambda edited: bool(decide_approval(student, approval, "approve", edited))
            )
        else:
            _draw_rows(approval)
            _draw_answers(student, approval)
    # The page of a chat is told of each change of it (see `ui.chat.chat_change_watch`); other pages have to ask.
    if not approval.conversation_id and approval.status in (ApprovalStatus.PENDING, ApprovalStatus.EXECUTING):
        _rerun_when_changed(student, approval)


@guarded_callback
def decide_approval(
    student: Student, approval: Approval, decision: str, arguments: dict[str, object] | None = None
) -> bool:
    """Record the decision; True when it counted. A refusal is flashed, unless the card shows what came first."""
    services = session.services()
    try:
        services.turns.decide(student, approval.id, decision, arguments, seen=approval.rows)
    except BadArguments as error:
        if arguments is None or not _keep_refusal(approval, arguments, error):
            raise ApprovalError(error_message(error), next_step=gettext(CHANGE_IT)) from error
        return False
    except ApprovalError:
        if decision != "approve" or services.approvals.get(student.id, approval.id).status not in APPROVED:
            raise
        return False
    return True


def _draw_rows(approval: Approval) -> None:
    with st.container(key=f"rows-{approval.id}-{approval.status}", gap="xsmall"):
        for number, row in enumerate(approval.rows):
            with st.container(key=f"row-{approval.id}-{approval.status}-{number}", horizontal=True, gap="small"):
                st.caption(literal(gettext(row.label)))
                _draw_text(_change_text(row))


def _draw_text(text: str) -> None:
    """Draw a value to the letter; of a long one the beginning, and all of it one press further."""
    if len(text) <= LONGEST_SHOWN:
        st.text(text, width="stretch")
        return
    with st.container(gap="xsmall"):
        st.text(text[:BEGINNING].rstrip() + " …", width="stretch")
        with st.expander(gettext("Show all {n} characters", n=formats.number(len(text)))):
            st.text(text)


def _change_text(row: PreviewRow) -> str:
    value = row.value or gettext("(empty)")
    if row.before is None or row.before == row.value:
        return value
    return f"{row.before or gettext('(empty)')}  →  {value}"


def _draw_answers(student: Student, approval: Approval) -> None:
    is_past = approval.is_past(session.services().clock())
    with st.container(horizontal=True, gap="small"):
        st.button(
            gettext("Approve"),
            key=f"approve-{approval.id}",
            type="primary",
            icon=":material/check:",
            on_click=decide_approval,
            args=(student, approval, "approve"),
            disabled=is_past,
        )
        st.button(gettext("Edit"), key=f"edit-{approval.id}", on_click=_open_edit, args=(approval,))
        st.button(
            gettext("Decline"),
            key=f"decline-{approval.id}",
            on_click=decide_approval,
            args=(student, approval, "decline"),
        )
    if is_past:
        st.caption(gettext("The time of this is past, so it cannot be approved as it is. Edit it, or decline it."))
        return
    st.caption(
        gettext(
            "Nothing happens before you approve. Waits for you until {end}.", end=day_and_time(_end(approval), student)
        )
    )


def _end(approval: Approval) -> datetime:
    """Until when it can be approved as it is."""
    return min(filter(None, (approval.own_time, approval.expires_at)))


def _draw_outcome(student: Student, approval: Approval) -> None:
    label, color, icon = OUTCOMES[approval.status]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(gettext(label), color=color, icon=icon)
        if approval.link and approval.status is not ApprovalStatus.UNDONE:
            st.link_button(gettext("Open"), approval.link, icon=":material/open_in_new:", type="tertiary")
        if approval.can_undo and st.button(
            gettext("Undo"), key=f"undo-{approval.id}", icon=":material/undo:", type="tertiary"
        ):
            undo_approval(student, approval)
    if approval.outcome and approval.status in WITH_EXPLANATION:
        st.text(approval.outcome)


def undo_approval(student: Student, approval: Approval) -> None:
    """Undo the action, and rerun the page."""
    with st.spinner(gettext("Undoing …")), flash_errors():
        session.services().turns.undo(student, approval.id)
    st.rerun()


@st.fragment(run_every=POLL_S)
def _rerun_when_changed(student: Student, approval: Approval) -> None:
    """Rerun the page when the approval was decided elsewhere, is done, changed its rows or expired. Draws nothing."""
    try:
        now = session.services().approvals.get(student.id, approval.id)
        is_as_drawn = (now.status, now.rows) == (approval.status, approval.rows)
    except ApprovalError:
        is_as_drawn = False
    except StorageError:
        return
    if not is_as_drawn:
        keep_flash()
        st.rerun()


def _is_edit_open(approval: Approval) -> bool:
    return st.session_state.get(EDITED) == approval.id


def _open_edit(approval: Approval) -> None:
    st.session_state[EDITED] = approval.id
    st.session_state.pop(REFUSED, None)
    reset_form(approval.id)


def _keep_refusal(approval: Approval, arguments: Mapping[str, Any], error: BadArguments) -> bool:
    """Keep the errors of refused arguments for the form; True when each of them has a field there."""
    refusal = errors_by_argument(arguments, error)
    st.session_state[REFUSED] = refusal
    schema = session.services().tool(approval.tool).schema
    return bool(refusal.wrong) and has_fields_for(schema, refusal.wrong)


def _draw_edit_form(approval: Approval, *, approve: Callable[[dict[str, object]], bool]) -> None:
    """Draw the form. `approve` gets the changed arguments; the form closes when it returns True."""
    tool = session.services().tool(approval.tool)
    # Streamlit scrolls a new tab into view; without one a long form would show its end first.
    with st.container(key=f"edit-here-{approval.id}").tabs([gettext("Edit")])[0]:
        _draw_fields(tool, approval, approve)


def _draw_fields(tool: Tool, approval: Approval, approve: Callable[[dict[str, object]], bool]) -> None:
    refusal: ArgumentErrors | None = st.session_state.get(REFUSED)
    # Only the button submits: Enter in a field could press the button that removes an item.
    with st.form(f"edit-form-{approval.id}", border=False, enter_to_submit=False):
        edited = draw_form(tool.schema, approval.arguments, key=approval.id, refusal=refusal)
        is_unclear = has_field_errors()
        if is_unclear or (refusal and refusal.wrong):
            show_field_error(gettext("Not approved yet. What is wrong stands in red under its field."))
        with st.container(horizontal=True, gap="small"):
            wants_it = st.form_submit_button(
                gettext("Approve with these changes"), type="primary", icon=":material/check:"
            )
            keeps_it = st.form_submit_button(gettext("Keep as it was"))
    if wants_it:
        st.session_state.pop(REFUSED, None)
        if is_unclear:
            _check_edit(tool, approval, edited)
        elif approve(edited):
            st.session_state.pop(EDITED, None)
    if keeps_it:
        st.session_state.pop(EDITED, None)
    if keeps_it or wants_it:
        st.rerun()


def _check_edit(tool: Tool, approval: Approval, edited: Mapping[str, Any]) -> None:
    """Validate the whole arguments, so that all errors are shown together with those that fields found themselves."""
    try:
        tool.validate(edited)
    except BadArguments as error:
        _keep_refusal(approval, edited, error)
