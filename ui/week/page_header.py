"""Header of the week page: dates, navigation, a count of problems, filters, and in one line the figures and clashes."""

from collections.abc import Iterator, Mapping, Sequence

import streamlit as st

from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.navigation import CONNECTIONS_PAGE
from services.safety.text import literal, one_line
from services.tools.tool import heading
from services.week.calendar_file import to_ics
from services.week.week import Clash, Week, WeekEntry, find_clashes
from ui import session
from ui.connections import sample_course
from ui.connections.blocking_dialog import draw_blocking_button
from ui.local_time import as_heading, clock_time
from ui.toolbox.tool_switch import switch
from ui.week.schedule import draw_overdue
from ui.week.study_dialog import USUAL_MINUTES, first_start, open_session_dialog
from ui.week.week_labels import short_course, week_span, work_hours
from ui.week.week_state import (
    AGENDA,
    ALONE_KEY,
    ALONE_PARAMETER,
    COURSES_KEY,
    THREE_DAYS,
    VIEW_KEY,
    VIEWS,
    WEEK,
    current_view,
    go_to_days,
    keep_filters,
    keep_view,
    refresh_week,
    requested_courses,
)

VIEW_LABELS = {WEEK: gettext_noop("Week"), THREE_DAYS: gettext_noop("3 days"), AGENDA: gettext_noop("Agenda")}
MOST_CLASHES = 3
CLASH = ":material/error:"
READ_ELSEWHERE = ("courses", "calendar")
"""Of the tools that a week is read with from elsewhere."""


def _draw_heading(week: Week) -> None:
    is_this = week.first <= week.as_of.date() <= week.last
    title = gettext("This week") if is_this else gettext("Your week")
    with st.container(key="week-heading", width="content"):
        st.title(f"{title} :small[:gray[{week_span(week.first, week.last)}]]")


