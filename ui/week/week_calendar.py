"""The week as a calendar on the page: its data, what was done in it, and the dialogs that follow."""

from collections.abc import Mapping
from typing import Any

from services.identity.students import Student
from services.week.course_tones import course_tones
from services.week.week import Week
from ui import session
from ui.week.calendar_component import CalendarAction, draw_calendar
from ui.week.calendar_data import calendar_data
from ui.week.entry_dialog import open_entry_dialog
from ui.week.study_dialog import open_session_dialog
from ui.week.week_actions import propose_move
from ui.week.week_state import first_of_three, remember_narrow
from ui.week.week_text import draw_week_text


def draw_week_calendar(student: Student, week: Week, view: str) -> None:
    """Draw the calendar and the same as text, and open what was asked for in it. view: as in `calendar_data`."""
    tones = course_tones(session.services().store, student.id, week.courses)
    data = calendar_data(student, week, tones=tones, view=view, day=first_of_three(week))
    draw_week_text(data["days"], data["entries"])

    def move(key: str, told: Mapping[str, Any]) -> None:
        propose_move(student, week, key, told.get("start"), told.get("end"))

    _open(student, week, draw_calendar(student, data, on_narrow=remember_narrow, on_moved=move))


def _open(student: Student, week: Week, action: CalendarAction) -> None:
    if action.chosen:
        open_entry_dialog(student, week, action.chosen)
    elif action.start is not None and action.end is not None:
        minutes = int((action.end.timestamp() - action.start.timestamp()) // 60)
        open_session_dialog(student, week, action.start, minutes)
