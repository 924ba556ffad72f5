"""Sign-in sessions of the student: list, end one of them, or all."""

from datetime import datetime, timedelta

import streamlit as st

from services.i18n import gettext
from services.identity.sign_in_sessions import SignInSession
from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.error_boundary import error_boundary
from ui.flash_message import flash
from ui.local_time import local_day
from ui.session import read_claims
from ui.session_guard import guarded_callback


def draw_sign_in_sessions(student: Student) -> None:
    st.markdown(gettext("## Signed-in devices"))
    st.caption(
        gettext(
            "Browsers in which you are signed in. One that you sign out here has to sign in again with its next click."
        )
    )
    claims = read_claims()
    with error_boundary():
        devices = session.services().students.sign_in_sessions(student.id)
        if not devices:
            st.caption(
                gettext("Your sign-in service does not tell one sign-in from another, so there is nothing to list.")
            )
        for device in devices:
            _draw_session(student, device, is_this_one=claims is not None and device.session == claims.session)


def _draw_session(student: Student, device: SignInSession, *, is_this_one: bool) -> None:
    with st.container(
        key=f"device-{device.session}",
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment="distribute",
        gap="small",
    ):
        with st.container(gap=None):
            browser = f"**{literal(device.browser)}**"
            st.markdown(gettext("{browser} · this one", browser=browser) if is_this_one else browser)
            began = local_day(device.began_at, student)
            seen = gettext("now") if is_this_one else _last_seen(student, device.seen_at)
            st.caption(gettext("Signed in on {began}. Last seen {seen}.", began=began, seen=seen))
        if not is_this_one:
            st.button(
                gettext("End"),
                key=f"end-device-{device.session}",
                icon=":material/logout:",
                help=gettext("Sign out {browser}", browser=literal(device.browser)),
                on_click=_end_session,
                args=(student, device),
            )


def _last_seen(student: Student, seen_at: datetime) -> str:
    now = session.services().clock()
    if now - seen_at < timedelta(hours=1):
        return gettext("within the last hour")
    day = local_day(seen_at, student)
    return gettext("earlier today") if day == local_day(now, student) else gettext("on {day}", day=day)


@guarded_callback
def _end_session(student: Student, device: SignInSession) -> None:
    session.services().students.end_session(student.id, device.session)
    flash(gettext("{browser} is signed out with its next click.", browser=device.browser))


def draw_sign_out_everywhere(student: Student) -> None:
    with st.popover(gettext("Sign out everywhere"), icon=":material/logout:", key="sign-out-everywhere"):
        st.write(
            gettext(
                "Every session of yours ends with its next click: in this browser, in others and on all your devices. "
                "Nothing is deleted, and answers that are being written are finished."
            )
        )
        st.button(
            gettext("End all my sessions"),
            type="primary",
            on_click=_end_all_sessions,
            args=(student,),
            key="end-sessions",
            width="stretch",
        )


@guarded_callback
def _end_all_sessions(student: Student) -> None:
    session.sign_out_everywhere(student)
