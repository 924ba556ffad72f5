"""An action that waits for the student: every field as literal text, and the three answers."""

import streamlit as st

from services.approvals.approval import Approval, ApprovalStatus
from services.errors import ApprovalError, BadArguments, StorageError
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from services.tools.base import PreviewRow
from ui import action, outcome, session
from ui.arguments import form
from ui.chat import approval_edit
from ui.dates import clock_time

ENDINGS = {
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
EXPLAINED = (ApprovalStatus.FAILED, ApprovalStatus.UNKNOWN, ApprovalStatus.UNDO_REFUSED)
"""Endings whose badge alone does not say what happened."""
CHANGE_IT = gettext_noop("Change it, then approve again.")
UNDER_WAY = (ApprovalStatus.EXECUTING, ApprovalStatus.DONE)
LOOK_AGAIN_S = 3.0
"""How long a card that waits here stays behind what was decided in another tab or by a program: one read each time."""


def draw(student: Student, approval: Approval) -> None:
    # The status is part of the key: a card that ends while an answer streams is drawn twice in one run.
    with st.container(border=True, key=f"approval-{approval.id}-{approval.status}", gap="small"):
        st.markdown(f"**:material/front_hand: {literal(gettext(approval.title))}**")
        if approval.status is not ApprovalStatus.PENDING:
            _rows(approval)
            _ending(student, approval)
        elif approval_edit.is_open(approval):
            approval_edit.draw(approval, approve=lambda edited: bool(decide(student, approval, "approve", edited)))
        else:
            _rows(approval)
            _ask(student, approval)
    if approval.status in (ApprovalStatus.PENDING, ApprovalStatus.EXECUTING):
        _watch(student, approval)


@action.guarded
def decide(student: Student, approval: Approval, decision: str, arguments: dict[str, object] | None = None) -> bool:
    """Whether it was decided now; a refusal is told on the next run, unless the card itself shows what came first."""
    services = session.services()
    try:
        services.turns.decide(student, approval.id, decision, arguments, seen=approval.rows)
    except BadArguments as error:
        if arguments is None or not approval_edit.refuse(approval, arguments, error):
            raise ApprovalError(form.unfit(error), next_step=gettext(CHANGE_IT)) from error
        return False
    except ApprovalError:
        if decision != "approve" or services.approvals.get(student.id, approval.id).status not in UNDER_WAY:
            raise
        return False
    return True


def _rows(approval: Approval) -> None:
    with st.container(key=f"rows-{approval.id}-{approval.status}", gap="xsmall"):
        for number, row in enumerate(approval.rows):
            with st.container(key=f"row-{approval.id}-{approval.status}-{number}", horizontal=True, gap="small"):
                st.caption(literal(gettext(row.label)))
                st.text(_in_words(row), width="stretch")


def _in_words(row: PreviewRow) -> str:
    value = row.value or gettext("(empty)")
    if row.before is None or row.before == row.value:
        return value
    return f"{row.before or gettext('(empty)')}  →  {value}"


def _ask(student: Student, approval: Approval) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            gettext("Approve"),
            key=f"approve-{approval.id}",
            type="primary",
            icon=":material/check:",
            on_click=decide,
            args=(student, approval, "approve"),
        )
        st.button(gettext("Edit"), key=f"edit-{approval.id}", on_click=approval_edit.open_for, args=(approval,))
        st.button(
            gettext("Decline"), key=f"decline-{approval.id}", on_click=decide, args=(student, approval, "decline")
        )
    end = clock_time(approval.expires_at, student)
    st.caption(gettext("Nothing happens before you approve. Waits for you until {end}.", end=end))


def _ending(student: Student, approval: Approval) -> None:
    label, color, icon = ENDINGS[approval.status]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(gettext(label), color=color, icon=icon)
        if approval.link and approval.status is not ApprovalStatus.UNDONE:
            st.link_button(gettext("Open"), approval.link, icon=":material/open_in_new:", type="tertiary")
        if approval.can_undo and st.button(
            gettext("Undo"), key=f"undo-{approval.id}", icon=":material/undo:", type="tertiary"
        ):
            undo(student, approval)
    if approval.outcome and approval.status in EXPLAINED:
        st.text(approval.outcome)


def undo(student: Student, approval: Approval) -> None:
    """Take it back, and run the page again."""
    with st.spinner(gettext("Undoing …")), outcome.flash_errors():
        session.services().turns.undo(student, approval.id)
    st.rerun()


@st.fragment(run_every=LOOK_AGAIN_S)
def _watch(student: Student, approval: Approval) -> None:
    """Draws nothing: runs the page again once the approval was decided elsewhere or is done, shows more by now, or its
    time is over.
    """
    try:
        now = session.services().approvals.get(student.id, approval.id)
        is_as_drawn = (now.status, now.rows) == (approval.status, approval.rows)
    except ApprovalError:
        is_as_drawn = False
    except StorageError:
        return
    if not is_as_drawn:
        outcome.keep_flash()
        st.rerun()