def draw_controls(student: Student, week: Week) -> str:
    """Draw the title, navigation and the choice of view in one line; returns the view."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="week-bar"):
        _draw_heading(week)
        back, on = ":material/chevron_left:", ":material/chevron_right:"
        st.button(gettext("Earlier"), icon=back, on_click=go_to_days, args=(student, week, -1), key="week-back")
        st.button(gettext("Today"), on_click=go_to_days, args=(student, week, 0), key="week-today")
        st.button(
            gettext("Later"),
            icon=on,
            icon_position="right",
            on_click=go_to_days,
            args=(student, week, 1),
            key="week-next",
        )
        _draw_problems(week)
        st.session_state.setdefault(VIEW_KEY, current_view())
        st.segmented_control(
            gettext("View"),
            VIEWS,
            format_func=lambda view: gettext(VIEW_LABELS[view]),
            required=True,
            key=VIEW_KEY,
            on_change=keep_view,
            label_visibility="collapsed",
        )
        st.button(
            gettext("Refresh"),
            icon=":material/refresh:",
            on_click=refresh_week,
            args=(student,),
            key="week-refresh",
            type="tertiary",
            help=gettext(
                "Read your calendars and courses again. Last read at {time}.", time=clock_time(week.as_of, student)
            ),
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
        if week.can_write and week.last >= week.as_of.date():
            _draw_plan_button(student, week)
    return current_view()


def _draw_problems(week: Week) -> None:
    """Draw how much could not be read, as a button that opens to what it was; the calendar stays where it is."""
    if not week.troubles:
        return
    label = ngettext("{n} notice", "{n} notices", len(week.troubles))
    if missing := sum(trouble.is_missing for trouble in week.troubles):
        label = ngettext("{n} could not be read", "{n} could not be read", missing)
    with st.popover(label, icon=":material/cloud_off:" if missing else ":material/info:", key="week-problems"):
        for trouble in week.troubles:
            draw = st.warning if trouble.is_missing else st.info
            draw(
                literal(as_heading(trouble.sentence)),
                icon=":material/cloud_off:" if trouble.is_partial else ":material/info:",
            )


def _draw_plan_button(student: Student, week: Week) -> None:
    """Draw the way to study time for those who neither drag nor press arrow keys."""
    hint = gettext("Or drag over a free stretch of the calendar.")
    if st.button(gettext("Plan study time"), icon=":material/add:", key="week-plan", type="tertiary", help=hint):
        open_session_dialog(student, week, first_start(week), USUAL_MINUTES)


def draw_filters(week: Week, tones: Mapping[str, int]) -> Week:
    """Draw the choice of courses, each in its tone; returns the week with what was chosen."""
    if len(week.courses) < 2:
        return week
    asked = requested_courses()
    courses = st.pills(
        gettext("Courses"),
        week.courses,
        selection_mode="multi",
        format_func=short_course,
        default=[course for course in week.courses if course in asked],
        key=COURSES_KEY,
        on_change=keep_filters,
        label_visibility="collapsed",
    )
    rules = (
        f".st-key-{COURSES_KEY} button:nth-of-type({at}) {{ --course: var(--course-{tones[course]}) }}"
        for at, course in enumerate(week.courses, start=1)
        if course in tones
    )
    st.html(f"<style>{' '.join(rules)}</style>")
    alone = bool(courses) and st.toggle(
        gettext("Without events and my own tasks"),
        value=ALONE_PARAMETER in st.query_params,
        key=ALONE_KEY,
        on_change=keep_filters,
    )
    return week.only_courses(courses, alone=alone)


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


def draw_summary(student: Student, week: Week) -> WeekEntry | None:
    """Draw what is overdue, what clashes and the figures of the week, folded into one line; returns the entry that the
    student wants time for.
    """
    counted = week.as_counted()
    clashes = [pair for pair in find_clashes(week.entries) if pair[1].end and pair[1].end > week.as_of]
    with st.expander(" · ".join(_figures(counted, len(clashes))), key="week-summary"):
        for line in _clash_lines(student, clashes):
            st.markdown(f"{CLASH} {line}")
        chosen = draw_overdue(student, week)
        if not counted.overdue:
            st.caption(gettext("Nothing is overdue.") if not week.is_due_unread else gettext("Nothing found."))
        st.caption(gettext("Free time is counted between 8 AM and 10 PM, in gaps of an hour or more."))
        if week.has_calendar:
            draw_blocking_button(student, key="week-blocking", is_quiet=True)
    return chosen


def _clash_lines(student: Student, clashes: Sequence[Clash]) -> Iterator[str]:
    """Which events overlap, by name, the first few of them."""
    for first, second in clashes[:MOST_CLASHES]:
        yield gettext(
            "“{first}” clashes with “{second}” on {day} at {time}.",
            first=literal(one_line(first.title)),
            second=literal(one_line(second.title)),
            day=formats.short_day(second.start),
            time=clock_time(second.start, student),
        )


def _figures(week: Week, clashes: int) -> list[str]:
    """Figures of the week: the student's own only where there are any, or nothing is taught."""
    to_grade = sum(entry.to_grade or 0 for entry in week.taught)
    found = [gettext("{n} to grade", n=formats.number(to_grade))] if week.taught else []
    if week.own_due or week.overdue or not week.taught:
        found += _own_figures(week)
    found += [ngettext("**{n} clash**", "**{n} clashes**", clashes)] if clashes else []
    free = work_hours(sum(gap.minutes for gap in week.free))
    return [*found, gettext("{hours} free in the daytime", hours=free)] if free else found


def _own_figures(week: Week) -> list[str]:
    due = week.own_due
    left = sum(not entry.is_done for entry in due)
    overdue = gettext("**{n} overdue**", n=formats.number(len(week.overdue))) if week.overdue else ""
    if due:
        still_due = gettext("{part} of {whole} still due", part=left, whole=len(due))
    else:
        still_due = gettext("what is due is unknown") if week.is_due_unread else gettext("nothing due")
    work = work_hours(week.minutes_left())
    return [*filter(None, [overdue, still_due, gettext("about {hours} of work", hours=work) if work else ""])]


def switched_off(student: Student) -> list[str]:
    """Categories of the week's tools that the student has switched off."""
    return [category for category in READ_ELSEWHERE if category in student.tools_off.categories]


def draw_switched_off(student: Student) -> None:
    """Draw a line for each category that is off."""
    for category in switched_off(student):
        name = gettext(heading(category))
        with st.container(horizontal=True, vertical_alignment="center", key=f"week-off-{category}"):
            note = gettext("“{category}” is switched off in Settings, so nothing of it stands here.", category=name)
            st.caption(note)
            st.button(
                gettext("Switch on {category}", category=name),
                type="tertiary",
                icon=":material/check_circle:",
                key=f"week-on-{category}",
                on_click=switch,
                args=(student,),
                kwargs={"category": category, "is_on": True},
            )
