"""Exam windows of an assistant: those that there are, and a form for another; each holds as soon as it is set."""

import secrets
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import streamlit as st

from services.assistants.class_assistant import ExamWindow
from services.classes.assistants.assistant_record import AssistantRecord
from services.classes.assistants.exam_windows import window_bounds
from services.errors import HomeroomError
from services.i18n import formats, gettext, gettext_noop
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.classroom.assistants.student_summary import window_line
from ui.error_boundary import show_error
from ui.local_time import to_local
from ui.session_guard import guarded_callback

SET_LAST = "exam window set last"
"""What is told of it, by the assistant's id: in the panel, which is far below the page's own messages."""
OPENED = "exam windows opened"
"""Ids of the assistants whose windows were changed here."""
MODES = {"closed": gettext_noop("Closed"), "rules": gettext_noop("Explains only the rules")}


def draw_exam_windows(student: Student, record: AssistantRecord) -> None:
    """Draw the windows that are not over, and the form."""
    now = session.services().clock()
    coming = [window for window in record.windows if window.ends_at > now]
    label = gettext("Exam windows ({n})", n=len(coming)) if coming else gettext("Exam windows")
    told = st.session_state.get(SET_LAST, {}).pop(record.id, "")
    # A new label closes an expander, unless it is to be open.
    opened: set[str] = st.session_state.setdefault(OPENED, set())
    with st.expander(label, icon=":material/event_busy:", expanded=record.id in opened):
        st.caption(
            gettext(
                "While a window is open, this assistant is closed, or explains only the rules. It holds as soon as it "
                "is set, for answers that are being written, too, and students see until when. It does not bind "
                "other assistants: those still answer no running exam, but they are open."
            )
        )
        if told:
            st.success(literal(told), icon=":material/check_circle:")
        for window in coming:
            _draw_window(student, record, window, now)
        _draw_new(student, record, now)


def _draw_window(student: Student, record: AssistantRecord, window: ExamWindow, now: datetime) -> None:
    with st.container(border=True, key=f"window-{window.id}", gap="xsmall"):
        if window.is_open(now):
            st.badge(gettext("Open now"), color="orange")
        st.markdown(literal(window_line(student, window)))
        if window.rules:
            st.caption(literal(window.rules))
        st.button(
            gettext("End it now") if window.is_open(now) else gettext("Remove"),
            icon=":material/close:",
            key=f"window-remove-{window.id}",
            on_click=_remove,
            args=(student, record, window),
        )


def _draw_new(student: Student, record: AssistantRecord, now: datetime) -> None:
    local = to_local(now, student)
    number = st.session_state.setdefault(f"window-form-{record.id}", secrets.token_hex(4))
    with st.form(f"window-new-{number}", border=False):
        tomorrow, step = local.date() + timedelta(days=1), timedelta(minutes=5)
        # A row for each end: on a phone, where columns follow one another, a time stands under its day.
        first, second = st.columns(2)
        day = first.date_input(gettext("Begins on"), tomorrow, key=f"window-day-{number}")
        begins = second.time_input(gettext("At"), time(9), step=step, key=f"window-begins-{number}")
        first, second = st.columns(2)
        until = first.date_input(gettext("Ends on"), tomorrow, key=f"window-until-{number}")
        ends = second.time_input(gettext("At"), time(11), step=step, key=f"window-ends-{number}")
        st.caption(gettext("Times are yours ({zone}); each student reads them in their own.", zone=student.timezone))
        mode = st.radio(
            gettext("Meanwhile"),
            list(MODES),
            format_func=lambda mode: gettext(MODES[mode]),
            horizontal=True,
            key=f"window-mode-{number}",
        )
        rules = st.text_area(
            gettext("What students are told of this exam"),
            max_chars=1000,
            key=f"window-rules-{number}",
            placeholder=gettext(
                "Such as: One sheet of notes is allowed. Ask your instructor when a question is unclear."
            ),
        )
        if not st.form_submit_button(gettext("Set the window"), icon=":material/add:"):
            return
    zone = ZoneInfo(student.timezone)
    begins_at, ends_at = window_bounds(datetime.combine(day, begins), datetime.combine(until, ends), zone)
    window = ExamWindow(
        id=number,
        begins_at=begins_at,
        ends_at=ends_at,
        mode="closed" if mode == "closed" else "rules",
        timezone=student.timezone,
        rules=rules.strip(),
    )
    _add(student, record, window)


def _add(student: Student, record: AssistantRecord, window: ExamWindow) -> None:
    try:
        session.services().classroom.assistants.set_windows(
            student, record.id, (*record.windows, window), seen=record.windows
        )
    except HomeroomError as error:
        show_error(error)
        return
    st.session_state.pop(f"window-form-{record.id}", None)
    when = formats.span(window.begins_at, window.ends_at, ZoneInfo(student.timezone))
    _tell(record, gettext("The exam window is set: {when}.", when=when))
    st.rerun()


@guarded_callback
def _remove(student: Student, record: AssistantRecord, window: ExamWindow) -> None:
    left = tuple(each for each in record.windows if each.id != window.id)
    session.services().classroom.assistants.set_windows(student, record.id, left, seen=record.windows)
    _tell(record, gettext("The exam window is gone; the assistant answers as ever."))


def _tell(record: AssistantRecord, outcome: str) -> None:
    """Have the panel open, and say this there, on the next run."""
    st.session_state.setdefault(OPENED, set()).add(record.id)
    st.session_state.setdefault(SET_LAST, {})[record.id] = outcome
