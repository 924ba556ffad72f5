"""The language that a student reads Homeroom in."""

import streamlit as st

from services.i18n import LANGUAGES, gettext
from services.identity.students import Student
from ui import action, session

KEY = "language"


def draw(student: Student) -> None:
    # The store knows better than an older tab of this page.
    st.session_state[KEY] = student.language
    st.selectbox(
        gettext("You read Homeroom in"),
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key=KEY,
        on_change=_keep,
        args=(student,),
    )
    st.caption(gettext("The assistant answers in the language of your message."))


@action.guarded
def _keep(student: Student) -> None:
    session.services().students.set_language(student.id, st.session_state[KEY], st.context.locale)
