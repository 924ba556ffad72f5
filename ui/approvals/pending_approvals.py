"""Approvals that belong to no conversation: asked by the student's own programs, or from their week."""

from datetime import datetime, timedelta

import streamlit as st

from services.approvals.approval import Approval, ApprovalStatus
from services.i18n import gettext
from services.identity.students import Student
from services.safety.text import literal
from services.week.exam_search import ASKED_BY as STUDY
from services.week.loader import ASKED_BY
from ui import session
from ui.approvals.approval_card import draw_approval_card
from ui.flash_message import keep_flash

MOST_SHOWN = 20
SHOWN_FOR = timedelta(hours=1)
"""How long an outcome stays in sight, with its Undo."""
UNSETTLED = (ApprovalStatus.FAILED, ApprovalStatus.UNKNOWN)
"""Outcomes that the week does not show by itself."""
RUNNING = (ApprovalStatus.EXECUTING, ApprovalStatus.UNDOING)


def draw_pending_approvals(student: Student, *, of_page: str = "") -> None:
    """Draw what is pending, and for an hour how it ended. of_page: only what this page of ours has asked for.

    On the week page what was done is seen as an event or a task.
    """
    approvals = _recent(student, of_page)
    if not approvals:
        return
    with st.container(key="waiting-approvals"):
        for approval in approvals:
            st.caption(_asked_by(approval))
            draw_approval_card(student, approval)
    if _are_running(approvals):
        _rerun_when_done(student, of_page)


def _asked_by(approval: Approval) -> str:
    if approval.asked_by == ASKED_BY:
        return gettext(":material/calendar_view_week: From your week")
    if approval.asked_by == STUDY:
        return gettext(":material/school: From your practice")
    approvals = gettext("Asked by your program “{program}”", program=literal(approval.asked_by))
    return f":material/terminal: {approvals}"


def _recent(student: Student, of_page: str) -> list[Approval]:
    services = session.services()
    filters = {"by": of_page} if of_page else {"ended_but": ASKED_BY}
    found = services.approvals.from_programs(student.id, MOST_SHOWN, **filters)
    return [approval for approval in found if _is_shown(approval, services.clock(), of_page)]


def _is_shown(approval: Approval, now: datetime, of_page: str) -> bool:
    if approval.status in (ApprovalStatus.PENDING, *RUNNING):
        return True
    is_new = now - (approval.began_at or approval.created_at) < SHOWN_FOR
    return is_new and (of_page != ASKED_BY or approval.status in UNSETTLED)


def _are_running(approvals: list[Approval]) -> bool:
    return any(approval.status in RUNNING for approval in approvals)


@st.fragment(run_every=1.0)
def _rerun_when_done(student: Student, of_page: str) -> None:
    """Rerun the page when all approved actions have ended. Draws nothing."""
    if not _are_running(_recent(student, of_page)):
        keep_flash()
        st.rerun()
