"""A record that cannot be read holds up nobody: every job of every loop, every collection it reads (R100)."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from services.classes.figures.figure_counters import counter_document
from services.classes.figures.figure_week import week_of
from services.classes.school_class import SchoolClass, class_document
from services.identity.students import Student
from services.integrations.feeds.class_feeds import ClassFeeds
from services.materials.material import MaterialCourse
from services.materials.store.records import SHELF, CourseRecord
from services.materials.store.repository import MaterialRepository
from services.reminders.preferences import Channel
from services.reminders.timed_reminders import TimedReminder
from services.runtime.clock import stamp
from services.storage.collections import COLLECTIONS
from services.storage.documents import Document, Documents, Write
from services.study.attempt import Attempt
from services.study.quiz import Quiz, QuizRequest, QuizState
from services.study.store.attempt_repository import AttemptRepository
from services.study.store.quiz_repository import QuizRepository
from services.wiring.jobs_loop import JobsLoop
from tests.agent_fakes import FakeModel, says
from tests.fakes import FakeClock, FollowedClock
from tests.rooms import Room

pytestmark = pytest.mark.any_store
NOW = datetime(2026, 11, 23, 13, 5, tzinfo=UTC)
LONG_AGO = stamp(NOW - timedelta(days=40))
Scene = Callable[[Room, Student], None]


class ReadingLog:
    """Engine that notes which collections are read, by which fields they are searched, and which are changed."""

    def __init__(self, engine: Documents) -> None:
        self.engine = engine
        self.fields: dict[str, set[str]] = {}
        self.changed: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def insert(self, collection: str, document: Document) -> None:
        self.changed.add(collection)
        self.engine.insert(collection, document)

    def put(self, collection: str, document: Document) -> None:
        self.changed.add(collection)
        self.engine.put(collection, document)

    def delete(self, collection: str, where: Mapping[str, Any]) -> int:
        self.changed.add(collection)
        return self.engine.delete(collection, where)

    def write_all(self, writes: Sequence[Write]) -> None:
        self.changed.update(write.collection for write in writes)
        self.engine.write_all(writes)

    def get(self, collection: str, id: str) -> Document | None:
        self.fields.setdefault(collection, set())
        return self.engine.get(collection, id)

    def find(self, collection: str, where: Mapping[str, Any], **how: Any) -> list[Document]:
        self.fields.setdefault(collection, set()).update(where)
        return self.engine.find(collection, where, **how)

    def compare_and_set(self, collection: str, id: str, expected: Any, changes: Any) -> Document | None:
        self.fields.setdefault(collection, set()).update(expected)
        self.changed.add(collection)
        return self.engine.compare_and_set(collection, id, expected, changes)


def _recover(room: Room, student: Student) -> None:
    store, id = room.services.store, room.services.conversations.create(student.id)
    dead = {"kind": "turn", "student": student.id, "work": "t", "holder": "dead", "until": LONG_AGO}
    store.shared.insert("leases", {"id": f"turn/{student.id}/{id}", **dead})


def _retry_revocations(room: Room, student: Student) -> None:
    entry = {"integration": "gone", "tries": 0, "next_at": LONG_AGO, "expires_at": stamp(NOW + timedelta(days=9))}
    room.services.store.for_student(student.id).insert("revocations", {"id": "r1", **entry})


def _clear_out_chats(room: Room, student: Student) -> None:
    id = room.services.conversations.create(student.id)
    room.services.store.for_student(student.id).compare_and_set("conversations", id, {}, {"deleted_at": LONG_AGO})


def _finish_departures(room: Room, student: Student) -> None:
    room.services.store.shared.insert("departures", {"id": student.id, "next_at": LONG_AGO, "looks": 0})


def _course(student: Student, **more: Any) -> CourseRecord:
    return CourseRecord(course=MaterialCourse(key=f"shelf-{student.name}", name="Biology"), source=SHELF, **more)


def _tidy_libraries(room: Room, student: Student) -> None:
    materials = MaterialRepository(room.services.store, room.clock)
    materials.add_course(student.id, _course(student, tidied_at=NOW - timedelta(days=9)))


def _material_reading(room: Room, student: Student) -> None:
    materials = MaterialRepository(room.services.store, room.clock)
    materials.add_course(student.id, _course(student, mode="ahead", due_at=NOW - timedelta(days=1)))


def _settle_attempts(room: Room, student: Student) -> None:
    ended = NOW - timedelta(hours=1)
    attempt = Attempt(id="a", quiz_id="q", question_ids=("x",), started_at=ended - timedelta(hours=1), ends_at=ended)
    AttemptRepository(room.services.store).add(student.id, attempt, due_at=ended)


def _quiz_making(room: Room, student: Student) -> None:
    quiz = Quiz(id="q", request=QuizRequest(topic="cells"), state=QuizState.QUEUED, made_at=NOW, due_at=NOW)
    QuizRepository(room.services.store).add(student.id, quiz)


def _finish_class_deletions(room: Room, student: Student) -> None:
    begun = {"id": f"class-{student.id}", "name": "Biology", "deleted_at": LONG_AGO}
    room.services.store.shared.insert("classes", begun)


def _close_figures(room: Room, student: Student) -> None:
    counters = counter_document("class1", week_of(NOW.date() - timedelta(days=30)))
    room.services.store.for_student(student.id).insert("class_figure_counters", {**counters, "questions": 3})


def _read_class_feeds(room: Room, student: Student) -> None:
    shared, class_id = room.services.store.shared, f"class-{student.id}"
    code = f"code-{student.id}"
    made = SchoolClass(
        id=class_id, name="Biology", term="", join_code=code, code_ends_at=None, most_members=9, created_at=NOW
    )
    shared.insert("classes", class_document(made) | {"deleted_at": None})
    url = f"http://127.0.0.1:9/{student.id}.xml"  # Refused, which is stored as well.
    followed = {"feeds": [{"title": "Club", "url": url}]}
    shared.insert("class_assistants", {"id": f"a-{student.id}", "class_id": class_id, "published": followed})
    feed_id = f"{class_id}.{hashlib.sha256(url.encode()).hexdigest()[:32]}"
    times = {"fetched_at": LONG_AGO, "kept_until": stamp(NOW + timedelta(days=1))}
    shared.insert("class_feeds", {"id": feed_id, "class_id": class_id, "feed": None, "problem": "", **times})


def _apply_retention(room: Room, student: Student) -> None:
    mine = room.services.store.for_student(student.id)
    id = room.services.conversations.create(student.id)
    mine.compare_and_set("conversations", id, {}, {"updated_at": LONG_AGO})
    mine.insert("activity", {"id": "a1", "at": LONG_AGO})


def _remind(room: Room, student: Student) -> None:
    reminders = room.services.reminders
    late = NOW - timedelta(hours=7)
    reminder = TimedReminder(id="r1", text="Read", remind_at=late, channel=Channel.EMAIL, created_at=late)
    reminders.reminders.add(student.id, reminder)
    reminders.preferences.update(student.id, lambda known: known.with_channel(Channel.EMAIL))
    mine = room.services.store.for_student(student.id)
    mine.compare_and_set("reminder_preferences", "preferences", {}, {"next_look_at": LONG_AGO})
    sending = {"key": "k", "status": "sending", "at": LONG_AGO, "kept_until": stamp(NOW + timedelta(days=3))}
    mine.insert("deliveries", {"id": "d1", **sending})


SCENES: Mapping[str, Scene] = {
    "recover": _recover,
    "retry_revocations": _retry_revocations,
    "clear_out_chats": _clear_out_chats,
    "finish_departures": _finish_departures,
    "tidy_libraries": _tidy_libraries,
    "settle_attempts": _settle_attempts,
    "finish_class_deletions": _finish_class_deletions,
    "close_figures": _close_figures,
    "read_class_feeds": _read_class_feeds,
    "apply_retention": _apply_retention,
    "remind": _remind,
    "material_reading": _material_reading,
    "quiz_making": _quiz_making,
}
"""What is due for a student, by the job that does it. A new job without a scene fails the law."""


def jobs_of(room: Room) -> dict[str, Callable[[], object]]:
    """Every job: those of the loops, and whatever else of the container works through a queue by itself."""
    jobs: dict[str, Callable[[], object]] = {}
    for name, part in vars(room.services).items():
        if isinstance(part, JobsLoop):
            jobs |= part._jobs
        elif callable(getattr(part, "run_once", None)):
            jobs[name] = part.run_once
    return jobs


def make_room(engine: Documents, engine_clock: FollowedClock, folder: Path) -> Room:
    clock = FakeClock(NOW)
    engine_clock.follows = clock
    settings = {"HOMEROOM_RETENTION_DAYS": "chats=30,activity=30"}
    return Room(engine=engine, data_dir=folder, model=FakeModel(says("No.")), clock=clock, settings=settings)


def damages(document: Document, searched: set[str]) -> Iterator[tuple[str, Document]]:
    """The document as a fault or a later version leaves it, where the job still comes upon it."""
    own = {"id", "owner", *searched}
    rest = {name: value for name, value in document.items() if name not in own}
    still = {name: value for name, value in document.items() if name in own}
    yield "missing fields", still
    yield "wrong types", {**still, **{name: _other_type(value) for name, value in rest.items()}}
    yield "later fields", {**document, "later_field": {"later": ["field"]}}
    yield "nested later fields", {**still, **{name: _nested_later(value) for name, value in rest.items()}}


def each_field_damaged(document: Document, searched: set[str]) -> Iterator[tuple[str, Document]]:
    for name in document.keys() - {"id"}:
        yield f"without {name}", {other: value for other, value in document.items() if other != name}
        yield f"odd {name}", {**document, name: _other_type(document[name])}


def _other_type(value: Any) -> Any:
    return 17 if isinstance(value, str) or value is None else "odd"


def _nested_later(value: Any) -> Any:
    return {**value, "later_field": 1} if isinstance(value, dict) else value


UNIQUE = {c.name: {field for fields in c.unique for field in fields} for c in COLLECTIONS}


class World:
    """A store with due work of two students, which is put back as it was before each damage."""

    def __init__(self, log: ReadingLog, room: Room, scene: Scene) -> None:
        self.log, self.engine, self.room = log, log.engine, room
        for collection in COLLECTIONS:
            self.engine.delete(collection.name, {})
        self.front, self.behind = room.sign_in("ana"), room.sign_in("zoe")
        for student in (self.front, self.behind):
            scene(room, student)
        self.before = self._read([collection.name for collection in COLLECTIONS])
        log.fields.clear()
        log.changed.clear()

    def due_work_of_front(self, collections: Mapping[str, set[str]]) -> Iterator[tuple[str, Document]]:
        for name in collections:
            for document in self.before[name]:
                if self.front.id in json.dumps(document) and self.behind.id not in json.dumps(document):
                    yield name, document

    def after(self, job: Callable[[], object], damaged: Mapping[str, Document] = {}) -> dict[str, list[Document]]:
        """What there is of the student behind once the job has had its rounds."""
        self._put_back()
        for name, document in damaged.items():
            with suppress(ValueError):  # Fields of an index are what no engine can keep.
                self.log.put(name, document)
        self.room.services.store.guard._failures.clear()
        feeds = getattr(job, "__self__", None)
        if isinstance(feeds, ClassFeeds):  # It looks only every few minutes, and the clock stands still.
            feeds._next_look, feeds._due = None, []
        for _ in range(2):
            job()
        return self.of_behind(
            self._read([name for name in self.before if self.before[name] or name in self.log.changed])
        )

    def of_behind(self, documents: Mapping[str, list[Document]]) -> dict[str, list[Document]]:
        own = {
            name: [document for document in found if self.behind.id in json.dumps(document)]
            for name, found in documents.items()
        }
        return {name: found for name, found in own.items() if found}

    def _put_back(self) -> None:
        for name in self.log.changed:
            self.engine.delete(name, {})
            for document in self.before[name]:
                self.engine.put(name, deepcopy(document))

    def _read(self, names: Sequence[str]) -> dict[str, list[Document]]:
        return {name: self.engine.find(name, {}, order=[("id", 1)]) for name in names}


@pytest.fixture(
    params=[pytest.param(damages, id="whole"), pytest.param(each_field_damaged, id="each", marks=pytest.mark.soak)]
)
def damage(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_every_job_has_a_scene(engine: Documents, engine_clock: FollowedClock, tmp_path: Path) -> None:
    assert jobs_of(make_room(engine, engine_clock, tmp_path)).keys() == SCENES.keys()


def test_an_unreadable_record_in_front_holds_up_nobody(
    engine: Documents, engine_clock: FollowedClock, tmp_path: Path, damage: Any
) -> None:
    log, held_up = ReadingLog(engine), list[str]()
    room = make_room(log, engine_clock, tmp_path)  # type: ignore[arg-type]
    for name, job in jobs_of(room).items():
        world = World(log, room, SCENES[name])
        healthy = world.after(job)
        read = dict(log.fields)
        assert healthy != world.of_behind(world.before), f"{name} has nothing to do in its scene"
        assert any(True for _ in world.due_work_of_front(read)), f"{name} reads nothing of the student in front"
        for collection, document in world.due_work_of_front(read):
            for kind, odd in damage(document, read[collection] | UNIQUE[collection]):
                try:
                    same = world.after(job, {collection: odd}) == healthy
                except Exception as error:
                    held_up.append(f"{name}: {collection} with {kind} raises {type(error).__name__}")
                    continue
                if not same:
                    held_up.append(f"{name}: {collection} with {kind}")

    assert held_up == []
