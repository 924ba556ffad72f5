"""Settings: where the student is signed in, and how to end it there."""

from datetime import datetime, timedelta

import streamlit as st

from services.i18n import gettext
from services.identity.sign_in_sessions import Device
from services.identity.students import Student
from services.safety.text import literal
from ui import action, identity, outcome, problems, session
from ui.dates import in_words


def draw(student: Student) -> None:
    st.markdown(gettext("## Signed-in devices"))
    st.caption(gettext("Browsers in which you are signed in. One that you end is out with its next click."))
    who = identity.claimed()
    with problems.calmly():
        devices = session.services().students.devices(student.id)
        if not devices:
            st.caption(
                gettext("Your sign-in service does not tell one sign-in from another, so there is nothing to list.")
            )
        for device in devices:
            _row(student, device, is_this_one=who is not None and device.session == who.session)


def _row(student: Student, device: Device, *, is_this_one: bool) -> None:
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
            began = in_words(device.began_at, student)
            seen = gettext("now") if is_this_one else _roughly(student, device.seen_at)
            st.caption(gettext("Signed in on {began}. Last seen {seen}.", began=began, seen=seen))
        if not is_this_one:
            st.button(
                gettext("End"),
                key=f"end-device-{device.session}",
                icon=":material/logout:",
                help=gettext("Sign out {browser}", browser=literal(device.browser)),
                on_click=_end,
                args=(student, device),
            )


def _roughly(student: Student, seen_at: datetime) -> str:
    now = session.services().clock()
    if now - seen_at < timedelta(hours=1):
        return gettext("within the last hour")
    day = in_words(seen_at, student)
    return gettext("earlier today") if day == in_words(now, student) else gettext("on {day}", day=day)


@action.guarded
def _end(student: Student, device: Device) -> None:
    session.services().students.end_session(student.id, device.session)
    outcome.flash(gettext("{browser} is signed out with its next click.", browser=device.browser))
