"""How students join a class: its code, link and QR picture, until when they work, and for how many."""

from base64 import b64encode
from datetime import datetime, time, timedelta

import streamlit as st

from services.classes.join_codes import join_address, qr_picture, spaced_join_code
from services.classes.school_class import SchoolClass
from services.errors import HomeroomError
from services.i18n import gettext, ngettext
from services.identity.students import Student
from ui import session
from ui.error_boundary import show_error
from ui.flash_message import flash
from ui.local_time import local_day, to_local
from ui.optional_fields import optional_date
from ui.session_guard import guarded_callback, guarded_dialog

QR_ICON, CODE_ICON = ":material/qr_code_2:", ":material/key:"


def draw_join_code(student: Student, school_class: SchoolClass, members: int) -> None:
    """Code, link and QR picture of a class, for its instructors. members: how many students are in it."""
    with st.container(border=True, key="class-join-code", gap="small"):
        heading = gettext("How students join")
        st.markdown(f"## {heading}")
        if school_class.archived_at is not None:
            st.write(gettext("This class is over: nobody can join it."))
            return
        is_open = school_class.is_code_open(session.services().clock())
        if not school_class.join_code:
            st.write(gettext("There is no code: nobody can join by themselves."))
        else:
            _draw_code(student, school_class, is_open=is_open)
        st.caption(ngettext("{n} student of {most}", "{n} students of {most}", members, most=school_class.most_members))
        _draw_actions(student, school_class)


def _draw_code(student: Student, school_class: SchoolClass, *, is_open: bool) -> None:
    st.html(f"<p class='join-code'>{spaced_join_code(school_class.join_code)}</p>")
    st.code(_address(school_class), language=None, wrap_lines=True)
    ends = school_class.code_ends_at
    if not is_open and ends is not None:
        st.warning(gettext("The code has ended on {day}.", day=local_day(ends, student)), icon=":material/timer_off:")
    elif ends is not None:
        st.caption(gettext("Works until the end of {day}.", day=local_day(ends - timedelta(seconds=1), student)))
    else:
        st.caption(gettext("Works as long as the class."))


def _draw_actions(student: Student, school_class: SchoolClass) -> None:
    with st.container(horizontal=True, key="class-code-actions"):
        if school_class.join_code and st.button(
            gettext("Show the QR picture"), type="primary", icon=QR_ICON, key="class-qr"
        ):
            guarded_dialog(gettext("Scan to join"), _draw_qr, icon=QR_ICON)(student, school_class)
        if st.button(
            gettext("New code") if school_class.join_code else gettext("Make a code"),
            icon=CODE_ICON,
            key="class-code-new",
        ):
            guarded_dialog(gettext("New join code"), _draw_renewal, icon=CODE_ICON)(student, school_class)
        if school_class.join_code:
            if st.button(gettext("Change its end"), icon=":material/event:", key="class-code-end"):
                guarded_dialog(gettext("Until when the code works"), _draw_end)(student, school_class)
            st.button(
                gettext("Close the code"),
                icon=":material/lock:",
                key="class-code-close",
                on_click=_close,
                args=(student, school_class.id),
            )


def _draw_qr(_student: Student, school_class: SchoolClass) -> None:
    """QR picture and code, as large as the screen allows: for the wall of a room."""
    picture = b64encode(qr_picture(_address(school_class))).decode()
    words = gettext("QR picture that opens the page to join")
    st.html(f'<img class="join-qr" alt="{words}" src="data:image/png;base64,{picture}">')
    st.html(f"<p class='join-code large'>{spaced_join_code(school_class.join_code)}</p>")
    st.code(_address(school_class), language=None, wrap_lines=True)


def _draw_renewal(student: Student, school_class: SchoolClass) -> None:
    if school_class.join_code:
        st.write(gettext("The code, link and picture of now stop working. Who is in the class stays in it."))
    ends_at = _choose_end(student, None, key=f"renew-{school_class.version}")
    if st.button(gettext("Make the new code"), type="primary", key="class-code-renew"):
        classes = session.services().classroom.classes
        try:
            classes.renew_code(student, school_class.id, seen=school_class.join_code, ends_at=ends_at)
        except HomeroomError as error:
            show_error(error)
            return
        flash(gettext("There is a new code."))
        st.rerun()


def _draw_end(student: Student, school_class: SchoolClass) -> None:
    ends_at = _choose_end(student, school_class.code_ends_at, key=f"end-{school_class.version}")
    if st.button(gettext("Save"), type="primary", key="class-code-end-save"):
        classes = session.services().classroom.classes
        try:
            classes.set_code_end(student, school_class.id, version=school_class.version, ends_at=ends_at)
        except HomeroomError as error:
            show_error(error)
            return
        st.rerun()


def _choose_end(student: Student, ends_at: datetime | None, *, key: str) -> datetime | None:
    """Last day on which a code works, in the student's own time zone; the moment at which it is over."""
    now = to_local(session.services().clock(), student)
    last = (to_local(ends_at, student) - timedelta(seconds=1)).date() if ends_at else None
    day = optional_date(
        gettext("Last day; none for as long as the class"),
        last,
        min_value=min(now.date(), last or now.date()),
        key=f"class-code-day-{key}",
    )
    if day is None:
        return None
    return datetime.combine(day, time(), now.tzinfo) + timedelta(days=1)


@guarded_callback
def _close(student: Student, class_id: str) -> None:
    session.services().classroom.classes.close_code(student, class_id)
    flash(gettext("The code is closed. Nobody can join by it any more."))


def _address(school_class: SchoolClass) -> str:
    return join_address(session.services().settings.public_url, school_class.join_code)
