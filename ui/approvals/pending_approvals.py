"""Pending approvals: the cards of those that belong to no conversation, a list of all, and a badge that counts them."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

import streamlit as st

from services.approvals.approval import Approval, ApprovalStatus
from services.errors import ApprovalError, StorageError
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.navigation import ACTIVITY_PAGE, CHAT_PAGE, WEEK_PAGE
from services.safety.text import literal, one_line
from services.tools.result import PreviewRow
from services.week.exam_search import ASKED_BY as STUDY
from services.week.loader import ASKED_BY
from services.week.today import PendingCard
from ui import session
from ui.approvals.approval_card import draw_approval_card
from ui.flash_message import flash, keep_flash

MOST_SHOWN = 20
SHOWN_FOR = timedelta(hours=1)
"""How long an outcome stays in sight, with its Undo."""
UNSETTLED = (ApprovalStatus.FAILED, ApprovalStatus.UNKNOWN)
"""Outcomes that the week does not show by itself."""
RUNNING = (ApprovalStatus.EXECUTING, ApprovalStatus.UNDOING)
MOST_LISTED = 20
MOST_COUNTED = 99
LONGEST_LABEL = 90
AWAITED = "awaited approvals"
"""Ids of those that were drawn last and had not ended."""
_DOT = """<style>[data-testid="stExpandSidebarButton"]::after {{ content: "{count}"; }}</style>"""
"""Where the sidebar is closed, as on a phone, the button that opens it tells the number."""


def flash_done(student: Student, approvals: Sequence[Approval]) -> None:
    """Flash what has been done since the cards were drawn last, for a page that shows its outcome by no card.

    approvals: those that this run draws; what ended since they were read is told by the next run.
    """
    drawn = {approval.id for approval in approvals}
    for id in [id for id in st.session_state.pop(AWAITED, ()) if id not in drawn]:
        with suppress(ApprovalError):
            approval = session.services().approvals.get(student.id, id)
            if approval.status is ApprovalStatus.DONE:
                flash(_done_words(approval))


def _done_words(approval: Approval) -> str:
    done = gettext("Done: {action}.", action=_action(approval.title, approval.rows))
    place = gettext("To undo it, open its entry here or look under Activity.")
    return f"{done} {place}" if approval.can_undo else done


def draw_pending_approvals(student: Student, *, of_page: str = "", approvals: Sequence[Approval] | None = None) -> None:
    """Draw what is pending, and for an hour how it ended. of_page: only what this page of ours has asked for.

    approvals: as they were before the page read what they change, where it shows that; what ended meanwhile runs the
    page again. On the week page what was done is seen as an event or a task.
    """
    approvals = recent_approvals(student, of_page) if approvals is None else approvals
    st.session_state[AWAITED] = [each.id for each in approvals if each.status in (ApprovalStatus.PENDING, *RUNNING)]
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


def recent_approvals(student: Student, of_page: str = "") -> list[Approval]:
    """What is pending, and what ended within the hour."""
    services = session.services()
    filters = {"by": of_page} if of_page else {"ended_but": ASKED_BY}
    found = services.approvals.from_programs(student.id, MOST_SHOWN, **filters)
    return [approval for approval in found if _is_shown(approval, services.clock(), of_page)]


def _is_shown(approval: Approval, now: datetime, of_page: str) -> bool:
    if approval.status in (ApprovalStatus.PENDING, *RUNNING):
        return True
    is_new = now - (approval.began_at or approval.created_at) < SHOWN_FOR
    return is_new and (of_page != ASKED_BY or approval.status in UNSETTLED)


def _are_running(approvals: Sequence[Approval]) -> bool:
    return any(approval.status in RUNNING for approval in approvals)


@st.fragment(run_every=1.0)
def _rerun_when_done(student: Student, of_page: str) -> None:
    """Rerun the page when all approved actions have ended. Draws nothing."""
    if not _are_running(recent_approvals(student, of_page)):
        keep_flash()
        st.rerun()


def draw_waiting_cards(cards: Sequence[PendingCard]) -> None:
    """Draw the way to each card, under a heading; nothing when there is none."""
    if not cards:
        return
    with st.container(key="waiting-cards", gap="xsmall"):
        heading = gettext("Waits for your decision")
        st.markdown(f"## {heading}")
        for card in cards:
            # A link to another chat of the same page would leave the address as it is.
            if st.button(_label(card), key=f"review-{card.id}", icon=":material/pending_actions:", type="tertiary"):
                page, parameters = _place(card)
                st.switch_page(page, query_params=parameters)


def draw_waiting_badge(student: Student) -> None:
    """Draw the number of cards that wait, as a link to their list; nothing when there is none."""
    with suppress(StorageError):
        count = len(session.services().approvals.waiting(student.id, MOST_COUNTED))
        if count:
            with st.container(key="waiting-badge"):
                label = ngettext("{n} decision waits for you", "{n} decisions wait for you", count)
                st.page_link(ACTIVITY_PAGE.script, label=label, icon=":material/pending_actions:")
            st.html(_DOT.format(count=formats.number(count)))


def _label(card: PendingCard) -> str:
    about = _action(card.title, card.rows)
    sentence = gettext_noop("Answer “{title}”") if card.is_question else gettext_noop("Review “{title}”")
    return gettext(sentence, title=literal(about))


def _action(title: str, rows: Sequence[PreviewRow]) -> str:
    """What is done and to what, as the card's first row says it."""
    return one_line(": ".join([gettext(title), *(row.value for row in rows[:1])]), LONGEST_LABEL)


def _place(card: PendingCard) -> tuple[str, dict[str, str]]:
    """Page and parameters of where it stands whole: in its chat, on the week's page, or, of a program, on Today."""
    if card.conversation_id:
        return CHAT_PAGE.script, {"c": card.conversation_id}
    return (WEEK_PAGE.script if card.asked_by == ASKED_BY else CHAT_PAGE.script), {}
