"""The list of what is kept is whole: a new collection must be named in it, in words for the student."""

from services.privacy.data_inventory import ANONYMOUS_COLLECTIONS, DATA_INVENTORY, count_inventory
from services.storage.collections import COLLECTIONS
from tests.rooms import Room

OWNED = {collection.name for collection in COLLECTIONS if collection.owned}
SHARED = {collection.name for collection in COLLECTIONS if not collection.owned}


def test_every_collection_is_told_exported_and_deleted_or_holds_nobody() -> None:
    named = [kept.collection for kept in DATA_INVENTORY]

    assert sorted([*named, *ANONYMOUS_COLLECTIONS]) == sorted(OWNED | SHARED)


def test_only_collections_without_an_owner_name_the_student_by_a_field_or_hold_nobody() -> None:
    assert {kept.collection for kept in DATA_INVENTORY if kept.field is None} == OWNED
    assert set(ANONYMOUS_COLLECTIONS) <= SHARED


def test_each_is_told_in_whole_sentences() -> None:
    assert all(text.endswith(".") for kept in DATA_INVENTORY for text in (kept.holds, kept.retention))
    assert len({kept.title for kept in DATA_INVENTORY}) == len(DATA_INVENTORY)


def test_vectors_of_texts_and_where_a_role_in_a_class_comes_from_are_named() -> None:
    """What stands in a document beside what its collection is named after."""
    holds = {item.collection: item.holds for item in DATA_INVENTORY}

    assert "vectors" in holds["material_indexes"]
    assert "made you an instructor" in holds["class_members"]


def test_each_kind_is_counted_for_this_student_alone(whole: Room) -> None:
    whole.connect(whole.sign_in("diego"))

    counts = count_inventory(whole.services.store, whole.maya.id)

    for count in counts:
        assert count.number == len(count.item.documents(whole.services.store, whole.maya.id)), count.item.collection
    numbers = {count.item.collection: count.number for count in counts}
    assert (numbers["students"], numbers["connections"], numbers["conversations"]) == (1, 1, 2)
    assert numbers["revocations"] == 0
