"""Classroom: the classes that a student is in, and what an instructor sets up for one."""

import streamlit as st

from services.i18n import gettext
from ui import session
from ui.classroom.class_list import draw_classes
from ui.flash_message import show_flash

student = session.current_student()
st.title(gettext("Classroom"))
st.caption(gettext("Your classes, and what each one gives you here."))
show_flash()
draw_classes(student)
