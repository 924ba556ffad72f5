"""A mail server, and stores on both engines."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from services.storage.documents import Documents
from tests.fakes import FakeClock, FollowedClock
from tests.mail_catcher import MailCatcher, mail_server
from tests.room_fixtures import engine, engine_clock  # noqa: F401 - fixtures
from tests.services.reminders.desk import Desk


@pytest.fixture(scope="session")
def running_mail_server() -> Iterator[MailCatcher]:
    with mail_server() as catcher:
        yield catcher


@pytest.fixture
def mails(running_mail_server: MailCatcher) -> MailCatcher:
    """The mail server, empty and willing."""
    running_mail_server.mails.clear()
    running_mail_server.answer = running_mail_server.recipient_answer = "250 OK"
    running_mail_server.cuts = False
    return running_mail_server


@pytest.fixture
def clock() -> FakeClock:
    """Monday 07:05 in Chicago."""
    return FakeClock(datetime(2026, 11, 23, 13, 5, tzinfo=UTC))


@pytest.fixture
def desk(
    engine: Documents,  # noqa: F811 - the fixture
    engine_clock: FollowedClock,  # noqa: F811 - the fixture
    clock: FakeClock,
    mails: MailCatcher,
) -> Desk:
    # Else what a test keeps has expired as soon as the real day is far enough from its own.
    engine_clock.follows = clock
    return Desk(engine, clock, mails.url)
