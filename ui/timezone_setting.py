"""The student's time zone: every date in an answer is told in it."""

from zoneinfo import available_timezones

import streamlit as st

from services.language import say
from services.students import Student
from ui import session
from ui.dates import clock_time


def draw(student: Student) -> None:
    zones = [*sorted(zone for zone in available_timezones() if _is_place(zone)), "UTC"]
    index = zones.index(student.timezone) if student.timezone in zones else zones.index("UTC")
    chosen = st.selectbox(say("Dates and times are shown in"), zones, index=index, key="timezone")
    now = session.services().clock()
    st.caption(say("It is {time} there now.", time=clock_time(now, student)))
    if chosen != student.timezone:
        session.services().students.set_timezone(student.id, chosen)
        session.forget()
        st.toast(say("Time zone saved."), icon=":material/check_circle:")
        st.rerun()


def _is_place(zone: str) -> bool:
    return "/" in zone and not zone.startswith(("Etc/", "SystemV/"))
