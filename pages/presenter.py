"""Presenter: the page of whoever shows Homeroom to a room: how to join, and what to show in which order."""

import streamlit as st

from services.safety.text import literal
from ui import session
from ui.classroom.presenter import draw_join, draw_reset
from ui.classroom.presenter_steps import draw_steps, follow_step
from ui.flash_message import show_flash

student = session.current_student()
follow_step(student)
school_class = session.services().classroom.demo.school_class(student)
with st.container(key="presenter", gap="small"):
    st.title(literal(school_class.name))
    show_flash()
    join, script = st.columns([2, 3], gap="large")
    with join:
        draw_join(student, school_class)
        draw_reset(student)
    with script:
        draw_steps()
