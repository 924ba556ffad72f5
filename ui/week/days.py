"""The days of the week: side by side, or one below the other."""

from datetime import date

import streamlit as st

from services.i18n import formats, gettext
from services.identity.students import Student
from services.week.week import Entry, Gap, Week
from ui.dates import as_heading, clock_time
from ui.week import entry as week_entry


def columns(student: Student, week: Week) -> Entry | None:
    """Seven columns; on a phone they stand below each other, today first and the days gone by last."""
    wanted = None
    for day, column in zip(week.days, st.columns(len(week.days), gap="small"), strict=True):
        with column, st.container(border=True, key=f"week-day-{day:%a}-{day.day}{_stands(week, day)}"):
            wanted = _day(student, week, day) or wanted
    return wanted


def agenda(student: Student, week: Week) -> Entry | None:
    """Only the days that hold something, from today on when it is this week."""
    today = week.as_of.date()
    days = [day for day in week.days if day >= today] if week.first <= today <= week.last else week.days
    wanted = None
    for day in days:
        with st.container(key=f"week-agenda-{day}{_stands(week, day)}", gap="small"):
            wanted = _day(student, week, day) or wanted
    return wanted


def _day(student: Student, week: Week, day: date) -> Entry | None:
    is_today = _is_today(week, day)
    heading = as_heading(formats.pattern(day, "EEE d"))
    st.markdown(gettext("**{day}** :green-badge[today]", day=heading) if is_today else f"**{heading}**")
    wanted = None
    entries = week.on(day)
    for entry in entries:
        wanted = week_entry.draw_once(student, week, entry) or wanted
    if not entries:
        st.caption(gettext("Nothing here.") if week.is_whole else gettext("Nothing found."))
    if free := week.free_on(day):
        st.caption(gettext("Free {times}", times=", ".join(_span(student, gap) for gap in free)))
    return wanted


def _stands(week: Week, day: date) -> str:
    """What the style sheet goes by: today has a frame, and comes first on a phone."""
    return "-today" if _is_today(week, day) else "-past" if day < week.as_of.date() else ""


def _is_today(week: Week, day: date) -> bool:
    return day == week.as_of.date()


def _span(student: Student, gap: Gap) -> str:
    return f"{clock_time(gap.start, student)} – {clock_time(gap.end, student)}"
