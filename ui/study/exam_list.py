"""Exams: those that a student prepares for with the sessions of each, and those that their services tell of."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby

import streamlit as st

from services.errors import HomeroomError
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.materials.results import CourseStatus
from services.safety.text import literal, one_line
from services.study.exam import Exam, PlannedSession, SessionKind, session_title
from services.week.exam_search import ASKED_BY, FoundExam, find_exams, is_same_exam
from ui import session
from ui.approvals.pending_approvals import draw_pending_approvals
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.local_time import as_heading, clock_time, day_and_time, days_until, local_day, to_local
from ui.session_guard import guarded_callback
from ui.study.exam_plan_dialog import DIALOG as PLAN_DIALOG
from ui.study.open_dialog import close_dialog, field_key, open_dialog

DIALOG, REMOVE_DIALOG = "exam", "remove-exam"
EDIT, REMOVE = gettext_noop("Edit"), gettext_noop("Remove")
ICONS = {EDIT: ":material/edit:", REMOVE: ":material/delete:"}
KIND_ICONS = {
    SessionKind.READ: ":material/menu_book:",
    SessionKind.PRACTISE: ":material/quiz:",
    SessionKind.REVIEW: ":material/style:",
    SessionKind.MOCK: ":material/timer:",
}
FOUND = "study-exams-found"
LOOK_AGAIN_AFTER = timedelta(minutes=10)
MOST_FOUND = 6
SHOWN_BACK, SHOWN_AHEAD = timedelta(days=2), timedelta(days=5)
FEWEST_SHOWN = 3
"""Sessions that stand open; the others are folded."""
USUAL_HOUR = 9


def draw_exams(student: Student, courses: Sequence[CourseStatus], course_key: str) -> None:
    """Draw the exams of a course, or of all, and the way to add one."""
    study, now = session.services().study, session.services().clock()
    draw_pending_approvals(student, of_page=ASKED_BY)
    exams = study.exams.exams(student, course_key or None)
    st.button(
        gettext("Add an exam"),
        icon=":material/add:",
        key="exam-add",
        on_click=open_dialog,
        args=(DIALOG, f"\n{course_key}"),
    )
    if not exams:
        st.caption(
            gettext(
                "No exams yet. Add one, and Homeroom plans the time until then: reading, practice, short reviews and a "
                "mock exam, where you are free."
            )
        )
    names = {status.course.key: status.course.name for status in courses}
    for exam in exams:
        with st.container(border=True, key=f"exam-{exam.id}", gap="small"):
            _draw_exam(student, exam, names, now)
    _draw_found(student, exams, names, now)


def _draw_exam(student: Student, exam: Exam, names: Mapping[str, str], now: datetime) -> None:
    with st.container(horizontal=True, vertical_alignment="top", key=f"exam-head-{exam.id}"):
        distance = as_heading(days_until(exam.at, now, student)) if exam.at > now else gettext("Over")
        facts = (distance, day_and_time(exam.at, student), literal(one_line(names.get(exam.course_key, ""))))
        told = " · ".join(fact for fact in facts if fact)
        st.markdown(f"**{literal(exam.title)}**  \n:small[:gray[{told}]]", width="stretch")
        _draw_menu(student, exam)
    if exam.sessions:
        _draw_sessions(student, exam, now)
    if exam.at > now:
        label = gettext("Plan anew") if exam.sessions else gettext("Plan the time until then")
        with st.container(horizontal=True, key=f"exam-actions-{exam.id}"):
            st.button(
                label,
                icon=":material/event_note:",
                key=f"exam-plan-{exam.id}",
                type="secondary" if exam.sessions else "primary",
                on_click=open_dialog,
                args=(PLAN_DIALOG, exam.id),
            )


def _draw_menu(student: Student, exam: Exam) -> None:
    key = f"exam-menu-{exam.id}"
    st.menu_button(
        gettext("Exam: {title}", title=literal(one_line(exam.title, 40))),
        [EDIT, REMOVE],
        key=key,
        icon=":material/more_horiz:",
        type="tertiary",
        format_func=lambda choice: f"{ICONS[choice]} {gettext(choice)}",
        on_click=_run_choice,
        args=(student, exam, key),
    )


@guarded_callback
def _run_choice(_student: Student, exam: Exam, key: str) -> None:
    kind = DIALOG if st.session_state[key] == EDIT else REMOVE_DIALOG
    open_dialog(kind, f"{exam.id}\n{exam.course_key}")


def _draw_sessions(student: Student, exam: Exam, now: datetime) -> None:
    """The plan as a timeline by day; what was missed says so without blame, and may be moved with a new plan."""
    done = sum(session.done_at is not None for session in exam.sessions)
    st.progress(
        done / len(exam.sessions),
        text=gettext("{done} of {n} sessions done", done=formats.number(done), n=formats.number(len(exam.sessions))),
    )
    if missed := sum(session.is_missed(now) for session in exam.sessions):
        st.caption(
            ngettext(
                "One session did not happen. Plan anew, and it finds a new time.",
                "{n} sessions did not happen. Plan anew, and they find a new time.",
                missed,
            )
        )
    ahead = [planned for planned in exam.sessions if planned.start >= now - SHOWN_BACK]
    first = [planned for planned in ahead if planned.start <= now + SHOWN_AHEAD] or ahead[:FEWEST_SHOWN]
    _draw_days(student, exam, first, now)
    if rest := [planned for planned in exam.sessions if planned not in first]:
        folded = st.expander(
            ngettext("{n} more session", "{n} more sessions", len(rest)), key=f"exam-rest-{exam.id}", on_change="rerun"
        )
        if folded.open:
            with folded:
                _draw_days(student, exam, rest, now)


def _draw_days(student: Student, exam: Exam, sessions: Sequence[PlannedSession], now: datetime) -> None:
    for day, of_day in groupby(sessions, key=lambda planned: local_day(planned.start, student)):
        st.markdown(f":small[**{as_heading(day)}**]")
        for planned in of_day:
            _draw_session(student, exam, planned, now)


def _draw_session(student: Student, exam: Exam, planned: PlannedSession, now: datetime) -> None:
    title = literal(session_title(planned, exam))
    parts = [clock_time(planned.start, student), gettext("{n} minutes", n=planned.minutes)]
    if planned.is_missed(now):
        parts.append(gettext("did not happen"))
    facts = " · ".join(parts)
    st.checkbox(
        f"{KIND_ICONS[planned.kind]} {title} :small[:gray[{facts}]]",
        value=planned.done_at is not None,
        key=f"session-{exam.id}-{planned.id}-{exam.version}",
        on_change=_set_done,
        args=(student, exam.id, planned.id, planned.done_at is None),
    )


@guarded_callback
def _set_done(student: Student, exam_id: str, session_id: str, is_done: bool) -> None:
    try:
        session.services().study.exams.set_done(student, exam_id, session_id, is_done=is_done)
    except HomeroomError as error:
        flash(error)


def _draw_found(student: Student, exams: Sequence[Exam], names: Mapping[str, str], now: datetime) -> None:
    """Exams that courses and calendars tell of, and that are not on the list."""
    listed = [
        FoundExam(source=exam.source, title=exam.title, at=exam.at, course=names.get(exam.course_key, ""))
        for exam in exams
    ]
    found = [exam for exam in _found(student, now) if not any(_is_listed(exam, other) for other in listed)]
    if not found:
        return
    with st.container(key="study-exams-found", gap="xsmall"):
        heading = gettext("In your courses and calendar")
        st.markdown(f"## {heading}")
        for exam in found[:MOST_FOUND]:
            with st.container(horizontal=True, vertical_alignment="center", key=f"exam-found-{exam.source}"):
                facts = " · ".join(filter(None, (day_and_time(exam.at, student), literal(one_line(exam.course)))))
                st.markdown(f"**{literal(one_line(exam.title))}**  \n:small[:gray[{facts}]]", width="stretch")
                st.button(
                    gettext("Prepare for it"),
                    key=f"exam-take-{exam.source}",
                    on_click=_take,
                    args=(student, exam),
                )


def _is_listed(exam: FoundExam, listed: FoundExam) -> bool:
    """The student may have put another day to it."""
    is_renamed = exam.title.casefold() != listed.title.casefold()
    return is_same_exam(exam if is_renamed else replace(exam, at=listed.at), listed)


def _found(student: Student, now: datetime) -> list[FoundExam]:
    """Kept for a while: services are asked for it."""
    kept = st.session_state.get(FOUND)
    if kept is None or not timedelta() <= now - kept[0] < LOOK_AGAIN_AFTER:
        with st.spinner(gettext("Looking for exams in your courses and calendar …")):
            kept = (now, find_exams(session.services().gateway, student, now))
        st.session_state[FOUND] = kept
    return list(kept[1])


def _course_key(exam: FoundExam, courses: Sequence[CourseStatus]) -> str:
    """The course that an exam's own course name means; "" for none."""
    name = exam.course.casefold()
    fitting = (s for s in courses if name and (s.course.name.casefold() in name or name in s.course.name.casefold()))
    return next((status.course.key for status in fitting), "")


