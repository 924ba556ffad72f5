"""The morning digest renders what Today shows, in words, without points unless they were asked for."""

from dataclasses import replace
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest

from services.i18n import locale_scope
from services.reminders.digest import digest
from services.reminders.message import ReminderMessage
from services.tools.result import PreviewRow
from services.week.changes import Change, ChangeKind
from services.week.free_time import Gap
from services.week.today import StudySlot, Today, TodayProblem
from services.week.week import EntryKind, WeekEntry
from tests.services.reminders.desk import CHICAGO

NOW = datetime(2026, 11, 23, 7, 0, tzinfo=CHICAGO)
LAB = WeekEntry(
    kind=EntryKind.DUE, id="1", title="Lab report", start=NOW + timedelta(hours=16), course="BIOL 201: Cell Biology"
)
EMPTY = Today(now=NOW, since=NOW)
FULL = replace(
    EMPTY,
    next_class=WeekEntry(
        kind=EntryKind.EVENT,
        id="2",
        title="Calculus",
        start=NOW + timedelta(hours=2),
        end=NOW + timedelta(hours=3),
        where="Room 12",
    ),
    due_soon=(LAB,),
    due_ahead=(replace(LAB, id="8", title="Reading", start=NOW + timedelta(days=4)),),
    overdue=(replace(LAB, id="3", title="Essay", start=NOW - timedelta(days=1)),),
    changes=(
        Change(kind=ChangeKind.GRADE, id="4", title="Quiz 3", at=NOW, score=7.5, points=10.0),
        Change(kind=ChangeKind.MOVED, id="5", title="Midterm", at=NOW, due_at=NOW + timedelta(days=3)),
        Change(kind=ChangeKind.REPLIES, id="6", title="Forum", at=NOW, count=2),
    ),
    suggestion=StudySlot(entry=LAB, gap=Gap(start=NOW + timedelta(hours=4), end=NOW + timedelta(hours=5))),
    problems=(TodayProblem(sentence="Notion did not answer."),),
)


def words(message: ReminderMessage | None) -> str:
    assert message
    return "\n".join(line for section in message.sections for line in (section.heading, *section.lines))


def test_it_tells_everything_that_today_tells() -> None:
    told = words(digest(FULL, shows_grades=False)).replace("\u202f", " ")

    for line in (
        "9:00 AM – 10:00 AM, Calculus, Room 12",
        "Lab report (BIOL 201): today, 11:00 PM",
        "Reading (BIOL 201): Fri 27 Nov, 7:00 AM",
        "Essay (BIOL 201): was due Sun 22 Nov",
        "A grade is in: Quiz 3",
        "Midterm is now due Thu 26 Nov, 7:00 AM",
        "2 new replies: Forum",
        "11:00 AM – 12:00 PM: time for Lab report (BIOL 201)",
        "Notion did not answer.",
    ):
        assert line in told


@pytest.mark.parametrize("language", ["en-US", "es-MX"])
def test_points_are_told_only_when_the_student_chose_that(language: str) -> None:
    with locale_scope(language):
        hidden, shown = (digest(FULL, shows_grades=is_shown) for is_shown in (False, True))

    assert hidden
    assert "7.5" not in words(hidden) + hidden.brief + hidden.title
    assert "7.5" in words(shown)


def test_it_speaks_spanish() -> None:
    with locale_scope("es-ES"):
        message = digest(FULL, shows_grades=False)

    assert message
    assert message.title.startswith("Tu día")
    assert "Lab report (BIOL 201): hoy, 23:00" in words(message)


def test_what_waits_is_named_in_the_students_language() -> None:
    card = SimpleNamespace(
        title="Add to your calendar",
        rows=[PreviewRow(label="What", value="Study"), PreviewRow(label="Where", value="")],
    )

    with locale_scope("es-MX"):
        assert "Añadir a tu calendario: Study" in words(digest(replace(EMPTY, waiting=(card,)), shows_grades=False))


def test_with_nothing_to_tell_there_is_none_but_what_could_not_be_read_is_told() -> None:
    trouble = replace(EMPTY, problems=FULL.problems)

    assert digest(EMPTY, shows_grades=False) is None
    assert words(digest(trouble, shows_grades=False)) == "What could not be read\nNotion did not answer."
