"""Notifications to a student's devices: each once, sealed for it, and none to a device that is over (T29)."""

from dataclasses import replace
from typing import Any

import pytest

from services.reminders.deliveries import DeliveryStatus
from services.reminders.outbox import ChannelObstacle, ChannelSenders
from services.reminders.preferences import Channel, Topic
from services.reminders.push_subscriptions import NewSubscription
from services.runtime.clock import utc_now
from services.settings.secret_keys import new_vapid_key
from services.storage.sqlite import SqliteDocuments
from services.week.changes import ChangeKind
from tests.campus_server import CampusServer
from tests.fakes import FakeClock
from tests.services.reminders import desk as desk_module
from tests.services.reminders.desk import Desk


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(utc_now())


@pytest.fixture
def desk(campus: CampusServer, tmp_path: Any, clock: FakeClock) -> Any:
    engine = SqliteDocuments(tmp_path / "homeroom.sqlite", clock=clock)
    yield Desk(engine, clock, "", push_origin=campus.url.removesuffix("/sandbox"))
    engine.close()


def add_phone(desk: Desk, campus: CampusServer, *, session: int = 1) -> str:
    made = campus.http.post(f"{campus.url}/push/devices").json()
    return desk.service.add_device(desk.maya, NewSubscription.model_validate(made), session=session).id


def shown(campus: CampusServer) -> list[list[str]]:
    devices = campus.http.get(f"{campus.url}/push/devices.json").json()["devices"]
    return [[message["payload"] for message in device["messages"]] for device in devices]


def test_each_device_is_told_once_however_often_and_by_whom_it_is_tried(
    desk: Desk, campus: CampusServer, clock: FakeClock
) -> None:
    add_phone(desk, campus)
    add_phone(desk, campus)
    desk.remind("Biology quiz", 1, Channel.PUSH)
    clock.advance(seconds=90)
    replica = desk.replica()

    for _ in range(2):
        desk.service.run_due()
        replica.service.run_due()

    assert [len(messages) for messages in shown(campus)] == [1, 1]
    assert all("Biology quiz" in message for messages in shown(campus) for message in messages)


def test_no_points_stand_on_a_lock_screen_unless_the_student_chose_that(
    desk: Desk, campus: CampusServer, clock: FakeClock
) -> None:
    add_phone(desk, campus)
    desk.switch_on(Channel.PUSH, Topic.GRADE, quiet_from=desk.now.time(), quiet_until=desk.now.time())
    clock.advance(seconds=60)
    desk.change(ChangeKind.GRADE, "Lab report", score=18.5, points=20.0)

    desk.service.run_due()

    ((message,),) = shown(campus)
    assert "Lab report" in message
    assert "18.5" not in message


def test_a_browser_that_ended_its_subscription_is_taken_off(desk: Desk, campus: CampusServer) -> None:
    add_phone(desk, campus)
    (device,) = desk.outbox.devices(desk.maya)
    campus.http.delete(f"{campus.url}/push/devices/{device.endpoint.rpartition('/')[2]}")

    (outcome,) = desk.service.send_test(desk.maya, Channel.PUSH)

    assert outcome.status is DeliveryStatus.FAILED
    assert desk.outbox.obstacle(desk.maya, Channel.PUSH) is ChannelObstacle.NO_DEVICE


def test_whoever_signed_out_of_a_browser_is_told_nothing_there(desk: Desk, campus: CampusServer) -> None:
    add_phone(desk, campus, session=1)

    desk.students.end_session(desk.maya.id, 1)
    outcomes = desk.service.send_test(desk.maya, Channel.PUSH)

    assert list(outcomes) == []
    assert shown(campus) == [[]]


def test_a_new_key_of_the_operator_ends_the_subscriptions_of_the_old_one(
    desk: Desk, campus: CampusServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_phone(desk, campus)

    monkeypatch.setattr(desk_module, "KEY", new_vapid_key())
    restarted = desk.replica()

    assert restarted.outbox.obstacle(desk.maya, Channel.PUSH) is ChannelObstacle.NO_DEVICE


def test_a_reminder_goes_by_the_way_that_is_left(desk: Desk, campus: CampusServer, clock: FakeClock) -> None:
    add_phone(desk, campus)
    desk.remind("Biology quiz", 1, Channel.EMAIL)
    clock.advance(seconds=90)

    desk.service.run_due()

    assert [len(messages) for messages in shown(campus)] == [1]


def test_a_way_that_the_operator_has_not_set_up_is_an_obstacle(desk: Desk) -> None:
    desk.outbox._senders = replace(desk.outbox._senders, push=None)

    assert [desk.outbox.obstacle(desk.maya, channel) for channel in Channel] == [ChannelObstacle.NOT_SET_UP] * 2
    assert desk.outbox._senders == ChannelSenders(mail=None, push=None)
