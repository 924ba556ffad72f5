"""Replicas that are killed while they send: nothing arrives twice, nothing is lost without a trace (R47, R69)."""

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from services.reminders.deliveries import DeliveryStatus
from services.reminders.preferences import Channel
from services.reminders.timed_reminders import TimedReminder
from services.runtime.clock import utc_now
from services.settings import process_environment
from services.storage.sqlite import SqliteDocuments
from tests.mail_catcher import MailCatcher, mail_server
from tests.services.reminders.desk import Desk

ROOT = Path(__file__).resolve().parents[3]
MODULE = "tests.services.reminders.sending_process"
WAIT_S = 60
REMINDERS, KILLS, SOAK_S = 120, 25, 30.0


class Replicas:
    """Sending processes over one database; `kill` ends one with SIGKILL."""

    def __init__(self, database: Path, smtp_url: str) -> None:
        self._command = [sys.executable, "-m", MODULE, str(database), smtp_url]
        self._running: list[subprocess.Popen[str]] = []

    def start(self) -> None:
        process = subprocess.Popen(
            self._command, cwd=ROOT, env=process_environment(), stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        self._running.append(process)

    def kill(self, chance: random.Random | None = None) -> None:
        process = self._running.pop(chance.randrange(len(self._running)) if chance else 0)
        process.kill()
        process.wait()
        assert process.stdout
        process.stdout.close()

    def kill_all(self) -> None:
        while self._running:
            self.kill()


@pytest.fixture
def slow_mails() -> Iterator[MailCatcher]:
    with mail_server() as catcher:
        yield catcher


@pytest.fixture
def desk(tmp_path: Path, slow_mails: MailCatcher) -> Iterator[Desk]:
    engine = SqliteDocuments(tmp_path / "homeroom.sqlite")
    desk = Desk(engine, utc_now, slow_mails.url)
    desk.switch_on(Channel.EMAIL)
    yield desk
    engine.close()


@pytest.fixture
def replicas(desk: Desk, tmp_path: Path, slow_mails: MailCatcher) -> Iterator[Replicas]:
    replicas = Replicas(tmp_path / "homeroom.sqlite", slow_mails.url)
    yield replicas
    replicas.kill_all()


def set_reminder(desk: Desk, number: int, in_s: float = 0.0) -> None:
    now = utc_now()
    reminder = TimedReminder(
        id=f"r{number}",
        text=f"Reminder {number}",
        remind_at=now + timedelta(seconds=in_s),
        channel=Channel.EMAIL,
        created_at=now,
    )
    desk.service.reminders.add(desk.maya.id, reminder)


def test_a_replica_that_dies_in_the_middle_of_a_mail_leaves_one_mail_and_no_second(
    desk: Desk, replicas: Replicas, slow_mails: MailCatcher
) -> None:
    slow_mails.holds = held = threading.Event()
    replicas.start()
    set_reminder(desk, 1)
    assert slow_mails.has_one.wait(WAIT_S)

    replicas.kill()
    held.set()
    for _ in range(3):
        desk.service.run_due()

    assert [mail["Subject"] for mail in slow_mails.mails] == ["Reminder: Reminder 1"]
    assert [delivery.status for delivery in desk.service.latest(desk.maya)] == [DeliveryStatus.SENDING]


@pytest.mark.soak
def test_three_replicas_that_are_killed_at_random_send_each_message_once_or_leave_a_trace(
    desk: Desk, replicas: Replicas, slow_mails: MailCatcher
) -> None:
    seed = time.time_ns()
    chance = random.Random(seed)
    for number in range(REMINDERS):
        set_reminder(desk, number, in_s=chance.uniform(1, SOAK_S))
    slow_mails.delay_s = 0.15
    for _ in range(3):
        replicas.start()

    for _ in range(KILLS):
        time.sleep(chance.uniform(0.2, 2 * SOAK_S / KILLS))
        replicas.kill(chance)
        replicas.start()
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline and any(
        desk.deliveries.get(desk.maya.id, f"email reminder r{n}") is None for n in range(REMINDERS)
    ):
        time.sleep(0.2)
    time.sleep(3)
    replicas.kill_all()

    arrived = Counter(mail["Message-ID"] for mail in slow_mails.mails)
    told = [desk.deliveries.get(desk.maya.id, f"email reminder r{n}") for n in range(REMINDERS)]
    sent = sum(delivery is not None and delivery.status is DeliveryStatus.SENT for delivery in told)
    under_way = sum(delivery is not None and delivery.status is DeliveryStatus.SENDING for delivery in told)
    assert max(arrived.values()) == 1, seed
    assert sent <= len(arrived) <= sent + under_way, seed
    assert sent + under_way == REMINDERS, seed
    assert under_way <= KILLS + 3, seed
