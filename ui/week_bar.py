"""The top of the week: which one it is, how to move, what to leave out, and how much there is."""

import streamlit as st

from services.safety.text import literal
from services.students import Student
from services.week.ics import to_ics
from services.week.week import Kind, Week, monday_of
from ui import places, week_read
from ui.dates import clock_time
from ui.week_read import Looks
from ui.week_words import days, hours, short


def heading(student: Student, week: Week) -> None:
    is_this = week.first == monday_of(week.as_of.date())
    st.title("This week" if is_this else "Your week")
    st.caption(f"{days(week.first, week.last)} · as of {clock_time(week.as_of, student)}")


def controls(week: Week) -> Looks:
    """Moving about, and how to look at it."""
    with st.container(horizontal=True, vertical_alignment="center", key="week-bar"):
        back, on = ":material/chevron_left:", ":material/chevron_right:"
        st.button("Earlier", icon=back, on_click=week_read.go, args=(week, -1), key="week-back")
        st.button("Today", on_click=week_read.go, args=(week, 0), key="week-today")
        st.button("Later", icon=on, icon_position="right", on_click=week_read.go, args=(week, 1), key="week-next")
        view = st.segmented_control(
            "View",
            [Looks.WEEK, Looks.AGENDA],
            default=Looks.WEEK,
            required=True,
            key="week-view",
            label_visibility="collapsed",
        )
        st.button("Refresh", icon=":material/refresh:", on_click=week_read.forget, key="week-refresh", type="tertiary")
        st.download_button(
            "Calendar file",
            data=lambda: to_ics(week),
            file_name=f"homeroom-{week.first.isoformat()}.ics",
            mime="text/calendar",
            icon=":material/download:",
            type="tertiary",
            help="This week as an .ics file for any calendar program.",
            on_click="ignore",
        )
    courses = (
        st.pills(
            "Courses",
            week.courses,
            selection_mode="multi",
            format_func=short,
            key="week-courses",
            label_visibility="collapsed",
        )
        if len(week.courses) > 1
        else []
    )
    return Looks(view=view or Looks.WEEK, courses=tuple(courses))


def troubles(week: Week) -> None:
    """What could not be read, once each; the rest of the page stands."""
    for trouble in week.troubles:
        draw = st.warning if trouble.is_missing else st.info
        draw(literal(trouble.sentence), icon=":material/cloud_off:")


def first_step() -> None:
    """What to do while nothing is connected."""
    with st.container(border=True, key="first-step"):
        st.markdown("**Your week fills itself once something is connected**")
        st.write(
            "Connect Canvas for due dates and your calendar for events; a calendar feed's address is enough to begin."
        )
        st.page_link(places.CONNECTIONS, label="Open Connections", icon=":material/cable:")


def numbers(week: Week) -> None:
    """The week in four figures."""
    due = [one for one in week.entries if one.kind is Kind.DUE]
    left = sum(not one.is_done for one in due)
    free = sum(gap.minutes for gap in week.free)
    with st.container(horizontal=True, key="week-numbers"):
        st.metric("Still due", f"{left} of {len(due)}" if due else "0", border=True)
        st.metric("Overdue", len(week.overdue), border=True)
        st.metric("Work left, about", hours(week.minutes_left()) or "–", border=True)
        st.metric(
            "Free by day", hours(free) or "–", border=True, help="Between 8 AM and 10 PM, in gaps of an hour or more."
        )
