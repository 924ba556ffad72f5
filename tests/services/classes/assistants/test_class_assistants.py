"""Row I2 (R92): an instructor's assistant reaches its class when it is published, no earlier, and nobody else."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.assistants.publish_check import PublishProblem
from services.classes.assistants.assistant_record import AssistantRecord, HistoryAction
from services.classes.assistants.class_assistants import KEPT_ENTRIES, ClassAssistants, NotPublishable
from services.classes.assistants.draft_difference import difference
from services.errors import BadArguments, ChangedElsewhere, HomeroomError, ItemNotFound, PermissionMissing
from services.identity.students import Student
from services.storage.documents import Documents
from tests.fakes import FakeClock, FakeDocuments
from tests.room_fixtures import engine, engine_clock  # noqa: F401 - fixtures
from tests.services.classes.assistants.lectern import Lectern


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def lectern(clock: FakeClock) -> Lectern:
    return Lectern(FakeDocuments(clock=clock), clock)


def ids(lectern: Lectern, student: Student) -> list[str]:
    return [assistant.id for assistant in lectern.registry.of_classes(student.id)]


def test_a_draft_is_nobodys_until_it_is_published(lectern: Lectern) -> None:
    record = lectern.make(lectern.make_class(), words="Be kind.")

    assert ids(lectern, lectern.maya) == ids(lectern, lectern.anne) == []
    lectern.publish(record)

    assert ids(lectern, lectern.maya) == ids(lectern, lectern.anne) == [record.id]
    assert lectern.registry.for_student(lectern.maya.id, record.id).words.startswith("Be kind.\nHow far you help")


def test_members_have_the_published_version_while_the_draft_goes_on(lectern: Lectern) -> None:
    record = lectern.published(words="First.")
    before = lectern.registry.for_student(lectern.maya.id, record.id)

    newer = lectern.change(record, words="Second.", level="organises")

    assert lectern.registry.for_student(lectern.maya.id, record.id) == before
    lectern.publish(newer)
    after = lectern.registry.for_student(lectern.maya.id, record.id)
    assert "Second." in after.words
    assert "organising alone" in after.words
    assert after.version != before.version


def test_a_stranger_learns_nothing_of_it(lectern: Lectern) -> None:
    record = lectern.published()
    stranger = lectern.school.sign_in("noah")

    assert ids(lectern, stranger) == []
    with pytest.raises(ItemNotFound) as refused:
        lectern.registry.for_student(stranger.id, record.id)
    with pytest.raises(ItemNotFound) as unknown:
        lectern.registry.for_student(stranger.id, "c_0000000000000000")
    assert (str(refused.value), refused.value.next_step) == (str(unknown.value), unknown.value.next_step)
    with pytest.raises(ItemNotFound):
        lectern.registry.get(record.id)


def test_leaving_archiving_and_taking_back_end_it_at_once(lectern: Lectern) -> None:
    record = lectern.published()
    lectern.assistants.take_back(lectern.anne, record.id)
    assert ids(lectern, lectern.maya) == []

    lectern.publish(record)
    school_class = lectern.school.classes.archive(lectern.anne, record.class_id)
    assert ids(lectern, lectern.maya) == []

    lectern.school.classes.reopen(lectern.anne, record.class_id)
    assert ids(lectern, lectern.maya) == [record.id]
    lectern.school.memberships.leave(lectern.maya, record.class_id)
    assert ids(lectern, lectern.maya) == []
    assert ids(lectern, lectern.anne) == [record.id]
    assert school_class is None or school_class.id == record.class_id


ACTS: Mapping[str, Callable[[ClassAssistants, Student, AssistantRecord], object]] = {
    "get": lambda assistants, who, record: assistants.get(who, record.id),
    "history": lambda assistants, who, record: assistants.history(who, record.id),
    "take_back": lambda assistants, who, record: assistants.take_back(who, record.id),
    "delete": lambda assistants, who, record: assistants.delete(who, record.id),
    "publish": lambda assistants, who, record: assistants.publish(who, record.id, seen=record.draft_version),
    "save": lambda assistants, who, record: assistants.save(who, record.draft, seen=record.draft_version),
    "restore": lambda assistants, who, record: assistants.restore(who, record.id, 1, seen=record.draft_version),
    "set_windows": lambda assistants, who, record: assistants.set_windows(who, record.id, (), seen=()),
    "create": lambda assistants, who, record: assistants.create(who, record.class_id, "X", request_id="a" * 16),
    "of_class": lambda assistants, who, record: assistants.of_class(who, record.class_id),
    "as_student": lambda assistants, who, record: assistants.as_student(who, record.draft),
}


@pytest.mark.parametrize("act", ACTS)
def test_only_instructors_of_the_class_may_look_or_change(lectern: Lectern, act: str) -> None:
    record = lectern.published()
    stranger = lectern.school.sign_in("ben", email="ben@campus.example")

    with pytest.raises(PermissionMissing):
        ACTS[act](lectern.assistants, lectern.maya, record)
    with pytest.raises(ItemNotFound):
        ACTS[act](lectern.assistants, stranger, record)


def test_of_two_who_edit_at_once_the_second_is_told_and_nothing_is_lost(lectern: Lectern) -> None:
    school_class = lectern.make_class()
    record, lena = lectern.make(school_class), lectern.teach(school_class, "lena")
    first = lectern.change(record, words="Anne's.")

    with pytest.raises(ChangedElsewhere) as told:
        lectern.change(record, lena, words="Lena's.")

    assert "Another instructor" in str(told.value)
    over = lectern.change(first, lena, words="Lena's.")
    drafts = [entry.draft.words for entry in lectern.assistants.history(lectern.anne, record.id) if entry.draft]
    assert drafts == ["Lena's.", "Anne's.", ""]
    assert over.draft_version == 3


def test_a_second_click_saves_and_publishes_once(lectern: Lectern) -> None:
    record = lectern.make(lectern.make_class())

    twice = [lectern.change(record, words="Once.") for _ in range(2)]
    published = [lectern.publish(twice[0]) for _ in range(2)]

    assert twice[0] == twice[1]
    assert published[0] == published[1]
    assert len(lectern.assistants.history(lectern.anne, record.id)) == 3
    assert (
        lectern.assistants.create(lectern.anne, record.class_id, "Tutor", request_id="0123456789abcdef") == published[1]
    )


def test_of_many_saves_at_once_on_two_replicas_one_wins_and_the_history_has_each_that_did(
    engine: Documents,  # noqa: F811
) -> None:
    clock = FakeClock()
    replicas = [Lectern(engine, clock) for _ in range(2)]
    record = replicas[0].make(replicas[0].make_class())

    def save(number: int) -> bool:
        try:
            replicas[number % 2].change(record, words=f"Try {number}.")
        except HomeroomError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(save, range(8)))

    assert sum(done) == 1
    now = replicas[1].assistants.get(replicas[1].anne, record.id)
    history = replicas[0].assistants.history(replicas[0].anne, record.id)
    assert (now.draft_version, now.revision, len(history)) == (2, 2, 2)
    assert now.draft.words == f"Try {done.index(True)}."


def test_the_history_says_who_did_what_and_leads_back_as_a_new_version(lectern: Lectern, clock: FakeClock) -> None:
    record = lectern.publish(lectern.make(lectern.make_class(), words="First.\nKind."))
    clock.advance(minutes=5)
    second = lectern.change(record, words="Second.\nKind.", level="asks")
    history = lectern.assistants.history(lectern.anne, record.id)

    back = lectern.assistants.restore(lectern.anne, record.id, history[1].number, seen=second.draft_version)

    assert [(entry.action, entry.version, entry.by == lectern.anne.id) for entry in history] == [
        (HistoryAction.SAVED, 3, True),
        (HistoryAction.PUBLISHED, 2, True),
        (HistoryAction.SAVED, 2, True),
        (HistoryAction.MADE, 1, True),
    ]
    assert (back.draft.words, back.draft_version) == ("First.\nKind.", 4)
    changes = difference(record.draft, second.draft)
    assert [change.field for change in changes] == ["words", "level"]
    assert list(changes[0].lines) == ["- First.", "+ Second.", "  Kind."]


def test_the_history_of_a_busy_assistant_stays_within_its_limit(lectern: Lectern) -> None:
    record = lectern.make(lectern.make_class())
    for number in range(KEPT_ENTRIES + 5):
        record = lectern.change(record, words=f"{number}")

    assert len(lectern.assistants.history(lectern.anne, record.id)) == KEPT_ENTRIES


def test_words_that_name_a_tool_it_lacks_keep_it_from_students(clock: FakeClock) -> None:
    problem = PublishProblem(tool="documents_create", sentence="No such.", next_step="Take it out.")
    lectern = Lectern(
        FakeDocuments(clock=clock),
        clock,
        check=lambda draft: [problem] if "documents_create" in draft.words else [],
    )
    record = lectern.make(lectern.make_class(), words="Use documents_create.")

    with pytest.raises(NotPublishable) as refused:
        lectern.publish(record)

    assert (str(refused.value), refused.value.next_step) == ("No such.", "Take it out.")
    assert ids(lectern, lectern.maya) == []
    lectern.publish(lectern.change(record, words="Write it down."))
    assert ids(lectern, lectern.maya) == [record.id]


def test_deleting_a_class_takes_its_assistants_with_it(lectern: Lectern) -> None:
    record = lectern.published()

    lectern.school.classes.delete(lectern.anne, record.class_id)

    store = lectern.school.store.shared
    assert store.find("class_assistants", {}) == store.find("class_assistant_history", {}) == []


def test_an_archived_class_makes_and_publishes_nothing(lectern: Lectern) -> None:
    record = lectern.make(lectern.make_class())
    lectern.school.classes.archive(lectern.anne, record.class_id)

    with pytest.raises(BadArguments):
        lectern.publish(record)
    with pytest.raises(BadArguments):
        lectern.assistants.create(lectern.anne, record.class_id, "More", request_id="b" * 16)
