"""A digest of a real day: read from Canvas and the calendar of the campus, handed over by real SMTP."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from services.reminders.preferences import Channel, ReminderPreferences, Topic
from services.runtime.clock import utc_now
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.fakes import FakeClock
from tests.mail_catcher import MailCatcher


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(utc_now())


@pytest.fixture
def room(campus: CampusServer, tmp_path: Path, mails: MailCatcher, clock: FakeClock) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path, clock=clock, SMTP_URL=mails.url)
    room.connect("canvas", "google_calendar")
    yield room
    room.close()


def test_the_digest_tells_what_is_really_due(room: CampusRoom, clock: FakeClock, mails: MailCatcher) -> None:
    maya = room.services.students.sign_in(
        issuer="campus",
        subject="maya",
        name="Maya Chen",
        email="maya.chen@campus.example",
        is_email_verified=True,
        timezone="America/Chicago",
    )
    soon = (clock() + timedelta(minutes=2)).astimezone(ZoneInfo("America/Chicago"))

    def edit(known: ReminderPreferences) -> ReminderPreferences:
        return replace(known.with_channel(Channel.EMAIL, {Topic.DIGEST}), digest_at=soon.time().replace(microsecond=0))

    room.services.reminders.preferences.update(maya.id, edit)
    clock.advance(seconds=180)
    for _ in range(2):
        room.services.reminders.run_due()

    (mail,) = mails.mails
    body = mail.get_body(("plain",))
    assert body
    text = str(body.get_content())
    today = room.services.week_refresher.today(maya, room.services.connections.all(maya.id))
    assert today.due_soon or today.overdue
    for entry in (*today.due_soon, *today.overdue)[:12]:
        assert entry.title in text
