"""What a page of one student shows holds though a record of theirs cannot be read, and says so in a chat (R100)."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from services.classes.lti.accounts import LtiAccounts
from services.classes.lti.refusals import LaunchRefused
from services.classes.lti.registration.invites import Invites
from services.classes.lti.tool_keys import ToolKeys
from services.classes.lti.waiting_requests import WaitingRequests
from services.connections.oauth_states import OAuthStates
from services.connections.vault import KeyRing, Vault
from services.conversations.items import AssistantText, NoticeItem, UserMessage
from services.identity.students import Student
from services.integrations.feeds.class_feeds import stored_feed
from services.materials.material import Material, MaterialCourse, MaterialKind
from services.materials.store.records import CourseRecord
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import stamp
from services.storage.documents import Document
from services.study.flashcard import Review, ReviewRating
from services.study.store.card_repository import CardRepository, review_fields
from services.study.store.quiz_repository import QuizRepository
from services.week.snapshots import WeekSnapshots
from tests.agent_fakes import FakeModel, says
from tests.fakes import FakeDocuments
from tests.rooms import Room

Ids = Sequence[str]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(engine=FakeDocuments(), data_dir=tmp_path, model=FakeModel(says("Hello."), says("Hello.")))


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a page shows. make: stores two records of the student. ids: of those that are shown. damage: of a record."""

    collection: str
    make: Callable[[Room, Student], object]
    ids: Callable[[Room, Student], Ids]
    damage: Document


def _library(room: Room) -> MaterialRepository:
    return MaterialRepository(room.services.store, room.clock)


def _course(key: str) -> CourseRecord:
    return CourseRecord(course=MaterialCourse(key=key, name="Biology"), source="canvas")


def _material(id: str) -> Material:
    return Material(id=id, course_key="c1", kind=MaterialKind.FILE, title="Cells", version="1")


def _add_courses(room: Room, student: Student) -> None:
    for key in ("c1", "c2"):
        _library(room).add_course(student.id, _course(key))


def _list_materials(room: Room, student: Student) -> None:
    _library(room).add_course(student.id, _course("c1"))
    listed = [_material("m1"), _material("m2")]
    _library(room).save_listing(student.id, _course("c1"), listed, is_whole=True, at=room.clock())


def _add_reviews(room: Room, student: Student) -> None:
    mine = room.services.store.for_student(student.id)
    for id in ("r1", "r2"):
        mine.insert(
            "study_reviews", review_fields(Review(id=id, card_id="k", rating=ReviewRating.GOOD, at=room.clock()))
        )


def _add_questions(room: Room, student: Student) -> None:
    for id in ("q1", "q2"):
        document = {"kind": "true_false", "prompt": "Is it?", "quotation": QUOTATION, "made_at": stamp(room.clock())}
        room.services.store.for_student(student.id).insert("study_questions", {"id": id, "quiz_id": "z", **document})


QUOTATION = {"source": "material", "source_id": "m1", "place": "Lecture 1", "text": "It is."}


def _add_links(room: Room, student: Student) -> None:
    for id in ("l1", "l2"):
        link = {"student_id": student.id, "issuer": "https://school.example", "linked_at": stamp(room.clock())}
        room.services.store.shared.insert("lti_links", {"id": id, **link})


def _add_requests(room: Room, student: Student) -> None:
    for course in ("c1", "c2"):
        _requests(room).put(course, student, f"{course}.1")


def _add_cards(room: Room, student: Student) -> None:
    now = stamp(room.clock())
    fields = dict.fromkeys(("turn_id", "call_id", "tool", "title", "integration", "digest"), "x")
    times = {"created_at": now, "expires_at": stamp(room.clock() + timedelta(days=1))}
    for id in ("a1", "a2"):
        card = {"id": id, "conversation_id": "c", "arguments": {}, "rows": [], "status": "pending", "left_open": True}
        room.services.store.for_student(student.id).insert("approvals", {**fields, **times, **card})


SHOWN: Mapping[str, Shown] = {
    "courses": Shown(
        collection="material_courses",
        make=_add_courses,
        ids=lambda room, student: list(_library(room).own_courses(student.id)),
        damage={"position": "odd"},
    ),
    "materials": Shown(
        collection="materials",
        make=_list_materials,
        ids=lambda room, student: [each.material.id for each in _library(room).materials(student.id, ["c1"])],
        damage={"kind": "later kind"},
    ),
    "log of a flashcard": Shown(
        collection="study_reviews",
        make=_add_reviews,
        ids=lambda room, student: [each.id for each in CardRepository(room.services.store).log(student.id, "k")],
        damage={"rating": "later"},
    ),
    "questions": Shown(
        collection="study_questions",
        make=_add_questions,
        ids=lambda room, student: [
            each.id for each in QuizRepository(room.services.store).questions(student.id, ["q1", "q2"])
        ],
        damage={"kind": "later kind"},
    ),
    "linked accounts": Shown(
        collection="lti_links",
        make=_add_links,
        ids=lambda room, student: [each.id for each in _accounts(room).linked(student)],
        damage={"linked_at": "odd"},
    ),
    "requests to teach a course": Shown(
        collection="lti_role_requests",
        make=_add_requests,
        ids=lambda room, student: [each.id for each in _requests(room).of_student(student)],
        damage={"asked_at": "odd"},
    ),
    "cards of a chat": Shown(
        collection="approvals",
        make=_add_cards,
        ids=lambda room, student: list(room.services.approvals.for_conversation(student.id, "c")),
        damage={"status": "later state"},
    ),
    "cards that were left open": Shown(
        collection="approvals",
        make=_add_cards,
        ids=lambda room, student: [each.id for each in room.services.approvals.left_open(student.id, "c")],
        damage={"status": "later state"},
    ),
}


