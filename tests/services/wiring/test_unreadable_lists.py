"""A record that cannot be read is left out of its list, is named in the log, and hides nothing else (R100)."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.assistants.assistant import FollowedFeed
from services.identity.students import Student
from services.integrations.planner.tasks import Task, Tasks
from services.reminders.preferences import Channel
from services.reminders.timed_reminders import TimedReminder
from services.runtime.metrics_registry import RECORDS_PASSED_OVER
from tests.agent_fakes import FakeModel, says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room
from tests.services.classes.assistants.lectern import Lectern

Ids = Sequence[str]


@dataclass(frozen=True, kw_only=True)
class List:
    """What somebody looks at. make: two records of it, of the student. ids: of those that the student then sees."""

    collection: str
    make: Callable[[Room, Student], None]
    ids: Callable[[Room, Student], Ids]
    damage: dict[str, Any]


def _make_chats(room: Room, student: Student) -> None:
    chats = room.services.conversations
    for _ in range(2):
        id = chats.create(student.id)
        room.services.store.for_student(student.id).compare_and_set("conversations", id, {}, {"is_empty": False})


def _chats(room: Room, student: Student) -> Ids:
    return [chat.id for chat in room.services.conversations.list(student.id, None)]


def _deleted_chats(room: Room, student: Student) -> Ids:
    return [chat.id for chat in room.services.chats.deletion_queue.deleted(student.id)]


def _delete_chats(room: Room, student: Student) -> None:
    _make_chats(room, student)
    for id in _chats(room, student):
        room.services.chats.deletion_queue.delete(student, id)


def _make_reminders(room: Room, student: Student) -> None:
    for id in ("r1", "r2"):
        at = room.clock() + timedelta(days=1)
        reminder = TimedReminder(id=id, text="Read", remind_at=at, channel=Channel.EMAIL, created_at=room.clock())
        room.services.reminders.reminders.add(student.id, reminder)


def _make_tasks(room: Room, student: Student) -> None:
    for id in ("t1", "t2"):
        _tasks(room, student).add(Task(id=id, title="Read", created_at=room.clock()))


def _tasks(room: Room, student: Student) -> Tasks:
    return Tasks(room.services.store, student.id, ZoneInfo("UTC"))


def _make_keys(room: Room, student: Student) -> None:
    for label in ("a", "b"):
        room.services.keys.create(student, label=label, scopes=["read"])


LISTS = {
    "chats": List(collection="conversations", make=_make_chats, ids=_chats, damage={"updated_at": 17}),
    "deleted chats": List(
        collection="conversations", make=_delete_chats, ids=_deleted_chats, damage={"updated_at": 17}
    ),
    "reminders": List(
        collection="reminders",
        make=_make_reminders,
        ids=lambda room, student: [each.id for each in room.services.reminders.reminders.waiting(student.id)],
        damage={"channel": "pigeon"},
    ),
    "tasks": List(
        collection="tasks",
        make=_make_tasks,
        ids=lambda room, student: [task.id for task in _tasks(room, student).all()],
        damage={"status": "later state"},
    ),
    "keys": List(
        collection="keys",
        make=_make_keys,
        ids=lambda room, student: [key.id for key in room.services.keys.list(student.id)],
        damage={"scopes": None},
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_shows_every_record_but_the_one_that_cannot_be_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    shown = LISTS[name]
    room = Room(engine=FakeDocuments(), data_dir=tmp_path, model=FakeModel(says("No.")))
    shown.make(room, room.maya)
    damaged, *rest = shown.ids(room, room.maya)
    room.engine.compare_and_set(shown.collection, _stored_id(room, shown.collection, damaged), {}, shown.damage)

    with caplog.at_level(logging.WARNING):
        assert shown.ids(room, room.maya) == rest
        assert shown.ids(room, room.maya) == rest

    assert len(rest) == 1
    assert caplog.text.count(f"record_unreadable collection={shown.collection}") == 1
    room.services.published_metrics.publish()
    assert room.services.published_metrics.report().totals[(RECORDS_PASSED_OVER.name, "read", shown.collection)] >= 2


def _stored_id(room: Room, collection: str, id: str) -> str:
    [found] = [each["id"] for each in room.engine.find(collection, {}) if each["id"].endswith(id)]
    return str(found)


def test_a_connection_that_cannot_be_read_hides_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    room = Room(engine=FakeDocuments(), data_dir=tmp_path, model=FakeModel(says("No.")))
    room.connect()
    mine = room.services.store.for_student(room.maya.id)
    [stored] = mine.find("connections", {})
    mine.put("connections", {**stored, "id": "reminders", "health": "later state"})

    assert list(room.services.connections.all(room.maya.id)) == ["board"]


@pytest.fixture
def lectern() -> Lectern:
    clock = FakeClock()
    return Lectern(FakeDocuments(clock=clock), clock)


def test_a_class_a_member_or_an_assistant_that_cannot_be_read_hides_no_other(lectern: Lectern) -> None:
    school, shared = lectern.school, lectern.school.store.shared
    gone, made = lectern.make_class("Gone"), lectern.make_class()
    first = lectern.publish(lectern.make(made))
    second = lectern.assistants.create(lectern.anne, made.id, "Coach", request_id="fedcba9876543210")
    lectern.publish(second)
    school.memberships.join(school.sign_in("zoe"), made.join_code)
    shared.compare_and_set("classes", gone.id, {}, {"created_at": "odd"})
    shared.compare_and_set("class_assistants", first.id, {}, {"published": {"later": 1}, "made_by": 17})
    [zoe] = [each["id"] for each in shared.find("class_members", {}) if school.sign_in("zoe").id in each["id"]]
    shared.compare_and_set("class_members", zoe, {}, {"role": "later role"})

    assert [found.id for found, _ in school.classes.of_student(lectern.maya.id)] == [made.id]
    assert school.names_in(made) == ["Anne", "Maya"]
    assert [each.id for each in lectern.registry.of_classes(lectern.maya.id)] == [second.id]


def test_who_cannot_be_read_is_still_in_the_class_that_its_last_instructor_leaves(lectern: Lectern) -> None:
    school, shared = lectern.school, lectern.school.store.shared
    made = lectern.make_class()
    [maya] = [each["id"] for each in shared.find("class_members", {}) if lectern.maya.id in each["id"]]
    shared.compare_and_set("class_members", maya, {}, {"joined_at": "odd"})
    school.memberships.forget(lectern.anne.id)

    left = school.repository.get(made.id)
    assert left is not None
    assert left.archived_at is not None


def test_the_feeds_in_use_are_those_of_published_assistants_that_can_be_read_in_running_classes(
    lectern: Lectern,
) -> None:
    shared = lectern.school.store.shared
    feeds = (FollowedFeed(title="The club", url="https://news.example/rss"),)
    running, over = lectern.make_class(), lectern.make_class("Over")
    read = lectern.make(running, feeds=feeds)
    lectern.publish(read)
    for number, place in enumerate((running, running, over)):
        other = lectern.assistants.create(lectern.anne, place.id, "Coach", request_id=f"{number}" * 16)
        url = f"https://news.example/{number}"
        lectern.change(other, feeds=(FollowedFeed(title="Other", url=url),))
        if place is over:
            record = lectern.assistants.get(lectern.anne, other.id)
            lectern.publish(record)
    damaged = lectern.assistants.create(lectern.anne, running.id, "Odd", request_id="f" * 16)
    shared.compare_and_set("class_assistants", damaged.id, {}, {"published": {"feeds": [{"title": "no address"}]}})
    lectern.school.classes.archive(lectern.anne, over.id)

    assert lectern.registry._classes.feeds_in_use() == {(running.id, "https://news.example/rss")}  # type: ignore[attr-defined]