@guarded_callback
def _take(student: Student, exam: FoundExam) -> None:
    study = session.services().study
    try:
        course_key = _course_key(exam, session.services().materials.courses(student, live=False).courses)
        added = study.exams.add(student, title=exam.title, at=exam.at, course_key=course_key, source=exam.source)
    except HomeroomError as error:
        flash(error)
        return
    open_dialog(PLAN_DIALOG, added.id)


def draw_exam_dialog(student: Student, subject: str, courses: Sequence[CourseStatus]) -> None:
    """Form of an exam. subject: its id, "" for a new one; then a line with the key of its course."""
    id, _, course_key = subject.partition("\n")
    services = session.services()
    zone_now = to_local(services.clock(), student)
    exam = services.study.exams.exam(student, id) if id else None
    at = (
        exam.at.astimezone(zone_now.tzinfo)
        if exam
        else zone_now.replace(hour=USUAL_HOUR, minute=0) + timedelta(days=14)
    )
    title = st.text_input(gettext("Name"), exam.title if exam else "", max_chars=200, key=field_key("exam-title"))
    day_column, time_column = st.columns(2)
    day = day_column.date_input(gettext("Day"), at.date(), min_value=zone_now.date(), key=field_key("exam-day"))
    clock = time_column.time_input(gettext("Time"), at.time(), key=field_key("exam-time"))
    keys = ["", *(status.course.key for status in courses)]
    names = {status.course.key: status.course.name for status in courses}
    chosen = st.selectbox(
        gettext("Course"),
        keys,
        index=keys.index(course_key) if course_key in keys else 0,
        format_func=lambda key: names.get(key) or gettext("None of them"),
        key=field_key("exam-course"),
        disabled=exam is not None,
    )
    materials = _covered(student, chosen, exam.material_ids if exam else ())
    if st.button(gettext("Save"), type="primary", key=field_key("exam-save")):
        moment = datetime.combine(day, clock, zone_now.tzinfo)
        try:
            if exam:
                services.study.exams.change(student, exam.id, title=title, at=moment, material_ids=materials)
            else:
                exam = services.study.exams.add(
                    student, title=title, at=moment, course_key=chosen, material_ids=materials
                )
        except HomeroomError as error:
            show_error(error)
            return
        close_dialog()
        if not id:
            open_dialog(PLAN_DIALOG, exam.id)
        st.rerun()


def _covered(student: Student, course_key: str, chosen: Sequence[str]) -> list[str]:
    """The materials that an exam covers; none means the whole course."""
    if not course_key:
        return []
    services = session.services()
    exams, now = services.study.exams, services.clock()
    whole = Exam(id="", course_key=course_key, title="", at=now, made_at=now)
    titles = {material.id: material.title for material in exams.covered(student, whole)}
    return st.multiselect(
        gettext("What it covers"),
        list(titles),
        [id for id in chosen if id in titles],
        format_func=lambda id: one_line(titles[id]),
        placeholder=gettext("The whole course"),
        key=field_key(f"exam-materials-{course_key}"),
    )


def draw_removal_dialog(student: Student, subject: str) -> None:
    """Ask before an exam goes with its plan."""
    st.write(gettext("The exam and its plan go. What is in your calendar stays there."))
    if st.button(gettext("Remove"), type="primary", key=field_key("exam-remove")):
        session.services().study.exams.remove(student, subject.partition("\n")[0])
        close_dialog()
        st.rerun()
