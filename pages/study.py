"""Study: practice from the student's own materials: what is due, quizzes, cards, and the way to an exam."""

import streamlit as st

from services.i18n import gettext
from ui import session
from ui.flash_message import show_flash
from ui.materials.materials_state import load_courses
from ui.materials.page_notes import draw_first_step, draw_looking
from ui.study.course_choice import choose_course, wanted_course
from ui.study.dialogs import draw_open_dialog
from ui.study.learner_notes import draw_learner_notes
from ui.study.study_views import choose_view

student = session.current_student()
st.title(gettext("Study"))
st.caption(gettext("Practice from what you read, each question with its page."))
show_flash()
state = load_courses(student, wanted_course())
course_key = choose_course(state.courses)
view = choose_view()
if state.is_looking and not state.courses:
    draw_looking()
elif not state.courses:
    draw_first_step()
draw_learner_notes(student, course_key)
draw_open_dialog(student, state.courses)
