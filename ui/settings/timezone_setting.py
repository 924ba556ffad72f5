"""The student's time zone: every date in an answer is told in it."""

import streamlit as st

from services.i18n import gettext, locale_scope
from services.identity import time_zones
from services.identity.students import Student
from ui import action, session
from ui.dates import clock_time

KEY = "timezone"


def draw(student: Student) -> None:
    now = session.services().clock()
    # Sign-in may know another name for a zone than the list, such as "EST".
    zones = {student.timezone: time_zones.called(student.timezone, now)} | time_zones.choices(now)
    # The store knows better than an older tab of this page.
    st.session_state[KEY] = student.timezone
    st.selectbox(
        gettext("Dates and times are shown in"),
        list(zones),
        key=KEY,
        format_func=zones.__getitem__,
        on_change=_keep,
        args=(student,),
    )
    st.caption(gettext("It is {time} there now.", time=clock_time(now, student)))


@action.guarded
def _keep(student: Student) -> None:
    students, zone = session.services().students, st.session_state[KEY]
    # In the language of now: another tab may have changed it since this one was drawn.
    with locale_scope(students.set_timezone(student.id, zone, elsewhere=st.context.timezone).locale):
        st.toast(gettext("Time zone saved."), icon=":material/check_circle:")
