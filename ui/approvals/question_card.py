"""Card of a question that a turn asks the student: choices as buttons, and a field for another answer."""

import streamlit as st

from services.approvals.approval import LONGEST_ANSWER, Approval, ApprovalStatus
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.local_time import day_and_time
from ui.session_guard import guarded_callback

OUTCOMES = {
    ApprovalStatus.DECLINED: gettext_noop("Skipped"),
    ApprovalStatus.EXPIRED: gettext_noop("Expired without an answer"),
    ApprovalStatus.WITHDRAWN: gettext_noop("Put aside: you wrote something else"),
}
OVER = gettext_noop("Over")


def draw_question_card(student: Student, approval: Approval) -> None:
    # Keys must be unique in a run: a card whose status changes while an answer streams is drawn twice in it.
    with st.container(border=True, key=f"question-{approval.id}-{approval.status}", gap="small"):
        st.markdown(f"**:material/contact_support: {literal(str(approval.arguments['question']))}**")
        if approval.status is ApprovalStatus.PENDING:
            _draw_choices(student, approval)
        else:
            _draw_outcome(approval)


@guarded_callback
def answer_question(student: Student, approval: Approval, text: str) -> None:
    """Send the answer, once; when another answer came first, an error is flashed on the next run."""
    session.services().turns.answer(student, approval.id, text)


def _draw_choices(student: Student, approval: Approval) -> None:
    with st.container(horizontal=True, gap="small", key=f"choices-{approval.id}"):
        for number, choice in enumerate(approval.arguments["choices"]):
            key = f"choice-{approval.id}-{number}"
            st.button(literal(choice), key=key, on_click=answer_question, args=(student, approval, choice))
    if approval.arguments.get("allow_other", True):
        _draw_own_answer(student, approval)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        end = day_and_time(approval.expires_at, student)
        st.caption(gettext("Homeroom goes on when you answer. It waits until {end}.", end=end))
        st.button(gettext("Skip"), key=f"skip-{approval.id}", type="tertiary", on_click=_skip, args=(student, approval))


def _draw_own_answer(student: Student, approval: Approval) -> None:
    key = f"own-{approval.id}"
    row = st.form(f"own-words-{approval.id}", border=False).container(
        horizontal=True, gap="small", vertical_alignment="bottom"
    )
    with row:
        st.text_input(
            gettext("Something else"), max_chars=LONGEST_ANSWER, key=key, placeholder=gettext("In your own words")
        )
        st.form_submit_button(
            gettext("Answer"), icon=":material/send:", on_click=_answer_own, args=(student, approval, key)
        )


@guarded_callback
def _answer_own(student: Student, approval: Approval, key: str) -> None:
    if text := str(st.session_state[key] or "").strip():
        session.services().turns.answer(student, approval.id, text)


@guarded_callback
def _skip(student: Student, approval: Approval) -> None:
    session.services().turns.decide(student, approval.id, "decline")


def _draw_outcome(approval: Approval) -> None:
    if approval.status is ApprovalStatus.DONE:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.badge(gettext("You answered"), color="green", icon=":material/check_circle:")
            st.text(approval.outcome, width="stretch")
    else:
        st.badge(gettext(OUTCOMES.get(approval.status, OVER)), color="gray", icon=":material/do_not_disturb_on:")
