"""This week: what is late, what is due, what happens when, and where there is room to work."""

from ui import outcome, sample_course, session, timezone_note
from ui.chat import waiting_approvals
from ui.week import bar, days, entry, reading, study
from ui.week.reading import Looks

student = session.current()
shown = reading.shown(student)
bar.heading(student, shown)
timezone_note.draw(student)
outcome.show_flash()
waiting_approvals.draw(student, of_week=True)
looks = bar.controls(student, shown)
bar.troubles(shown)

week = shown.of_courses(looks.courses, alone=looks.alone)
if week.has_sample:
    sample_course.note(student, session.services().connections.all(student.id), key="week-sample")
elif not (week.has_calendar or week.has_courses):
    bar.first_step(student)
if week.has_anything:
    bar.numbers(week)
    wanted = entry.overdue(student, week)
    draw = days.columns if looks.view == Looks.WEEK else days.agenda
    wanted = draw(student, week) or wanted
    if wanted is not None:
        study.open_for(student, week, wanted)
