"""This week: what is late, what is due, what happens when, and where there is room to work."""

from ui import (
    outcome,
    sample_course,
    session,
    timezone_note,
    waiting_approvals,
    week_bar,
    week_days,
    week_entry,
    week_read,
    week_study,
)
from ui.week_read import Looks

student = session.current()
shown = week_read.shown(student)
week_bar.heading(student, shown)
timezone_note.draw(student)
outcome.show()
waiting_approvals.draw(student, of_week=True)
looks = week_bar.controls(student, shown)
week_bar.troubles(shown)

week = shown.of_courses(looks.courses, alone=looks.alone)
if week.has_sample:
    sample_course.note(student, session.services().connections.all(student.id), key="week-sample")
elif not (week.has_calendar or week.has_courses):
    week_bar.first_step()
week_bar.numbers(week)
wanted = week_entry.overdue(student, week)
draw = week_days.columns if looks.view == Looks.WEEK else week_days.agenda
wanted = draw(student, week) or wanted
if wanted is not None:
    week_study.open_for(student, week, wanted)