def _accounts(room: Room) -> LtiAccounts:
    return LtiAccounts(room.services.store, room.services.students, room.clock)


def _requests(room: Room) -> WaitingRequests:
    services = room.services
    return WaitingRequests(services.store, services.students, services.classroom.memberships, room.clock)


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_shows_every_record_but_the_one_that_cannot_be_read(
    room: Room, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    shown = SHOWN[name]
    shown.make(room, room.maya)
    damaged, *rest = shown.ids(room, room.maya)
    _damage(room, shown.collection, damaged, shown.damage)

    assert shown.ids(room, room.maya) == rest
    assert len(rest) == 1
    assert f"record_unreadable collection={shown.collection}" in caplog.text


def _damage(room: Room, collection: str, id: str, changes: Document) -> None:
    [stored] = [each["id"] for each in room.engine.find(collection, {}) if each["id"].endswith(id)]
    room.engine.compare_and_set(collection, stored, {}, changes)


def test_a_material_that_cannot_be_read_is_written_anew_by_the_next_listing_and_goes_with_its_course(
    room: Room,
) -> None:
    _list_materials(room, room.maya)
    _damage(room, "materials", "m1", {"kind": "later kind"})
    listed = [_material("m1"), _material("m2")]
    _library(room).save_listing(room.maya.id, _course("c1"), listed, is_whole=True, at=room.clock())

    assert {each.material.id for each in _library(room).materials(room.maya.id, ["c1"])} == {"m1", "m2"}

    _damage(room, "materials", "m1", {"kind": "later kind"})
    _library(room).delete_course(room.maya.id, "c1")

    assert room.engine.find("materials", {}) == []


DAMAGES: Mapping[str, Document] = {
    "a block without its text": {"content": [{"type": "text"}]},
    "no content": {"content": None},
    "another role": {"role": "later role"},
    "no place": {"seq": "odd"},
    "no meta": {"meta": 17},
}


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.parametrize("place", ["first", "last"])
def test_a_chat_with_a_message_that_cannot_be_read_says_so_shows_the_rest_and_goes_on(
    room: Room, name: str, place: str
) -> None:
    chat, _ = room.ask("Hello there")
    messages = room.engine.find("messages", {}, order=[("id", 1)])
    damaged = messages[0 if place == "first" else -1]
    room.engine.compare_and_set("messages", damaged["id"], {}, DAMAGES[name])

    view = room.items(chat)
    rest = [item for item in view if isinstance(item, AssistantText if place == "first" else UserMessage)]

    assert [item.sentence for item in view if isinstance(item, NoticeItem)] == ["A part of this chat cannot be read."]
    assert len(rest) == 1
    room.ask("And once more", chat)
    assert [item.text for item in room.items(chat)[-2:]] == ["And once more", "Hello."]


def test_a_feed_that_cannot_be_read_counts_as_not_read_yet(room: Room) -> None:
    url = "https://news.example/rss"
    id = f"c.{hashlib.sha256(url.encode()).hexdigest()[:32]}"
    times = {"fetched_at": stamp(room.clock()), "kept_until": stamp(room.clock() + timedelta(days=1))}
    stored = {"id": id, "class_id": "c", "feed": {"title": "Club", "items": [{"later": 1}]}, "problem": "", **times}
    room.services.store.shared.insert("class_feeds", stored)

    assert stored_feed(room.services.store, "c", url) is None


def test_a_week_that_cannot_be_read_is_read_anew(room: Room) -> None:
    snapshots = WeekSnapshots(room.services.store, room.clock)
    mine = room.services.store.for_student(room.maya.id)
    mine.insert("week_notes", {"id": "latest", "accounts": [], "expires_at": "odd", "read_at": "", "entries": [17]})

    assert snapshots.latest(room.maya, {}).is_empty
    assert snapshots.save_first_readings(room.maya, (), {})


def test_keys_of_school_systems_that_cannot_be_read_are_followed_by_one_that_signs(room: Room) -> None:
    room.services.store.shared.insert("lti_keys", {"id": "odd", "made_at": "odd", "retired_at": None})
    keys = ToolKeys(room.services.store, Vault(KeyRing([("k1", b"1" * 32)])), room.clock)

    assert [key.id for key in keys.all()] == []
    assert keys.sign({"sub": "maya"})
    assert len(keys.public_keys()["keys"]) == 1


def test_a_sign_in_or_an_invitation_that_cannot_be_read_is_begun_again(room: Room) -> None:
    store = room.services.store
    states = OAuthStates(store=store, vault=Vault(KeyRing([("k1", b"1" * 32)])), clock=room.clock)
    key = hashlib.sha256(b"state").hexdigest()
    store.for_student(room.maya.id).insert("oauth_states", {"id": key, "verifier": 17})
    invites = Invites(store, room.clock, public_url="https://homeroom.example")
    store.shared.insert("lti_invites", {"id": key, "expires_at": "odd"})

    assert states.redeem(room.maya.id, "state") is None
    with pytest.raises(LaunchRefused):
        invites.begin("state")
