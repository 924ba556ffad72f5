"""Reminders: off until switched on, once over all replicas (R47), quiet hours, and what is late."""

from datetime import UTC, datetime, time, timedelta
from email.message import EmailMessage

import pytest

from services.errors import UsedTooOften
from services.reminders.preferences import Channel, Topic
from services.reminders.timed_reminders import ReminderStatus, TimedReminder
from services.week.changes import ChangeKind
from tests.fakes import FakeClock
from tests.mail_catcher import MailCatcher
from tests.services.reminders.desk import Desk

pytestmark = pytest.mark.any_store


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def _at(desk: Desk, clock: FakeClock, hour: int, minute: int = 0) -> None:
    """Move on to that time of the day in Chicago, today or tomorrow."""
    wanted = desk.now.replace(hour=hour, minute=minute, second=0)
    clock.advance(seconds=((wanted if wanted >= desk.now else wanted + timedelta(days=1)) - desk.now).total_seconds())


def test_nothing_is_sent_or_read_until_something_is_switched_on(desk: Desk, mails: MailCatcher) -> None:
    desk.due("Lab report")

    desk.service.run_due()

    assert (mails.mails, desk.read) == ([], 0)


@pytest.mark.each_store
def test_a_digest_comes_once_each_morning_whoever_runs(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.switch_on(Channel.EMAIL, Topic.DIGEST)
    desk.due("Lab report")
    replicas = [desk, desk.replica(), desk.replica()]

    for _ in range(2):
        _at(desk, clock, 7, 1)
        for replica in replicas * 2:
            replica.today = desk.today
            replica.service.run_due()
            clock.advance(seconds=20)
        clock.advance(seconds=3600)

    assert len(mails.mails) == 2
    assert "Lab report (BIOL 201)" in text_of(mails.mails[0])
    assert mails.mails[0]["To"] == "maya@campus.example"


def test_a_digest_waits_for_its_time_in_the_students_zone(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.switch_on(Channel.EMAIL, Topic.DIGEST, digest_at=time(6, 30))
    desk.students.set_timezone(desk.maya.id, "Asia/Tokyo")
    desk.due("Lab report", hours=30)
    clock.advance(seconds=(datetime(2026, 11, 23, 21, 29, tzinfo=UTC) - clock()).total_seconds())

    desk.service.run_due()
    before = len(mails.mails)
    clock.advance(seconds=120)
    desk.service.run_due()

    assert (before, len(mails.mails)) == (0, 1)


def test_a_digest_switched_on_after_its_time_begins_tomorrow(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.due("Lab report")
    desk.switch_on(Channel.EMAIL, Topic.DIGEST)

    desk.service.run_due()

    assert mails.mails == []


def test_a_morning_without_anything_to_tell_brings_no_mail(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.switch_on(Channel.EMAIL, Topic.DIGEST)
    _at(desk, clock, 7, 1)

    desk.service.run_due()

    assert (mails.mails, desk.read) == ([], 1)


def test_a_digest_that_a_dead_mail_server_held_up_comes_later_in_the_morning(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    desk.switch_on(Channel.EMAIL, Topic.DIGEST)
    desk.due("Lab report", hours=40)
    mails.answer = "451 try again"
    _at(desk, clock, 7, 1)
    desk.service.run_due()
    mails.answer = "250 OK"

    desk.service.run_due()
    early = len(mails.mails)
    clock.advance(seconds=180)
    desk.service.run_due()

    assert (early, len(mails.mails)) == (0, 1)
    assert desk.service.latest(desk.maya)[0].tries == 2


def test_a_nudge_waits_until_the_quiet_hours_are_over(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.switch_on(Channel.EMAIL, Topic.GRADE)
    _at(desk, clock, 22, 30)
    desk.change(ChangeKind.GRADE, "Lab report", score=18.0, points=20.0)

    desk.service.run_due()
    at_night = len(mails.mails)
    _at(desk, clock, 7, 1)
    desk.service.run_due()
    desk.service.run_due()

    assert (at_night, len(mails.mails)) == (0, 1)


def test_points_stand_in_a_message_only_when_the_student_chose_that(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    desk.switch_on(Channel.EMAIL, Topic.GRADE)
    clock.advance(seconds=60)
    desk.change(ChangeKind.GRADE, "Lab report", score=18.5, points=20.0)
    desk.service.run_due()

    desk.switch_on(Channel.EMAIL, Topic.GRADE, shows_grades=True)
    desk.change(ChangeKind.GRADE, "Quiz 3", score=7.5, points=10.0)
    desk.service.run_due()

    first, second = (text_of(mail) for mail in mails.mails)
    assert "Lab report" in first
    assert "18.5" not in mails.mails[0].as_string()
    assert "Quiz 3 (BIOL 201): 7.5 of 10" in second
    assert "Lab report" not in second


def test_work_that_is_due_tomorrow_and_not_begun_is_nudged_for_in_the_afternoon(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    desk.switch_on(Channel.EMAIL, Topic.DUE)
    desk.due("Lab report", hours=30)
    desk.due("Begun essay", hours=30, status="started")
    desk.due("Today's quiz", hours=12)

    _at(desk, clock, 12)
    desk.service.run_due()
    at_noon = len(mails.mails)
    for hour in (16, 17, 18):
        _at(desk, clock, hour, 5)
        desk.service.run_due()

    assert at_noon == 0
    assert [mail["Subject"] for mail in mails.mails] == ["Due tomorrow"]
    assert "Lab report (BIOL 201): tomorrow" in text_of(mails.mails[0])
    assert "Begun essay" not in text_of(mails.mails[0])


def test_what_happened_before_a_channel_was_switched_on_is_no_news(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    desk.change(ChangeKind.ANNOUNCEMENT, "Old news")
    clock.advance(seconds=60)
    desk.switch_on(Channel.EMAIL, Topic.ANNOUNCEMENT)

    desk.service.run_due()

    assert mails.mails == []


def test_no_mail_goes_to_an_address_that_nobody_vouches_for(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.students.sign_in(issuer="https://id.example", subject="maya", name="Maya", email="else@x.example", session=2)
    desk.switch_on(Channel.EMAIL, Topic.DIGEST)
    desk.remind("Biology quiz", 0)
    desk.due("Lab report")
    _at(desk, clock, 7, 1)

    desk.service.run_due()

    assert mails.mails == []


def test_a_reminder_comes_at_its_time_also_in_quiet_hours(desk: Desk, clock: FakeClock, mails: MailCatcher) -> None:
    desk.switch_on(Channel.EMAIL)
    _at(desk, clock, 23)
    desk.remind("Biology quiz", 30)

    desk.service.run_due()
    early = len(mails.mails)
    clock.advance(seconds=31 * 60)
    desk.service.run_due()
    desk.service.run_due()

    assert early == 0
    assert [mail["Subject"] for mail in mails.mails] == ["Reminder: Biology quiz"]


def test_a_reminder_whose_time_went_by_unheard_is_missed_and_not_sent(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    desk.switch_on(Channel.EMAIL)
    desk.remind("Biology quiz", 5)
    clock.advance(seconds=7 * 3600)

    desk.service.run_due()

    known = desk.service.reminders.get(desk.maya.id, "Biology quiz")
    assert mails.mails == []
    assert known
    assert known.status is ReminderStatus.MISSED


def test_an_unsubscribed_student_gets_nothing_not_even_a_reminder_by_mail(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    desk.switch_on(Channel.EMAIL, Topic.DIGEST)
    desk.remind("Biology quiz", 5)
    desk.due("Lab report")

    desk.service.preferences.switch_off(desk.maya.id, Channel.EMAIL)
    _at(desk, clock, 7, 1)
    desk.service.run_due()

    assert mails.mails == []


def test_tests_are_rationed(desk: Desk, mails: MailCatcher) -> None:
    for _ in range(3):
        desk.service.send_test(desk.maya, Channel.EMAIL)

    with pytest.raises(UsedTooOften):
        desk.service.send_test(desk.maya, Channel.EMAIL)
    assert len(mails.mails) == 3


def test_one_students_trouble_keeps_nobody_waiting_and_is_tried_again(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    desk.switch_on(Channel.EMAIL, Topic.DIGEST)
    desk.due("Lab report", hours=40)
    healthy, desk.service._read_today = desk.service._read_today, lambda student: 1 / 0  # type: ignore[assignment,return-value]
    _at(desk, clock, 7, 1)
    desk.service.run_due()

    desk.service._read_today = healthy
    desk.service.run_due()
    at_once = len(mails.mails)
    clock.advance(seconds=6 * 60)
    desk.service.run_due()

    assert (at_once, len(mails.mails)) == (0, 1)


def test_a_hundred_reminders_that_cannot_go_out_hold_up_nobody_elses(
    desk: Desk, clock: FakeClock, mails: MailCatcher
) -> None:
    leo = desk.students.sign_in(
        issuer="https://id.example", subject="leo", name="Leo", email="", timezone="America/Chicago", session=1
    )
    for number in range(120):
        stuck = TimedReminder(id=f"r{number}", text="Read", remind_at=clock(), channel=Channel.PUSH, created_at=clock())
        desk.service.reminders.add(leo.id, stuck)
    desk.switch_on(Channel.EMAIL, Topic.DIGEST)
    desk.remind("Pack the lab coat", in_minutes=5)
    desk.service.run_due()
    clock.advance(seconds=5 * 60)

    desk.service.run_due()

    assert [mail["Subject"] for mail in mails.mails] == ["Reminder: Pack the lab coat"]
