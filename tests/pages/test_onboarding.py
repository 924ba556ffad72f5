"""The first minutes: three steps that are ticked, lead somewhere, and go."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from services.integrations.sample_course import integration
from services.integrations.sample_course.course import ID
from services.week.snapshots import WeekSnapshots
from services.week.week import EntryKind, Week, WeekEntry, monday_of
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor

TRY, AWAY, HIDE = "Try a sample course", "Put it away", "Hide this"


@pytest.fixture
def maya(make_visitor: Callable[..., Visitor]) -> Visitor:
    """A new student where the sample course is offered beside the board."""
    maya = make_visitor()
    offered = maya.room.services.integrations
    offered[ID] = replace(integration({}), tools=())  # type: ignore[index]
    return maya


def test_who_is_new_sees_three_steps_and_a_question_that_works_at_once(maya: Visitor) -> None:
    maya.opens()

    for step in ("1. Connect an account first", "2. Or try a sample course", "3. Ask"):
        assert step in maya.words
    assert {"Connect Board", TRY, HIDE, "Add a task to plan my week by Sunday"} <= set(maya.labels)
    assert "Done" not in maya.words


def test_one_click_begins_the_sample_one_ends_it_and_the_steps_are_gone_once_something_was_asked(maya: Visitor) -> None:
    maya.opens()
    maya.presses(TRY)
    ticked, offered = maya.words, maya.labels
    maya.room.ask("What is due this week?")
    maya.page.run()
    asked = maya.words
    maya.presses(AWAY)

    assert "Or try a sample course** :green-badge" in ticked
    assert any(label.startswith(":violet[Sample] · Plan time for “Quiz 2") for label in offered)
    assert "First steps" not in asked
    assert "everything in it is made up" in asked
    assert "First steps" not in maya.words
    assert maya.room.services.connections.all(maya.student.id) == {}


def test_who_has_connected_something_is_not_offered_the_sample(maya: Visitor) -> None:
    maya.room.connect()

    maya.opens()

    assert "1. Connect an account** :green-badge" in maya.words
    assert "2. Ask" in maya.words
    assert TRY not in maya.labels


def test_hidden_they_stay_hidden_in_another_session(maya: Visitor) -> None:
    maya.opens()
    maya.presses(HIDE)
    hidden = maya.words
    again = Visitor(maya.room)
    again.opens()

    assert "First steps" not in hidden + again.words
    assert "Ask anything about your week" in again.words


def test_connections_offers_the_sample_and_takes_it_back(maya: Visitor) -> None:
    maya.opens("connections")
    maya.presses(TRY)
    on = maya.words
    maya.presses(AWAY)

    assert "The sample course is on." in on
    assert "The sample course is put away." in maya.words


def test_an_account_with_courses_puts_the_sample_away_and_says_so_to_student_and_model(maya: Visitor) -> None:
    services = maya.room.services
    services.integrations["board"] = replace(services.integrations["board"], category="courses")  # type: ignore[index]
    maya.opens("connections")
    maya.presses(TRY)
    chat = services.conversations.create(maya.student.id)
    services.conversations.touch(maya.student.id, chat, "What is due this week?")
    sent = services.connections.begin_oauth(maya.student.id, "board")
    maya.page.query_params.update(state=parse_qs(urlsplit(sent).query)["state"][0], code="code")
    maya.page.run()

    assert "Board is connected. The sample course is put away" in maya.words
    assert set(services.connections.all(maya.student.id)) == {"board"}
    assert TRY not in maya.labels
    (told,) = services.conversations.get(maya.student.id, chat).news
    assert "what was said from it is made up" in told


def test_what_is_due_tomorrow_is_suggested_from_the_week_that_was_read(maya: Visitor, clock: FakeClock) -> None:
    maya.room.connect()
    services, student = maya.room.services, maya.student
    entry = WeekEntry(
        kind=EntryKind.DUE, id="4", title="Lab 4", start=clock() + timedelta(days=1), course="BIOL 201: Cells"
    )
    week = Week(first=monday_of(clock().date()), as_of=clock(), entries=(entry,))
    WeekSnapshots(services.store, clock).save_week(student, week, services.connections.all(student.id))

    maya.opens()

    assert "Plan time for “Lab 4” (due tomorrow)" in maya.labels
