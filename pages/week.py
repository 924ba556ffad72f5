"""This week: overdue work, due dates and events day by day, and free time to study."""

from ui import session
from ui.approvals.pending_approvals import draw_pending_approvals
from ui.connections import sample_course
from ui.flash_message import show_flash
from ui.settings.language_and_timezone import draw_timezone_notice
from ui.week.page_header import draw_controls, draw_first_step, draw_heading, draw_numbers, draw_problems
from ui.week.schedule import draw_agenda, draw_columns, draw_overdue
from ui.week.study_dialog import open_study_dialog
from ui.week.week_state import WeekView, load_week

student = session.current_student()
shown = load_week(student)
draw_heading(student, shown)
draw_timezone_notice(student)
show_flash()
draw_pending_approvals(student, of_week=True)
view = draw_controls(student, shown)
draw_problems(shown)

week = shown.only_courses(view.courses, alone=view.alone)
if week.has_sample:
    sample_course.draw_sample_note(student, session.services().connections.all(student.id), key="week-sample")
elif not (week.has_calendar or week.has_courses):
    draw_first_step(student)
if week.has_anything:
    draw_numbers(week)
    chosen = draw_overdue(student, week)
    draw = draw_columns if view.layout == WeekView.WEEK else draw_agenda
    chosen = draw(student, week) or chosen
    if chosen is not None:
        open_study_dialog(student, week, chosen)
