"""Reminders move with the quiz or due date that they come before, and still come once."""

import pytest

from services.reminders.preferences import Channel
from services.reminders.timed_reminders import LAST_LOOK, LOOK_EVERY, TimedReminder
from tests.fakes import FakeClock
from tests.mail_catcher import MailCatcher
from tests.services.reminders.desk import Desk

pytestmark = pytest.mark.any_store


@pytest.fixture(autouse=True)
def _by_mail(desk: Desk) -> None:
    desk.switch_on(Channel.EMAIL)


def after(desk: Desk, clock: FakeClock, *, hours: float) -> None:
    """Let time go by, with a round every half an hour and one at its end."""
    for _ in range(round(hours * 2)):
        clock.advance(seconds=1800)
        desk.service.run_due()


def reminder(desk: Desk) -> TimedReminder:
    found = desk.service.reminders.get(desk.maya.id, "Quiz")
    assert found
    return found


@pytest.mark.each_store
def test_a_quiz_that_is_put_off_takes_its_reminder_along(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.remind_before("Quiz", hours=10, lead_hours=2)
    after(desk, clock, hours=4)
    desk.moves("Quiz", hours=16)

    after(desk, clock, hours=13.5)
    early = len(mails.mails)
    after(desk, clock, hours=3)

    assert early == 0
    (mail,) = mails.mails
    assert mail["Subject"] == "Reminder: Quiz"
    # In the morning after, at 03:05, when the quiz is, not at 01:05, when this comes.
    assert "3:05" in mail.as_string()


def test_a_quiz_that_is_brought_forward_is_told_of_in_time(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.remind_before("Quiz", hours=30, lead_hours=2)
    desk.moves("Quiz", hours=8)

    after(desk, clock, hours=6.5)

    assert len(mails.mails) == 1


def test_what_should_have_come_by_now_comes_at_once(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.remind_before("Quiz", hours=72, lead_hours=48)
    desk.moves("Quiz", hours=12)

    after(desk, clock, hours=4)

    assert len(mails.mails) == 1


def test_a_move_in_the_night_wakes_nobody_where_the_morning_is_early_enough(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    desk.remind_before("Quiz", hours=72, lead_hours=48)
    after(desk, clock, hours=15)
    desk.moves("Quiz", hours=12)

    after(desk, clock, hours=8.5)
    at_night = len(mails.mails)
    after(desk, clock, hours=1)

    assert (at_night, len(mails.mails)) == (0, 1)


def test_the_last_look_is_shortly_before_a_reminder_comes(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.remind_before("Quiz", hours=3, lead_hours=1)
    clock.advance(seconds=7200 - LAST_LOOK.total_seconds() + 1)
    desk.moves("Quiz", hours=26)

    desk.service.run_due()
    clock.advance(seconds=LAST_LOOK.total_seconds())
    desk.service.run_due()

    assert mails.mails == []


def test_what_is_not_found_any_more_is_told_of_when_it_was_to_be(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    desk.remind_before("Quiz", hours=10, lead_hours=2)
    desk.entries.clear()

    after(desk, clock, hours=8.5)

    assert len(mails.mails) == 1


@pytest.mark.each_store
def test_one_replica_looks_and_one_sends(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.remind_before("Quiz", hours=10, lead_hours=2)
    other = desk.replica()
    other.entries = desk.entries
    clock.advance(seconds=LOOK_EVERY.total_seconds() + 1)
    known = reminder(desk)

    taken = [replica.service.reminders.take_look(desk.maya.id, known) for replica in (desk, other, desk)]
    clock.advance(seconds=5 * 3600)
    for replica in (desk, other, desk, other):
        replica.service.run_due()

    assert taken == [True, False, False]
    assert len(mails.mails) == 1
