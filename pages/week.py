"""This week: classes, due dates and free time as a calendar, in which study time is proposed and events are moved."""

import streamlit as st

from services.week.course_tones import course_tones
from services.week.loader import ASKED_BY
from ui import session
from ui.approvals.pending_approvals import draw_pending_approvals, flash_done, recent_approvals
from ui.connections import sample_course
from ui.flash_message import show_flash
from ui.timezone_notice import draw_timezone_notice
from ui.week.entry_dialog import wanted_entry
from ui.week.page_header import (
    draw_controls,
    draw_filters,
    draw_first_step,
    draw_summary,
    draw_switched_off,
    switched_off,
)
from ui.week.schedule import draw_agenda
from ui.week.study_dialog import open_study_dialog
from ui.week.week_calendar import draw_week_calendar
from ui.week.week_state import AGENDA, load_week, with_cards

student = session.current_student()
# Before the week: a card that is done while this is drawn counts as under way, and the page runs once more.
approvals = recent_approvals(student, ASKED_BY)
week = load_week(student)
view = draw_controls(student, week)
is_switched_off = bool(switched_off(student))
tones = course_tones(session.services().store, student.id, week.courses)
week = with_cards(student, draw_filters(week, tones))
is_empty = not (week.has_sample or week.has_calendar or week.has_courses or is_switched_off)
if is_empty:
    draw_first_step(student)
chosen = None
if week.has_anything:
    if view == AGENDA:
        chosen = draw_agenda(student, week)
    else:
        draw_week_calendar(student, week, tones)
# Nothing pushes the calendar down: what there is to say stands below it, and a card that waits beside it (style.css).
with st.container(key="week-below"):
    flash_done(student, approvals)
    show_flash()
    draw_switched_off(student)
    if week.has_anything:
        chosen = draw_summary(student, week) or chosen
    if week.has_sample:
        sample_course.draw_sample_note(student, session.services().connections.all(student.id), key="week-sample")
    draw_timezone_notice(student)
    draw_pending_approvals(student, of_page=ASKED_BY, approvals=approvals)
if week.has_anything and (entry := chosen or wanted_entry(week)) is not None:
    open_study_dialog(student, week, entry)
