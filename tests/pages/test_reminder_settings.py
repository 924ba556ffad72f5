"""Reminders on the Settings page: off at first, switched on by the student, tested, listed and deleted."""

from collections.abc import Callable
from datetime import time, timedelta

import pytest

from services.reminders.deliveries import Deliveries, DeliveryStatus, Outcome
from services.reminders.outbox import ChannelSenders
from services.reminders.preferences import Channel, Topic
from services.reminders.timed_reminders import TimedReminder
from tests.pages.conftest import Visitor

MakeVisitor = Callable[..., Visitor]


@pytest.fixture
def maya(make_visitor: MakeVisitor) -> Visitor:
    return make_visitor(claims={"email": "maya@campus.example", "email_verified": True})


def wanted(maya: Visitor):
    return maya.room.services.reminders.preferences.get(maya.student.id)


def test_everything_is_off_until_the_student_switches_it_on(maya: Visitor) -> None:
    page = maya.opens("settings")

    assert not page.toggle(key="reminders-email").value
    assert not page.exception
    assert wanted(maya).topics == {}


def test_what_is_chosen_is_kept(maya: Visitor) -> None:
    maya.opens("settings")
    maya.page.toggle(key="reminders-email").set_value(True).run()
    maya.page.button_group(key="reminder-topics-email-en").set_value([Topic.GRADE, Topic.DIGEST]).run()
    maya.page.time_input(key="reminder-digest_at").set_value(time(6, 30)).run()

    page = maya.page.toggle(key="reminder-grades").set_value(True).run()

    assert wanted(maya).topics == {Channel.EMAIL: frozenset({Topic.GRADE, Topic.DIGEST})}
    assert (wanted(maya).digest_at, wanted(maya).shows_grades) == (time(6, 30), True)
    assert not page.exception


def test_an_address_that_nobody_vouches_for_is_not_offered(make_visitor: MakeVisitor) -> None:
    maya = make_visitor(claims={"email": "maya@campus.example"})

    page = maya.opens("settings")

    assert "reminders-email" not in [toggle.key for toggle in page.toggle]
    assert "and yours is not" in maya.words


def test_a_test_that_did_not_go_out_says_why(maya: Visitor) -> None:
    maya.opens("settings")
    maya.page.toggle(key="reminders-email").set_value(True).run()

    maya.page.button(key="reminder-test-email").click().run()

    # Nothing listens where this demo's mail server would be.
    assert "The test was not sent: the mail server could not be reached." in maya.words
    assert [d.status for d in maya.room.services.reminders.latest(maya.student)] == [DeliveryStatus.WAITING]


def test_what_may_have_arrived_is_listed_as_such(maya: Visitor) -> None:
    deliveries = Deliveries(maya.room.services.store, maya.room.clock)
    deliveries.claim(maya.student.id, "a", Channel.EMAIL, title="Your day, Mon 23 Nov")
    deliveries.finish(maya.student.id, ["a"], Outcome(status=DeliveryStatus.UNCLEAR))

    maya.opens("settings")

    assert "Your day, Mon 23 Nov" in maya.words
    assert "may have arrived or not, and is not sent a second time" in maya.words


def test_a_reminder_that_waits_is_shown_and_can_be_deleted(maya: Visitor) -> None:
    now, reminders = maya.room.clock(), maya.room.services.reminders.reminders
    reminder = TimedReminder(
        id="r1", text="Biology quiz", remind_at=now + timedelta(hours=3), channel=Channel.EMAIL, created_at=now
    )
    reminders.add(maya.student.id, reminder)
    maya.opens("settings")
    assert "Biology quiz" in maya.words

    maya.page.button(key="delete-reminder-r1").click().run()

    assert reminders.waiting(maya.student.id) == []
    assert "Biology quiz" not in maya.words


def test_a_way_that_is_not_set_up_says_what_the_operator_must_do(
    maya: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maya.room.services.reminders.outbox, "_senders", ChannelSenders(mail=None, push=None))

    page = maya.opens("settings")

    assert not any(toggle.key.startswith("reminders-") for toggle in page.toggle if toggle.key)
    assert "set `SMTP_URL`" in maya.words
    assert "set `HOMEROOM_VAPID_KEY`" in maya.words
    assert not page.exception
