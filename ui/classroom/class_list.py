"""The classes that a student is in."""

import streamlit as st

from services.identity.students import Student
from ui import session


def draw_classes(student: Student) -> None:
    """A line for each class."""
    for found, _role in session.services().classroom.classes.of_student(student.id):
        with st.container(border=True, key=f"class-{found.id}"):
            st.markdown(f"**{found.name}**")
            st.caption(found.term)
