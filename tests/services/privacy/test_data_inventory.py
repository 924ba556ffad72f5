"""The list of what is kept is whole: a new collection must be named in it, in words for the student."""

from services.privacy.data_inventory import KEPT, NOBODYS
from services.storage.collections import COLLECTIONS

OWNED = {collection.name for collection in COLLECTIONS if collection.owned}
SHARED = {collection.name for collection in COLLECTIONS if not collection.owned}


def test_every_collection_is_told_exported_and_deleted_or_holds_nobody() -> None:
    named = [kept.collection for kept in KEPT]

    assert sorted([*named, *NOBODYS]) == sorted(OWNED | SHARED)


def test_only_collections_without_an_owner_name_the_student_by_a_field_or_hold_nobody() -> None:
    assert {kept.collection for kept in KEPT if kept.field is None} == OWNED
    assert set(NOBODYS) <= SHARED


def test_each_is_told_in_whole_sentences() -> None:
    assert all(text.endswith(".") for kept in KEPT for text in (kept.holds, kept.lasts))
    assert len({kept.title for kept in KEPT}) == len(KEPT)
