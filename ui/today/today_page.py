"""Today: the page of an empty chat, with what a student must know now, and questions to begin with."""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from services.connections.connection import Connection
from services.i18n import formats, gettext, gettext_noop, ngettext
from services.identity.students import Student
from services.navigation import CONNECTIONS_PAGE, WEEK_PAGE
from services.safety.text import literal
from services.week.today import Today
from services.week.week import WeekEntry
from ui import session
from ui.approvals.pending_approvals import draw_pending_approvals, draw_waiting_cards
from ui.chat.composer import send_message
from ui.chat.onboarding import draw_onboarding
from ui.chat.suggestions import MOST_ON_TODAY, draw_suggestions
from ui.classroom.list_notices import draw_list_notices
from ui.connections import sample_course
from ui.local_time import as_heading, to_local
from ui.timezone_notice import draw_timezone_notice
from ui.today.class_card import draw_classes
from ui.today.practice import draw_practice
from ui.today.today_lines import (
    change_line,
    class_line,
    later_line,
    problem_line,
    slot_line,
    slot_message,
    work_line,
)
from ui.today.today_state import load_today
from ui.week.week_labels import planning_question

GREETINGS = {
    "morning": gettext_noop("Good morning, {name}."),
    "afternoon": gettext_noop("Good afternoon, {name}."),
    "evening": gettext_noop("Good evening, {name}."),
}
MOST_DUE, MOST_AHEAD = 6, 4
MOST_OVERDUE = 10
MOST_CHANGES = 5
ALL_CHANGES = 30
LOADING_HEIGHT, CLASS_HEIGHT = 480, 52
"""Pixels: about those of a usual day, and those of a class with its room."""


def draw_today(student: Student, connected: Mapping[str, Connection]) -> None:
    """Draw the page: the first steps of new students, or their day."""
    st.title(gettext(GREETINGS[_day_part(student)], name=literal(student.first_name)))
    draw_timezone_notice(student)
    draw_list_notices(student)
    has_class = draw_classes(student)
    if not connected and draw_onboarding(student, connected, has_class=has_class):
        draw_pending_approvals(student)
        today = load_today(student, connected)
        draw_waiting_cards(today.of_chats)
        draw_practice(student, today)
        return
    draw_pending_approvals(student)
    with st.container(key="today", gap="medium"):
        _draw_day(student, load_today(student, connected), is_connected=bool(connected))
    if connected and draw_onboarding(student, connected, has_class=has_class):
        return
    sample_course.draw_sample_note(student, connected, key="sample-note")
    if not connected and session.services().integrations:
        st.page_link(CONNECTIONS_PAGE.script, label=gettext("Connect an account"), icon=":material/cable:")
    st.caption(gettext("Ask anything about your week, or start with one of these:"))
    draw_suggestions(student, connected, most=MOST_ON_TODAY)


def _day_part(student: Student) -> str:
    hour = to_local(session.services().clock(), student).hour
    return "morning" if 4 <= hour < 12 else "afternoon" if 12 <= hour < 18 else "evening"


def _draw_day(student: Student, today: Today, *, is_connected: bool) -> None:
    """Draw each part in a place of its own, empty or not: the browser keeps what stands in a place until something else
    is drawn there, so that what was below a part stays below it.
    """
    for draw in (_draw_cards, _draw_next, _draw_due, draw_practice, _draw_overdue, _draw_slot, _draw_changes):
        with st.container(gap="medium"):
            draw(student, today)
    # What stands for a day that is still read goes at once when the day comes, and is not pushed down by it.
    with st.empty().container(gap="medium", key="today-state"):
        _draw_state(student, today, is_connected=is_connected)


def _draw_cards(_: Student, today: Today) -> None:
    draw_waiting_cards(today.of_chats)


def _draw_next(student: Student, today: Today) -> None:
    if today.next_class is not None:
        with _section("next", gettext("Next")):
            st.markdown(class_line(today.next_class, today, student))
    elif today.awaits_next_class:
        with _section("next", gettext("Next")):
            st.skeleton(height=CLASS_HEIGHT)


def _draw_slot(student: Student, today: Today) -> None:
    if today.suggestion is not None:
        with _section("slot", gettext("Your next free time")), _row("row-slot"):
            st.markdown(slot_line(today.suggestion, today, student), width="stretch")
            _draw_question(student, gettext("Plan it"), "slot", slot_message(today.suggestion, student))


