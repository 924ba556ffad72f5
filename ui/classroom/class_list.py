"""The classes that a student is in."""

import streamlit as st

from services.identity.students import Student
from services.safety.text import literal
from ui import session
from ui.classroom.class_address import open_class


def draw_classes(student: Student) -> None:
    """A line for each class, which opens it."""
    for found, _role in session.services().classroom.classes.of_student(student.id):
        with st.container(border=True, key=f"class-line-{found.id}"):
            st.button(
                literal(found.name),
                key=f"open-class-{found.id}",
                type="tertiary",
                on_click=open_class,
                args=(found.id,),
            )
            if found.term:
                st.caption(literal(found.term))
