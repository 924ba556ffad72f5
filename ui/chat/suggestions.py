"""Suggested questions of an empty chat: about work that is due, and general ones by connected services."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import streamlit as st

from services.connections.connection import Connection
from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.integrations.sample_course.course import ID as SAMPLE_COURSE
from services.integrations.sample_course.course import load_course
from services.safety.text import literal
from services.week.snapshots import WeekSnapshots
from services.week.suggestions import Suggestion, SuggestionKind, suggest
from services.week.week import EntryKind, WeekEntry
from ui import session
from ui.chat.composer import send_message
from ui.connections import sample_course
from ui.local_time import local_day
from ui.week.week_labels import quotable_line

GENERAL_QUESTIONS = {
    "courses": (gettext_noop("What is due this week?"), gettext_noop("How are my grades?")),
    "calendar": (gettext_noop("When am I free tomorrow?"),),
    "notes": (gettext_noop("What is in my notes?"),),
}
ALWAYS_SUGGESTED = (gettext_noop("Add a task to plan my week by Sunday"),)
MOST_ON_TODAY = 4
MOST_IN_FIRST_STEPS = 3
"""So that all three steps fit on one screen."""
LABEL_LENGTH, MESSAGE_LENGTH = 38, 120
LABELS = {
    SuggestionKind.TODAY: gettext_noop("Plan time for “{title}” (due today)"),
    SuggestionKind.TOMORROW: gettext_noop("Plan time for “{title}” (due tomorrow)"),
    SuggestionKind.OVERDUE: gettext_noop("Catch up on “{title}” (overdue)"),
    SuggestionKind.EXAM: gettext_noop("Get ready for “{title}” ({day})"),
    SuggestionKind.AHEAD: gettext_noop("Plan time for “{title}” ({day})"),
}
FREE_LABEL = gettext_noop("Use my free afternoon well")
MESSAGES = {
    SuggestionKind.TODAY: gettext_noop("What do I have to do for “{title}” ({course})? Help me plan it for today."),
    SuggestionKind.TOMORROW: gettext_noop(
        "What do I have to do for “{title}” ({course}), due tomorrow? Where do I start?"
    ),
    SuggestionKind.OVERDUE: gettext_noop("What is overdue, and how do I catch up on “{title}” ({course})?"),
    SuggestionKind.EXAM: gettext_noop("What do I have to do for “{title}” ({course})? How do I get ready by {day}?"),
    SuggestionKind.AHEAD: gettext_noop(
        "What do I have to do for “{title}” ({course}), due {day}? Help me plan it for the days before."
    ),
}
TASK_MESSAGE = gettext_noop("Help me with my task “{title}”. What is a good first step?")
FREE_MESSAGE = gettext_noop("I have time now. What is due this week that I could work on?")


@dataclass(frozen=True, kw_only=True)
class SuggestedQuestion:
    """label: Markdown. message: what a click sends."""

    key: str
    label: str
    message: str


def draw_suggestions(student: Student, connected: Mapping[str, Connection], *, most: int) -> None:
    """Draw each question as a button that sends it."""
    with st.container(horizontal=True, gap="small", key="suggestions"):
        for question in suggested_questions(student, connected, most=most):
            st.button(
                question.label, key=f"ask-{question.key}", on_click=send_message, args=(student, None, question.message)
            )


def suggested_questions(student: Student, connected: Mapping[str, Connection], *, most: int) -> list[SuggestedQuestion]:
    """Questions for this student, from one store read and no service call: due work comes from the last week view.

    General questions keep half of the room; the first of them is also the first of all, as it works for everybody.
    """
    services = session.services()
    categories = {
        services.integrations[id].category for id, connection in connected.items() if connection.health.offers_tools
    }
    general = [
        SuggestedQuestion(key=text, label=gettext(text), message=gettext(text))
        for text in general_questions(categories)
    ]
    about_due = list(_about_what_is_due(student, connected))[: most // 2]
    return [*general[:1], *about_due, *general[1:]][:most]


def general_questions(categories: Collection[str]) -> tuple[str, ...]:
    """General questions for these categories of services, without duplicates."""
    return (
        *(
            question
            for category in GENERAL_QUESTIONS
            if category in categories
            for question in GENERAL_QUESTIONS[category]
        ),
        *ALWAYS_SUGGESTED,
    )


def _about_what_is_due(student: Student, connected: Mapping[str, Connection]) -> Iterator[SuggestedQuestion]:
    services = session.services()
    now = services.clock().astimezone(ZoneInfo(student.timezone))
    noted = WeekSnapshots(services.store, services.clock).latest(student, connected)
    entries = list(noted.entries)
    # The sample course counts only for students without courses of their own.
    if sample_course.is_on(connected) and not sample_course.own_courses(connected):
        entries += _sample_entries(connected, student)
    return (question_about(suggestion, student) for suggestion in suggest(entries, noted.free, now, student.locale))


def _sample_entries(connected: Mapping[str, Connection], student: Student) -> Iterator[WeekEntry]:
    now = session.services().clock().astimezone(ZoneInfo(student.timezone))
    for work in load_course().assignments(connected[SAMPLE_COURSE].connected_at, now):
        if work.is_open:
            yield WeekEntry(
                kind=EntryKind.DUE,
                id=work.id,
                title=work.title,
                course=work.course,
                start=work.due_at,
                is_exam=work.kind == "exam",
                is_sample=True,
            )


def question_about(suggestion: Suggestion, student: Student) -> SuggestedQuestion:
    """Question about an entry. Titles come from others: literal and short on the button, quoted when sent."""
    entry, key = suggestion.entry, str(suggestion.hint)
    if entry is None:
        return SuggestedQuestion(key=key, label=gettext(FREE_LABEL), message=gettext(FREE_MESSAGE))
    title, day = quotable_line(entry.title), local_day(entry.start, student)
    course_code = quotable_line(entry.course.partition(":")[0]) or gettext("my courses")
    label = gettext(LABELS[suggestion.hint], title=literal(_shorten(title, LABEL_LENGTH)), day=day)
    template = TASK_MESSAGE if entry.kind is EntryKind.TASK else MESSAGES[suggestion.hint]
    message = gettext(
        template, title=_shorten(title, MESSAGE_LENGTH), course=_shorten(course_code, LABEL_LENGTH), day=day
    )
    sample = gettext("Sample")
    return SuggestedQuestion(
        key=key, label=f":violet[{sample}] · {label}" if entry.is_sample else label, message=message
    )


def _shorten(line: str, length: int) -> str:
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"
