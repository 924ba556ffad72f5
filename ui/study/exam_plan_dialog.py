"""Dialog that plans the sessions until an exam: proposed where the student is free, looked over, and then kept."""

from datetime import timedelta
from itertools import groupby

import streamlit as st

from services.errors import HomeroomError
from services.i18n import formats, gettext, ngettext
from services.identity.students import Student
from services.safety.text import literal
from services.study.exam import Exam, PlannedSession, session_title
from services.study.exam_plans.session_planner import SessionPlan
from services.week.exam_search import ASKED_BY, FreeTime, find_free_time
from services.week.exam_search import MOST_AHEAD as PLANNED_AHEAD
from ui import session
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.local_time import as_heading, clock_time, local_day
from ui.study.open_dialog import close_dialog, field_key
from ui.week.week_actions import propose_change

DIALOG, TOOL = "plan-exam", "study_exam_plan"
DAILY_MINUTES = (45, 60, 90, 120, 180)
USUAL_DAILY = 60
FREE = "study-plan-free"
FREE_FOR = timedelta(minutes=5)


def draw_plan_dialog(student: Student, exam_id: str) -> None:
    """Draw the proposal for an exam, with how much a day may hold."""
    exams = session.services().study.exams
    try:
        exam = exams.exam(student, exam_id)
        minutes = st.select_slider(
            gettext("At most a day"),
            DAILY_MINUTES,
            USUAL_DAILY,
            format_func=lambda minutes: gettext("{n} minutes", n=minutes),
            key=field_key("plan-daily"),
        )
        free = _free_time(student, exam)
        plan = exams.propose(student, exam_id, free.stretches, daily_minutes=minutes)
    except HomeroomError as error:
        show_error(error)
        return
    if not free.is_known:
        st.caption(
            gettext("No calendar is connected, so these are usual hours. Move what does not fit when the day comes.")
        )
    if not plan.sessions:
        st.info(gettext("There is no free time until then that is long enough. Free some in your calendar first."))
        return
    _draw_plan(student, exam, plan)
    if free.is_known:
        st.caption(gettext("You see exactly what goes into your calendar before anything is written."))
    with st.container(horizontal=True, key=field_key("plan-actions")):
        if free.is_known and st.button(
            gettext("Show me the entries"), type="primary", icon=":material/event:", key=field_key("plan-calendar")
        ):
            with st.spinner(gettext("Preparing the entries …")):
                propose_change(student, TOOL, {"exam": exam.id, "daily_minutes": minutes}, asked_by=ASKED_BY)
            close_dialog()
            st.rerun()
        kind = "secondary" if free.is_known else "primary"
        if st.button(gettext("Keep it here only"), type=kind, icon=":material/check:", key=field_key("plan-keep")):
            exams.keep(student, exam_id, plan.sessions)
            close_dialog()
            flash(gettext("The plan is kept. Today and This week show its sessions."))
            st.rerun()


def _free_time(student: Student, exam: Exam) -> FreeTime:
    """Kept while the dialog is open: calendars are asked for it."""
    now = session.services().clock()
    kept = st.session_state.get(FREE)
    if kept is None or kept[0] != exam.id or not timedelta() <= now - kept[1] < FREE_FOR:
        with st.spinner(gettext("Looking for your free time …")):
            session.services().study.exams.look_at_materials(student, exam)
            kept = (exam.id, now, find_free_time(session.services().gateway, student, now, exam.at))
        st.session_state[FREE] = kept
    free: FreeTime = kept[2]
    return free


def _draw_plan(student: Student, exam: Exam, plan: SessionPlan) -> None:
    hours = sum(planned.minutes for planned in plan.sessions) / 60
    st.markdown(
        ngettext(
            "**{n} session**, {hours} hours in all",
            "**{n} sessions**, {hours} hours in all",
            len(plan.sessions),
            hours=formats.number(hours, 1),
        )
    )
    with st.container(height=340 if len(plan.sessions) > 6 else "content", key=field_key("plan-days"), gap="xsmall"):
        for day, sessions in groupby(plan.sessions, key=lambda planned: local_day(planned.start, student)):
            lines = [_session_line(student, exam, planned) for planned in sessions]
            st.markdown(f":small[**{as_heading(day)}**]\n" + "\n".join(lines))
    if plan.left_out:
        st.warning(
            gettext(
                "There is no free time for about {hours} hours more: {what}",
                hours=formats.number(max(1, round(plan.left_minutes / 60))),
                what=literal(", ".join(plan.left_out[:5])),
            )
        )
    if exam.at - session.services().clock() > PLANNED_AHEAD:
        st.caption(gettext("What lies further ahead is planned when it comes nearer."))


def _session_line(student: Student, exam: Exam, planned: PlannedSession) -> str:
    minutes = gettext("{n} minutes", n=planned.minutes)
    title = literal(session_title(planned, exam))
    return f"- {clock_time(planned.start, student)} · {title} :small[:gray[{minutes}]]"
