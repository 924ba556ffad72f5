"""People of a class."""

import streamlit as st

from services.classes.school_class import SchoolClass
from services.identity.students import Student
from ui import session


def draw_people(student: Student, school_class: SchoolClass) -> None:
    """The people of a class: all of them for its instructors, its instructors alone for everybody else."""
    classes = session.services().classroom.classes
    for instructor in classes.instructors(student, school_class.id):
        st.markdown(instructor.name)
