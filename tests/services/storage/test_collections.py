"""The data model says of each collection whom and what it goes with."""

from services.storage.collections import COLLECTIONS, OF_CONVERSATION


def test_whatever_is_found_by_its_conversation_is_deleted_with_it() -> None:
    found = {
        collection.name
        for collection in COLLECTIONS
        if any("conversation_id" in by for by in (*collection.unique, *collection.indexes))
    }

    assert found
    assert found == set(OF_CONVERSATION)
