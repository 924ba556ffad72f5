"""Reminders set in the chat: a card first, one of four ways, once, and away again."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from services.assistants.registry import AssistantRegistry
from services.errors import BadArguments
from services.identity.students import Student
from services.integrations.reminders.tools import (
    preview_deletion,
    preview_reminder,
    reminders_create,
    reminders_delete,
    reminders_list,
    undo_deletion,
    undo_reminder,
)
from services.reminders.preferences import Channel, PreferencesRepository
from services.reminders.timed_reminders import TimedReminders
from services.runtime.clock import utc_now
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.week.day_sources import SourceReading
from services.week.snapshots import WeekSnapshots
from services.week.week import EntryKind, WeekEntry
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.fakes import FakeClock, FakeDocuments
from tests.services.integrations.google_calendar.conftest import google, maya  # noqa: F401 - fixtures

MAYA = Student(
    id="s-maya", name="Maya", email="maya@campus.example", is_email_verified=True, timezone="America/Chicago"
)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(utc_now())


@pytest.fixture
def context(clock: FakeClock) -> ToolExecutionContext:
    store = Store(FakeDocuments(clock=clock))
    settings = SimpleNamespace(mail_server=object(), vapid_key="key")
    container: Any = SimpleNamespace(store=store, clock=clock, settings=settings, integrations={})
    container.assistants = AssistantRegistry(store)
    return ToolExecutionContext(student=MAYA, container=container, operation_id="op-1")


def switch_on(context: ToolExecutionContext, channel: Channel) -> None:
    preferences = PreferencesRepository(context.container.store, context.container.clock)
    preferences.update(MAYA.id, lambda known: known.with_channel(channel, ()))


def waiting(context: ToolExecutionContext) -> list[Any]:
    return list(TimedReminders(context.container.store, context.container.clock).waiting(MAYA.id))


def at(context: ToolExecutionContext, **more: float) -> str:
    return f"{context.now() + timedelta(**more):%Y-%m-%dT%H:%M}"


def call(context: ToolExecutionContext, **arguments: Any) -> ToolResult:
    return reminders_create.function(context, **reminders_create.validate(arguments))


def test_two_hours_before_is_two_hours_before(context: ToolExecutionContext) -> None:
    switch_on(context, Channel.EMAIL)
    quiz = at(context, days=2)

    call(context, text="Biology quiz", at=quiz, before_minutes=120)

    (reminder,) = waiting(context)
    assert f"{reminder.remind_at.astimezone(context.timezone):%Y-%m-%dT%H:%M}" == at(context, days=2, hours=-2)
    assert reminder.channel is Channel.EMAIL


def known(context: ToolExecutionContext, *titles: str, **ahead: float) -> None:
    """Let these be due at the same time, as Today has read it."""
    start = datetime.fromisoformat(at(context, **ahead)).replace(tzinfo=context.timezone)
    entries = tuple(WeekEntry(kind=EntryKind.DUE, id=f"canvas/{title}", title=title, start=start) for title in titles)
    snapshots = WeekSnapshots(context.container.store, context.container.clock)
    snapshots.save_readings(MAYA, [SourceReading(source="due:canvas_list", entries=entries)], {})


def carded(context: ToolExecutionContext, **arguments: Any) -> dict[str, str]:
    """The rows of the card for a reminder, which is then set as the card has it."""
    rows = preview_reminder(context, arguments)
    call(context, **arguments, **{name: value for row in rows for name, value in row.resolved.items()})
    return {row.label: row.value for row in rows}


def test_what_comes_before_a_quiz_says_on_its_card_that_it_moves_with_it(context: ToolExecutionContext) -> None:
    switch_on(context, Channel.EMAIL)
    known(context, "Quiz 3", days=2)

    card = carded(context, text="Bring a pen", at=at(context, days=2), before_minutes=120)

    (reminder,) = waiting(context)
    assert card["Moves with"].startswith("Quiz 3 (")
    assert (reminder.moves_with, reminder.lead) == ("due canvas/Quiz 3", timedelta(hours=2))
    assert reminder.entry_at - reminder.remind_at == timedelta(hours=2)


@pytest.mark.parametrize(("text", "found"), [("essay 2", "Essay 2"), ("hand in", None)])
def test_of_several_at_a_time_its_words_say_what_a_reminder_moves_with(
    context: ToolExecutionContext, text: str, found: str | None
) -> None:
    switch_on(context, Channel.EMAIL)
    known(context, "Essay 1", "Essay 2", "Quiz 3", days=2)

    card = carded(context, text=text, at=at(context, days=2), before_minutes=60)

    assert card.get("Moves with", "").partition(" (")[0] == (found or "")


def test_a_reminder_at_a_time_of_its_own_moves_with_nothing(context: ToolExecutionContext) -> None:
    switch_on(context, Channel.EMAIL)
    known(context, "Quiz 3", days=2)

    card = carded(context, text="Call home", at=at(context, days=2))

    assert "Moves with" not in card
    assert waiting(context)[0].moves_with == ""


def test_a_reminder_stays_where_it_is_when_the_student_wants_it_so(context: ToolExecutionContext) -> None:
    switch_on(context, Channel.EMAIL)
    known(context, "Quiz 3", days=2)

    card = carded(context, text="Quiz 3", at=at(context, days=2), before_minutes=60, moves_with="nothing")

    assert card["Moves with"] == "nothing"
    assert waiting(context)[0].moves_with == ""


def test_a_deleted_reminder_that_is_set_again_moves_as_before(context: ToolExecutionContext) -> None:
    switch_on(context, Channel.EMAIL)
    known(context, "Quiz 3", days=2)
    carded(context, text="Quiz 3", at=at(context, days=2), before_minutes=60)
    (before,) = waiting(context)

    undo_deletion(context, reminders_delete.function(context, reminder=before.id).undo or {})

    assert waiting(context) == [before]


def test_a_repeated_call_sets_one_reminder(context: ToolExecutionContext) -> None:
    switch_on(context, Channel.EMAIL)

    call(context, text="Biology quiz", at=at(context, days=2))
    call(context, text="Biology quiz", at=at(context, days=2))

    assert len(waiting(context)) == 1


def test_the_card_says_when_and_how_it_comes_and_pins_the_way(context: ToolExecutionContext) -> None:
    switch_on(context, Channel.EMAIL)

    rows = preview_reminder(context, {"text": "Biology quiz", "at": at(context, days=2)})

    assert [row.label for row in rows] == ["Reminder", "When", "Comes as"]
    assert rows[2].resolved == {"where": "email"}
    assert rows[1].past_at


def test_without_a_channel_it_becomes_a_task_with_its_time_and_can_be_undone(context: ToolExecutionContext) -> None:
    rows = preview_reminder(context, {"text": "Biology quiz", "at": at(context, days=2)})

    result = call(context, text="Biology quiz", at=at(context, days=2))
    undone = undo_reminder(context, result.undo or {})

    assert rows[0].resolved == {"where": "planner"}
    assert result.data["has_time"] is True
    assert undone.success
    assert context.container.store.for_student(MAYA.id).find("tasks", {}) == []


def test_a_way_that_is_off_is_refused_with_the_remedy(context: ToolExecutionContext) -> None:
    with pytest.raises(BadArguments, match="Settings"):
        preview_reminder(context, {"text": "Biology quiz", "at": at(context, days=2), "where": "notification"})


def test_a_time_that_is_over_is_refused(context: ToolExecutionContext) -> None:
    asking = ToolExecutionContext(student=MAYA, container=context.container)

    with pytest.raises(BadArguments, match="over"):
        preview_reminder(asking, {"text": "Biology quiz", "at": at(context, hours=1), "before_minutes": 90})


def test_reminders_are_listed_found_by_their_words_deleted_and_set_again(context: ToolExecutionContext) -> None:
    switch_on(context, Channel.EMAIL)
    call(context, text="Biology quiz", at=at(context, days=2))

    listed = reminders_list.function(context)
    rows = preview_deletion(context, {"reminder": "the biology quiz"})
    result = reminders_delete.function(context, reminder=rows[0].resolved["reminder"])
    gone = waiting(context)
    undo_deletion(context, result.undo or {})

    assert "Biology quiz" in listed.output
    assert gone == []
    assert [reminder.text for reminder in waiting(context)] == ["Biology quiz"]


def test_with_a_calendar_it_is_an_entry_that_rings_at_its_time(
    maya: Calendars,  # noqa: F811 - the fixture
    campus: CampusServer,
) -> None:
    context = maya.context(operation_id="op-2")
    context.container.settings = SimpleNamespace(mail_server=None, vapid_key="")  # type: ignore[misc]
    given = {"text": "Biology quiz", "at": "2030-03-04T10:00", "before_minutes": 120}

    rows = preview_reminder(context, given)
    resolved = {name: value for row in rows for name, value in row.resolved.items()}
    result = call(context, **given, **resolved)

    (written,) = campus.log(service="google", writes=1)
    assert (rows[0].resolved, resolved["where"]) == ({"where": "calendar"}, "calendar")
    assert written["body"]["summary"] == "Biology quiz"
    assert written["body"]["start"]["dateTime"].startswith("2030-03-04T08:00")
    assert written["body"]["reminders"]["overrides"] == [{"method": "popup", "minutes": 0}]
    assert undo_reminder(context, result.undo or {}).success
