"""Visits: what counts as the last one, and how rarely it is written."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from services.identity.students import Student
from services.identity.visits import last_visit, visit_fields

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MAYA = Student(id="maya", name="Maya Chen", email="")


def after(student: Student, *moments: datetime) -> Student:
    """The student as stored after messages at these times."""
    for at in moments:
        fields: dict[str, Any] = visit_fields(student, at)
        student = replace(student, **fields)
    return student


def test_who_writes_for_the_first_time_was_never_here() -> None:
    assert last_visit(MAYA, NOON) is None
    assert last_visit(after(MAYA, NOON), NOON + timedelta(minutes=30)) is None


def test_the_last_visit_is_the_last_message_before_a_long_pause() -> None:
    yesterday = NOON - timedelta(days=1)
    maya = after(MAYA, yesterday, yesterday + timedelta(minutes=20))

    assert last_visit(maya, NOON) == yesterday + timedelta(minutes=20)


def test_it_stays_the_same_during_a_visit() -> None:
    yesterday = NOON - timedelta(days=1)
    maya = after(MAYA, yesterday, NOON, NOON + timedelta(minutes=40))

    assert last_visit(maya, NOON + timedelta(hours=2)) == yesterday


def test_a_page_that_was_read_before_the_visit_tells_the_same() -> None:
    yesterday = NOON - timedelta(days=1)
    as_read = after(MAYA, yesterday)

    assert visit_fields(as_read, NOON + timedelta(minutes=5))["visited_at"] == as_read.wrote_at
    assert last_visit(as_read, NOON + timedelta(minutes=5)) == yesterday


def test_messages_in_quick_succession_are_written_once() -> None:
    maya = after(MAYA, NOON)

    assert visit_fields(maya, NOON + timedelta(minutes=9)) == {}
    assert visit_fields(maya, NOON + timedelta(minutes=10))
