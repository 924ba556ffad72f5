"""After a deletion nothing of a student is left, wherever one looks, and whatever came in between."""

import logging
from contextlib import suppress
from pathlib import Path

import pytest

from services.approvals.approval import ApprovalStatus
from services.classes.budgets import ledger_repository
from services.errors import ApprovalError, ServiceUnavailable, SignInRequired
from services.identity.students import Student
from services.privacy.data_inventory import DATA_INVENTORY
from services.runtime.clock import utc_now
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from tests.agent_fakes import FakeModel, Gate, says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room, RoomMaker
from tests.services.privacy.conftest import CANARY, Database, fill
from tests.services.privacy.dying import Dead, DyingDocuments

pytestmark = pytest.mark.any_store

SESSION = 1_000
MAYAS_ADDRESS = "maya@school.example"


def sign_in(room: Room, session: int) -> Student:
    """Maya, in the session that began at this second."""
    return room.services.students.sign_in(
        issuer="https://id.example",
        subject="maya",
        name="Maya",
        email=MAYAS_ADDRESS,
        is_email_verified=True,
        session=session,
    )


def collections_with(database: Database, *words: str) -> list[str]:
    """Where any of these words stands, past every layer of ours."""
    return sorted(name for name, text in database.raw().items() if any(word in text for word in words))


def an_hour_of_jobs(room: Room, clock: FakeClock) -> None:
    for _ in range(60):
        clock.advance(minutes=1)
        room.services.account_deletion.finish_due()
        room.services.connections.retry_revocations()


@pytest.mark.each_store
def test_after_a_deletion_no_collection_holds_anything_of_the_student(
    whole: Room, database: Database, clock: FakeClock
) -> None:
    sign_in(whole, SESSION)
    maya = whole.maya.id
    before = collections_with(database, maya, CANARY, "Maya")

    unanswered = whole.services.account_deletion.delete(maya)

    assert set(before) == {kept.collection for kept in DATA_INVENTORY} - {"revocations", "departures"}
    assert unanswered == []
    assert whole.service.revoked == ["access-Maya-1"]
    assert collections_with(database, CANARY, "Maya", "maya") == []
    # A random number, for as long as something may come late.
    assert collections_with(database, maya) == ["departures"]
    an_hour_of_jobs(whole, clock)
    assert collections_with(database, maya) == []
    assert all(word not in str(database.raw().get("farewells")) for word in ("maya", "id.example", maya))


@pytest.mark.parametrize("what", ["everything", "one chat"])
def test_not_even_the_bytes_of_the_database_files_hold_what_was_deleted_while_it_runs(
    tmp_path: Path, clock: FakeClock, what: str
) -> None:
    engine = SqliteDocuments(tmp_path / "apart.sqlite", clock=clock)
    here = Room(engine=engine, data_dir=tmp_path, model=FakeModel(says(f"About {CANARY}.")), clock=clock)
    chat, _ = here.ask(f"What about {CANARY}?")
    here.services.turns.drain(5)
    before = _bytes_in(tmp_path)
    if what == "everything":
        here.services.account_deletion.delete(here.maya.id)
    else:
        here.services.chats.deletion_queue.delete(here.maya, chat)
        clock.advance(minutes=11)
        assert here.services.chats.deletion_queue.purge() == 1

    assert CANARY.encode() in before
    assert b"departures" in _bytes_in(tmp_path)
    assert CANARY.encode() not in _bytes_in(tmp_path)
    engine.close()


def _bytes_in(folder: Path) -> bytes:
    """Of the database, and of the log that stands beside it while it is open."""
    return b"".join(path.read_bytes() for path in folder.glob("apart.sqlite*"))


def test_another_students_data_stays_as_it_was(whole: Room, database: Database, clock: FakeClock) -> None:
    diego = whole.sign_in("diego")
    whole.connect(diego)
    fill(whole, diego)
    before = {kept.collection: kept.documents(whole.services.store, diego.id) for kept in DATA_INVENTORY}

    whole.services.account_deletion.delete(whole.maya.id)
    an_hour_of_jobs(whole, clock)

    after = {kept.collection: kept.documents(whole.services.store, diego.id) for kept in DATA_INVENTORY}
    # What expires by itself has done so in the hour.
    assert {name: rows for name, rows in after.items() if name != "oauth_states"} == {
        name: rows for name, rows in before.items() if name != "oauth_states"
    }
    assert [token for token, person in whole.service.people.items() if person == "Diego"] == ["access-Diego-2"]


def test_no_line_of_the_log_names_the_student_or_their_words(
    room: RoomMaker, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    here = room(says(f"About {CANARY}."), clock=clock)
    here.ask(f"What about {CANARY}?")

    here.services.account_deletion.delete(here.maya.id)

    ours = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("services"))
    assert "student_deleted" in ours
    assert not [word for word in (here.maya.id, "maya", "Maya", CANARY) if word in ours]


