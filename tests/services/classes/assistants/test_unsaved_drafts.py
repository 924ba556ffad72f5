"""What an instructor has typed and not saved is kept for them alone, and changes nothing that others have."""

from dataclasses import replace

import pytest

from services.classes.assistants.assistant_record import UNSAVED, AssistantRecord
from services.classes.assistants.class_assistants import ClassAssistants
from services.classes.assistants.unsaved_drafts import UnsavedDraft, UnsavedDrafts
from services.errors import ItemNotFound, PermissionMissing
from services.storage.documents import Documents
from tests.fakes import FakeClock, FollowedClock
from tests.room_fixtures import engine, engine_clock  # noqa: F401 - fixtures
from tests.services.classes.assistants.lectern import Lectern

pytestmark = pytest.mark.any_store


@pytest.fixture
def lectern(engine: Documents, engine_clock: FollowedClock) -> Lectern:  # noqa: F811 - fixtures
    engine_clock.follows = clock = FakeClock()
    return Lectern(engine, clock)


def drafts_of(lectern: Lectern) -> UnsavedDrafts:
    return UnsavedDrafts(lectern.school.store, lectern.assistants, lectern.clock)


def typed(record: AssistantRecord, words: str) -> UnsavedDraft:
    return UnsavedDraft(began=record.draft, seen=record.draft_version, typed=replace(record.draft, words=words))


def test_what_is_typed_is_there_again_for_its_instructor_alone(lectern: Lectern) -> None:
    record = lectern.published(words="Published.")
    ben = lectern.teach(lectern.school.classes.require_member(lectern.anne, record.class_id)[0], "ben")
    kept = typed(record, "Half a sentence")
    drafts_of(lectern).keep(lectern.anne, record.id, kept)

    assert drafts_of(lectern).get(lectern.anne, record.id) == kept
    assert drafts_of(lectern).get(ben, record.id) is None
    assert lectern.assistants.get(ben, record.id) == record
    [theirs] = lectern.registry.of_classes(lectern.maya.id)
    assert "Half a sentence" not in theirs.words


def test_no_student_of_the_class_keeps_or_reads_one(lectern: Lectern) -> None:
    record = lectern.published()

    with pytest.raises(PermissionMissing):
        drafts_of(lectern).keep(lectern.maya, record.id, typed(record, "Mine"))
    with pytest.raises(PermissionMissing):
        drafts_of(lectern).get(lectern.maya, record.id)


def test_it_goes_when_it_is_forgotten_and_after_thirty_days(lectern: Lectern) -> None:
    record = lectern.published()
    drafts = drafts_of(lectern)
    drafts.keep(lectern.anne, record.id, typed(record, "One"))
    drafts.forget(lectern.anne, record.id)
    assert drafts.get(lectern.anne, record.id) is None

    drafts.keep(lectern.anne, record.id, typed(record, "Two"))
    assert isinstance(lectern.clock, FakeClock)
    lectern.clock.advance(hours=31 * 24)
    assert drafts.get(lectern.anne, record.id) is None


def test_it_goes_with_its_assistant_whoever_deletes_that_and_does_not_come_back(lectern: Lectern) -> None:
    record = lectern.published()
    ben = lectern.teach(lectern.school.classes.require_member(lectern.anne, record.class_id)[0], "ben")
    drafts_of(lectern).keep(lectern.anne, record.id, typed(record, "Gone"))
    assistants: ClassAssistants = lectern.assistants
    assistants.delete(ben, record.id)

    assert lectern.school.store.owners(UNSAVED, {"assistant_id": record.id}) == []
    with pytest.raises(ItemNotFound):
        drafts_of(lectern).keep(lectern.anne, record.id, typed(record, "Late"))
