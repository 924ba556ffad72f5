"""A whole Homeroom works on a store whose records all have a field of a later version: a part of `make soak`."""

from pathlib import Path

from services.storage.collections import COLLECTIONS
from services.storage.sqlite import SqliteDocuments
from tests.later_fields import LATER, MAPS, OPAQUE, LaterFields, with_later_fields
from tests.soak.version_clerk import Clerk


def test_every_record_of_a_later_version_is_read_and_worked_with(tmp_path: Path) -> None:
    engine = SqliteDocuments(tmp_path / "homeroom.sqlite")
    clerk = Clerk(LaterFields(engine), tmp_path, "now")

    clerk.work(2)

    totals = clerk.totals()
    assert {kind: totals[kind] for kind in ("asked", "cards", "sessions", "approved")} == {
        "asked": 2,
        "cards": 2,
        "sessions": 2,
        "approved": 1,
    }
    engine.close()


def test_the_field_is_in_records_and_not_in_what_is_keyed_by_data() -> None:
    document = {"meta": {"labels": {"a": "b"}, "results": {"c": {"success": True}}}, "content": [{"type": "text"}]}

    read = with_later_fields("messages", document)

    assert LATER in read
    assert LATER in read["meta"]
    assert LATER in read["meta"]["results"]["c"]
    assert read["meta"]["labels"] == {"a": "b"}
    assert set(read["meta"]["results"]) == {"c"}
    assert read["content"] == [{"type": "text"}]


def test_every_declaration_is_of_a_collection_that_there_is() -> None:
    assert {*MAPS, *OPAQUE} <= {collection.name for collection in COLLECTIONS}
