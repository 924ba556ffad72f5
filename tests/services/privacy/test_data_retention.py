"""Retention: what a deployment keeps only for so long goes in time, on every replica alike, and is told to students."""

import io
import zipfile

import pytest

from services.privacy.data_export import export_archive
from services.privacy.data_inventory import DATA_INVENTORY
from services.privacy.data_retention import retention_of
from services.settings.operations import RetentionDays
from tests.agent_fakes import says
from tests.fakes import FakeClock
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def kept(room: RoomMaker, clock: FakeClock) -> Room:
    """A room that keeps chats for 90 days and activity for 30."""
    settings = {"HOMEROOM_RETENTION_DAYS": "chats=90,activity=30"}
    return room(*[says("Hello.")] * 3, clock=clock, settings=settings)


def _chats(room: Room) -> list[str]:
    return [chat.id for chat in room.services.conversations.list(room.maya.id, 100)]


def test_an_unused_chat_goes_after_its_days_and_a_pinned_or_used_one_stays(kept: Room, clock: FakeClock) -> None:
    old, pinned = kept.ask("one")[0], kept.ask("two")[0]
    kept.services.conversations.pin(kept.maya.id, pinned, True)
    clock.advance(days=89)
    used = kept.ask("three")[0]
    kept.services.jobs.run_once()
    before = _chats(kept)
    clock.advance(days=2)
    kept.services.jobs.run_once()

    assert set(before) == {old, pinned, used}
    assert set(_chats(kept)) == {pinned, used}
    clock.advance(minutes=11)
    kept.services.jobs.run_once()
    assert kept.services.store.for_student(kept.maya.id).find("messages", {"conversation_id": old}) == []


def test_activity_goes_after_its_days(kept: Room, clock: FakeClock) -> None:
    note = kept.services.activity
    note.record(kept.maya.id, services=["Canvas"], tool="old", effect="read", sentence="Done.")
    clock.advance(days=31)
    note.record(kept.maya.id, services=["Canvas"], tool="new", effect="read", sentence="Done.")
    kept.services.jobs.run_once()

    assert [entry.tool for entry in note.latest_entries(kept.maya.id, 10)] == ["new"]


def test_without_a_setting_nothing_is_deleted(room: RoomMaker, clock: FakeClock) -> None:
    here = room(clock=clock)
    chat, _ = here.ask("one")
    clock.advance(days=4_000)
    here.services.jobs.run_once()

    assert _chats(here) == [chat]


def test_students_are_told_of_it_in_their_archive(kept: Room) -> None:
    with zipfile.ZipFile(io.BytesIO(export_archive(kept.services, kept.maya))) as archive:
        readme = " ".join(archive.read("README.txt").decode().split())

    assert "also deletes chats 90 days after their last message" in readme
    assert "also deletes entries after 30 days" in readme


def test_only_what_the_job_deletes_is_said_to_go_by_itself() -> None:
    days = RetentionDays(chats=90, activity=30)
    changed = {
        item.collection for item in DATA_INVENTORY if retention_of(item, days) != retention_of(item, RetentionDays())
    }

    assert {"conversations", "messages", "files", "activity"} <= changed
    assert not changed & {"students", "study_cards", "tasks", "class_members"}
