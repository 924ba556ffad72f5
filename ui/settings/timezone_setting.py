"""The student's time zone: every date in an answer is told in it."""

import streamlit as st

from services import timezones
from services.language import say, spoken
from services.students import Student
from ui import action, session
from ui.dates import clock_time

KEY = "timezone"


def draw(student: Student) -> None:
    now = session.services().clock()
    # Sign-in may know another name for a zone than the list, such as "EST".
    zones = {student.timezone: timezones.called(student.timezone, now)} | timezones.choices(now)
    # The store knows better than an older tab of this page.
    st.session_state[KEY] = student.timezone
    st.selectbox(
        say("Dates and times are shown in"),
        list(zones),
        key=KEY,
        format_func=zones.__getitem__,
        on_change=_keep,
        args=(student,),
    )
    st.caption(say("It is {time} there now.", time=clock_time(now, student)))


@action.guarded
def _keep(student: Student) -> None:
    students, zone = session.services().students, st.session_state[KEY]
    # In the language of now: another tab may have changed it since this one was drawn.
    with spoken(students.set_timezone(student.id, zone, elsewhere=st.context.timezone).locale):
        st.toast(say("Time zone saved."), icon=":material/check_circle:")
