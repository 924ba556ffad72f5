"""Study: practice from the student's own materials: what is due, quizzes, cards, and the way to an exam."""

import streamlit as st

from services.i18n import gettext
from ui import session
from ui.flash_message import show_flash
from ui.materials.materials_state import load_courses
from ui.materials.reader import draw_reader
from ui.study.course_choice import choose_course, wanted_course
from ui.study.dialogs import draw_open_dialog
from ui.study.make_dialog import open_wished_dialog
from ui.study.quiz_panel import draw_quiz
from ui.study.review_panel import draw_review
from ui.study.study_views import StudyView, choose_view, close_quiz, is_reviewing, opened_quiz
from ui.study.view_content import draw_cards_view, draw_now_view, draw_quizzes_view

student = session.current_student()
open_wished_dialog()
st.title(gettext("Study"))
st.caption(gettext("Practice from what you read, each question with its page."))
show_flash()
draw_reader()
state = load_courses(student, wanted_course())
course_key = choose_course(state.courses)
if quiz_id := opened_quiz():
    draw_quiz(quiz_id, on_close=close_quiz)
elif is_reviewing():
    draw_review(course_key)
else:
    match choose_view():
        case StudyView.QUIZZES:
            draw_quizzes_view(student, state, course_key)
        case StudyView.CARDS:
            draw_cards_view(student, state, course_key)
        case _:
            draw_now_view(student, state, course_key)
draw_open_dialog(student, state.courses)
