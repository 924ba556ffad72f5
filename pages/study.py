"""Study: practice from the student's own materials: what is due, quizzes, cards, and the way to an exam."""

from services.i18n import gettext
from ui import session
from ui.flash_message import show_flash
from ui.materials.materials_state import load_courses
from ui.materials.reader import draw_reader
from ui.study.course_choice import choose_course, wanted_course
from ui.study.dialogs import draw_open_dialog
from ui.study.make_dialog import open_wished_dialog
from ui.study.quiz_list import draw_open_quiz, flash_finished
from ui.study.review_panel import draw_review
from ui.study.study_views import choose_view, draw_back, draw_heading, is_reviewing, opened_quiz
from ui.study.view_content import draw_view

student = session.current_student()
open_wished_dialog()
draw_reader()
if quiz_id := opened_quiz():
    draw_back()
    show_flash()
    draw_open_quiz(student, quiz_id)
elif is_reviewing():
    draw_back(gettext("Review"))
    show_flash()
    draw_review(wanted_course())
else:
    draw_heading()
    flash_finished(student)
    show_flash()
    state = load_courses(student, wanted_course())
    course_key = choose_course(state.courses)
    draw_view(choose_view(), student, state, course_key)
    draw_open_dialog(student, state.courses)