def _draw_due(student: Student, today: Today) -> None:
    if not (today.has_courses or today.has_sample or today.due_soon):
        if today.awaits_due:
            with _section("awaited-due", gettext("Due in the next 48 hours")):
                st.skeleton(height=LOADING_HEIGHT)
        return
    with _section("due", gettext("Due in the next 48 hours")):
        _draw_first_works(student, today, today.due_soon, MOST_DUE, "due")
        if not today.due_soon:
            # What the next seven days bring is told below.
            later = None if today.due_ahead else today.due_later
            nothing = gettext("What is due could not be read just now.") if today.is_due_unread else gettext("Nothing.")
            st.markdown(nothing + (f" {later_line(later, today, student)}" if later else ""))
    if today.due_ahead:
        with _section("ahead", gettext("Later in the next seven days")):
            _draw_first_works(student, today, today.due_ahead, MOST_AHEAD, "ahead")


def _draw_first_works(student: Student, today: Today, works: Sequence[WeekEntry], most: int, part: str) -> None:
    """Draw so many of them, and the way to the others."""
    for entry in works[:most]:
        _draw_work(student, today, entry, part)
    if (rest := len(works) - most) > 0:
        label = ngettext("{n} more in This week", "{n} more in This week", rest)
        st.page_link(WEEK_PAGE.script, label=label, icon=WEEK_PAGE.icon)


def _draw_overdue(student: Student, today: Today) -> None:
    """Folded, and drawn once it is opened."""
    if not today.overdue:
        return
    folded = st.expander(
        gettext("Overdue · {n}", n=formats.number(len(today.overdue))), key="folded-overdue", on_change="rerun"
    )
    if folded.open:
        with folded:
            for entry in today.overdue[:MOST_OVERDUE]:
                _draw_work(student, today, entry, "late")
            if len(today.overdue) > MOST_OVERDUE:
                st.page_link(WEEK_PAGE.script, label=gettext("All of it in This week"), icon=WEEK_PAGE.icon)


def _draw_work(student: Student, today: Today, entry: WeekEntry, part: str) -> None:
    key = f"{part}-{entry.kind}-{entry.id}"
    with _row(f"row-{key}"):
        st.markdown(work_line(entry, today, student), width="stretch")
        _draw_question(student, gettext("Plan this"), key, planning_question(entry, student, today.now))


def _draw_question(student: Student, label: str, key: str, message: str) -> None:
    """Draw a button that asks in the chat."""
    st.button(label, key=f"plan-{key}", type="tertiary", on_click=send_message, args=(student, None, message))


def _draw_changes(student: Student, today: Today) -> None:
    if not today.changes:
        return
    lines = [change_line(change, today, student) for change in today.changes[:ALL_CHANGES]]
    since = formats.pattern(today.since.date(), "EEE d MMM")
    with _section("changes", gettext("New since {day}", day=since)):
        st.markdown("\n".join(lines[:MOST_CHANGES]))
        if rest := lines[MOST_CHANGES:]:
            folded = st.expander(ngettext("{n} more", "{n} more", len(rest)), key="more-changes", on_change="rerun")
            if folded.open:
                folded.markdown("\n".join(rest))


def _draw_state(student: Student, today: Today, *, is_connected: bool) -> None:
    """Tell what could not be read, of when all of this is, and that nothing is up."""
    for problem in today.problems:
        st.caption(f":material/cloud_off: {problem_line(problem, student)}")
    if today.is_unread and is_connected:
        st.caption(gettext(":material/sync: Looking at your day …"))
        # What follows stays where it is when the day comes.
        st.skeleton(height=LOADING_HEIGHT)
    elif today.is_partial:
        st.caption(gettext(":material/sync: Looking at the rest of your day …"))
        if not today.awaits_due:
            # As high as before: what follows comes into sight once.
            st.skeleton(height=LOADING_HEIGHT)
    elif today.is_old:
        when = formats.short_moment(to_local(today.as_of, student))
        st.caption(gettext(":material/sync: As of {when}. Looking again …", when=when))


def _section(key: str, heading: str) -> DeltaGenerator:
    """Container with a heading."""
    place = st.container(key=f"today-{key}", gap="xsmall")
    place.markdown(f"## {as_heading(heading)}")
    return place


def _row(key: str) -> DeltaGenerator:
    """Row of words and a button, which stand below each other where the page is narrow."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"today-{key}")