def test_a_turn_that_runs_is_stopped_and_what_it_notes_later_is_removed(
    room: RoomMaker, database: Database, clock: FakeClock
) -> None:
    gate = Gate()
    here = room([gate, *says("Too late.")], clock=clock)
    conversation = here.services.conversations.create(here.maya.id)
    here.services.turns.start_turn(here.maya, conversation, "Take your time")
    assert gate.reached.wait(10)

    here.services.account_deletion.delete(here.maya.id)
    gate.open()
    here.services.activity.record(here.maya.id, services=["Board"], tool="Reading", effect="read", sentence="done")

    assert here.services.turns.current(here.maya.id, conversation) is None
    an_hour_of_jobs(here, clock)
    assert collections_with(database, here.maya.id) == []


def test_the_cost_of_an_answer_that_ended_just_now_is_not_written_after_the_deletion(
    room: RoomMaker, database: Database, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_repository, "GATHER_S", 1.0)
    here = room(says("Hello."), clock=clock)
    here.ask("Hello?")

    here.services.account_deletion.delete(here.maya.id)
    here.services.budgets.flush()

    assert collections_with(database, here.maya.id) == ["departures"]


def test_what_waited_for_the_student_cannot_be_approved_any_more(whole: Room) -> None:
    (waiting,) = whole.services.approvals.latest(whole.maya.id, 5)
    assert waiting.status is ApprovalStatus.PENDING

    whole.services.account_deletion.delete(whole.maya.id)

    with pytest.raises(SignInRequired):
        whole.services.turns.decide(whole.maya, waiting.id, "approve")
    with pytest.raises(ApprovalError):
        whole.services.approvals.get(whole.maya.id, waiting.id)
    assert whole.board.pins == []


def test_a_service_that_does_not_answer_is_asked_again_and_nothing_more_than_that_is_kept(
    whole: Room, database: Database, clock: FakeClock
) -> None:
    whole.service.failure = ServiceUnavailable("Board", "Board is down.")

    assert whole.services.account_deletion.delete(whole.maya.id) == ["Board"]

    (left,) = whole.services.store.for_student(whole.maya.id).find("revocations", {})
    assert left["account_id"] == ""
    assert collections_with(database, "maya", "Maya", CANARY, "access-") == []
    an_hour_of_jobs(whole, clock)
    assert collections_with(database, whole.maya.id) == ["revocations"]
    whole.service.failure = None
    clock.advance(hours=2)
    whole.services.connections.retry_revocations()
    assert whole.service.revoked == ["access-Maya-1"]
    assert collections_with(database, whole.maya.id) == []


def test_sessions_of_before_stay_out_and_a_new_sign_in_begins_with_nothing(room: RoomMaker, clock: FakeClock) -> None:
    here = room(clock=clock)
    sign_in(here, SESSION)
    sign_in(here, SESSION + 5)
    other = here.replica()

    here.services.account_deletion.delete(here.maya.id)

    for session in (SESSION, SESSION + 5):
        assert sign_in(other, session).is_signed_out
    assert other.services.store.shared.find("students", {"subject": "maya"}) == []
    anew = sign_in(other, SESSION + 100)
    assert not anew.is_signed_out
    assert anew.id != here.maya.id


def test_a_key_of_a_deleted_student_opens_nothing(room: RoomMaker, clock: FakeClock) -> None:
    here = room(clock=clock)
    key = here.services.keys.create(here.maya, label="script", scopes=["read"])

    here.services.account_deletion.delete(here.maya.id)

    with pytest.raises(SignInRequired):
        here.services.keys.authenticate(key.secret)


@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.soak), 5])
def test_a_process_that_dies_at_any_write_leaves_a_deletion_that_another_one_finishes(
    tmp_path: Path, step: int
) -> None:
    """Every point in turn, or each fifth, in memory: the engines themselves are held to their contract elsewhere."""
    points = 0
    while not _dies_and_is_finished(points, tmp_path):
        points += step

    assert points > len(DATA_INVENTORY)


def _dies_and_is_finished(point: int, tmp_path: Path) -> bool:
    """Whether the deletion came to its end before this many writes."""
    clock = FakeClock(utc_now())
    engine = DyingDocuments(FakeDocuments(clock=clock))
    here = Room(engine=engine, data_dir=tmp_path, model=FakeModel(says("Hello.")), clock=clock)
    here.connect()
    fill(here, here.maya)
    engine.dies_at = point
    with suppress(Dead):
        here.services.account_deletion.delete(here.maya.id)
    is_through = engine.dies_at > 0
    engine.dies_at = None
    is_begun = Store(engine).shared.find("departures", {}) != []
    an_hour_of_jobs(here.replica(), clock)

    # At the very first write nothing is noted: the student is as they were, and may press again.
    assert is_begun == (point > 0)
    left = [kept.collection for kept in DATA_INVENTORY if kept.documents(here.services.store, here.maya.id)]
    assert not is_begun or left == [], point
    assert not is_begun or set(here.service.revoked) == {"access-Maya-1"}, point
    return is_through
