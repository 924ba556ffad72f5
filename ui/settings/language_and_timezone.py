"""Settings of a student's language and time zone."""

import streamlit as st

from services.i18n import LANGUAGES, gettext, locale_scope
from services.identity import time_zones
from services.identity.students import Student
from ui import session
from ui.local_time import clock_time
from ui.session_guard import guarded_callback

LANGUAGE = "language"
TIMEZONE = "timezone"


def draw_language_setting(student: Student) -> None:
    # The store may be newer than what is shown in an older tab of this page.
    st.session_state[LANGUAGE] = student.language
    st.selectbox(
        gettext("You read Homeroom in"),
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key=LANGUAGE,
        on_change=_save_language,
        args=(student,),
    )
    st.caption(gettext("The assistant answers in the language of your message."))


@guarded_callback
def _save_language(student: Student) -> None:
    session.services().students.set_language(student.id, st.session_state[LANGUAGE], st.context.locale)


def draw_timezone_setting(student: Student) -> None:
    now = session.services().clock()
    # The provider may name a zone that the list does not have, such as "EST".
    zones = {student.timezone: time_zones.time_zone_label(student.timezone, now)} | time_zones.time_zone_choices(now)
    # The store may be newer than what is shown in an older tab of this page.
    st.session_state[TIMEZONE] = student.timezone
    st.selectbox(
        gettext("Dates and times are shown in"),
        list(zones),
        key=TIMEZONE,
        format_func=zones.__getitem__,
        on_change=_save_timezone,
        args=(student,),
    )
    st.caption(gettext("It is {time} there now.", time=clock_time(now, student)))


@guarded_callback
def _save_timezone(student: Student) -> None:
    students, zone = session.services().students, st.session_state[TIMEZONE]
    # In the stored language: another tab may have changed it since this one was drawn.
    with locale_scope(students.set_timezone(student.id, zone, elsewhere=st.context.timezone).locale):
        st.toast(gettext("Time zone saved."), icon=":material/check_circle:")
