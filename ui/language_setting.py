"""The language that a student reads Homeroom in."""

import streamlit as st

from services.language import LANGUAGES, say
from services.students import Student
from ui import session


def draw(student: Student) -> None:
    choices = list(LANGUAGES)
    chosen = st.selectbox(
        say("You read Homeroom in"),
        choices,
        index=choices.index(student.language),
        format_func=LANGUAGES.__getitem__,
        key="language",
    )
    st.caption(say("The assistant answers in the language of your message."))
    if chosen != student.language:
        session.services().students.set_language(student.id, chosen, st.context.locale)
        session.forget()
        st.rerun()
