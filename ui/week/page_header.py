"""Header of the week page: dates, navigation, filters, problems, and figures."""

import streamlit as st

from services.i18n import formats, gettext
from services.identity.students import Student
from services.navigation import CONNECTIONS_PAGE
from services.safety.text import literal
from services.week.calendar_file import to_ics
from services.week.week import Week, monday_of
from ui import session
from ui.connections import sample_course
from ui.local_time import as_heading, clock_time
from ui.week.week_labels import short_course, week_span, work_hours
from ui.week.week_state import VIEW_KEY, WeekView, go_to_week, refresh_week


def draw_heading(student: Student, week: Week) -> None:
    is_this = week.first == monday_of(week.as_of.date())
    st.title(gettext("This week") if is_this else gettext("Your week"))
    span, time = week_span(week.first, week.last), clock_time(week.as_of, student)
    st.caption(gettext("{days} · as of {time}", days=span, time=time))


def draw_controls(student: Student, week: Week) -> WeekView:
    """Draw navigation and filters; returns the chosen view."""
    with st.container(horizontal=True, vertical_alignment="center", key="week-bar"):
        back, on = ":material/chevron_left:", ":material/chevron_right:"
        st.button(gettext("Earlier"), icon=back, on_click=go_to_week, args=(week, -1), key="week-back")
        st.button(gettext("Today"), on_click=go_to_week, args=(week, 0), key="week-today")
        st.button(
            gettext("Later"), icon=on, icon_position="right", on_click=go_to_week, args=(week, 1), key="week-next"
        )
        layout = st.segmented_control(
            gettext("View"),
            [WeekView.WEEK, WeekView.AGENDA],
            format_func=gettext,
            default=WeekView.WEEK,
            required=True,
            key=VIEW_KEY,
            label_visibility="collapsed",
        )
        st.button(
            gettext("Refresh"),
            icon=":material/refresh:",
            on_click=refresh_week,
            args=(student,),
            key="week-refresh",
            type="tertiary",
        )
        st.download_button(
            gettext("Calendar file"),
            data=session.while_signed_in(session.current_student(), lambda: to_ics(week.without_sample())),
            file_name=f"homeroom-{week.first.isoformat()}.ics",
            mime="text/calendar",
            icon=":material/download:",
            type="tertiary",
            help=gettext("This week as an .ics file for any calendar program."),
            on_click="ignore",
            key="week-file",
        )
    courses = (
        st.pills(
            gettext("Courses"),
            week.courses,
            selection_mode="multi",
            format_func=short_course,
            key="week-courses",
            label_visibility="collapsed",
        )
        if len(week.courses) > 1
        else []
    )
    alone = bool(courses) and st.toggle(gettext("Without events and my own tasks"), key="week-alone")
    return WeekView(layout=layout or WeekView.WEEK, courses=tuple(courses), alone=alone)


def draw_problems(week: Week) -> None:
    """Draw what could not be read, once each; the rest of the page stands."""
    for trouble in week.troubles:
        draw = st.warning if trouble.is_missing else st.info
        draw(
            literal(as_heading(trouble.sentence)),
            icon=":material/cloud_off:" if trouble.is_partial else ":material/info:",
        )


def draw_first_step(student: Student) -> None:
    """Draw what to do while nothing is connected."""
    with st.container(border=True, key="first-step"):
        st.markdown(gettext("**Your week fills itself once something is connected**"))
        st.write(
            gettext(
                "Connect Canvas for due dates and your calendar for events; a calendar feed's address is enough to "
                "begin."
            )
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(CONNECTIONS_PAGE.script, label=gettext("Open Connections"), icon=":material/cable:")
            if sample_course.is_offered():
                sample_course.draw_begin_button(student, key="week-sample-begin", with_flash=False)


def draw_numbers(week: Week) -> None:
    """Draw the figures of the week: the student's own only where there are any, or nothing is taught."""
    week = week.as_counted()
    with st.container(horizontal=True, key="week-numbers"):
        if week.taught:
            st.metric(
                gettext("To grade"), formats.number(sum(entry.to_grade or 0 for entry in week.taught)), border=True
            )
        if week.own_due or week.overdue or not week.taught:
            _draw_own_numbers(week)
        st.metric(
            gettext("Free by day"),
            work_hours(sum(gap.minutes for gap in week.free)) or "–",
            border=True,
            help=gettext("Between 8 AM and 10 PM, in gaps of an hour or more."),
        )


def _draw_own_numbers(week: Week) -> None:
    due = week.own_due
    left = sum(not entry.is_done for entry in due)
    none = "–" if week.is_due_unread else "0"
    st.metric(
        gettext("Still due"), gettext("{part} of {whole}", part=left, whole=len(due)) if due else none, border=True
    )
    st.metric(gettext("Overdue"), formats.number(len(week.overdue)) if week.overdue else none, border=True)
    st.metric(gettext("Work left, about"), work_hours(week.minutes_left()) or "–", border=True)
