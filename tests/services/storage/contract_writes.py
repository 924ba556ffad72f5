"""The laws of `Documents` on keeping and changing."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from services.errors import DuplicateDocument, WriteConflict
from services.storage.documents import Document, Documents, Operation, Write
from tests.services.storage.shelf import COLLECTIONS, WORTH_KEEPING, book, ids


def _insertion(collection: str, document: Document) -> Write:
    return Write(operation="insert", collection=collection, arguments={"document": document})


class WritesContract:
    """A subclass brings the fixture `documents`."""

    def test_a_document_comes_back_as_it_was_given(self, documents: Documents) -> None:
        documents.insert("notes", WORTH_KEEPING)

        assert documents.get("notes", "n1") == WORTH_KEEPING

    def test_numbers_come_back_with_their_kind(self, documents: Documents) -> None:
        documents.insert("notes", {"id": "n1", "whole": 3, "real": 3.0, "large": 2**40, "flag": True})

        found = documents.get("notes", "n1")
        assert found is not None
        assert [type(found[name]) for name in ("whole", "real", "large", "flag")] == [int, float, int, bool]

    def test_a_missing_document_is_none(self, documents: Documents) -> None:
        assert documents.get("notes", "nobody") is None

    def test_what_was_stored_does_not_change_with_the_callers_copy(self, documents: Documents) -> None:
        document = {"id": "n1", "tags": ["a"]}
        documents.put("notes", document)
        document["tags"].append("b")

        assert documents.get("notes", "n1") == {"id": "n1", "tags": ["a"]}

    def test_a_taken_id_is_refused_and_the_first_stays(self, documents: Documents) -> None:
        documents.insert("notes", {"id": "n1", "by": "first"})
        with pytest.raises(DuplicateDocument):
            documents.insert("notes", {"id": "n1", "by": "second"})

        assert documents.get("notes", "n1") == {"id": "n1", "by": "first"}

    def test_several_documents_are_added_at_once_into_their_collections(self, documents: Documents) -> None:
        documents.write_all(
            [
                _insertion("notes", {"id": "n1"}),
                _insertion("books", book("b1", place=1)),
                _insertion("notes", {"id": "n2"}),
            ]
        )

        assert ids(documents.find("notes", {}, order=[("id", 1)])) == ["n1", "n2"]
        assert documents.get("books", "b1") == book("b1", place=1)

    def test_of_several_documents_none_is_added_after_one_that_is_refused(self, documents: Documents) -> None:
        documents.insert("notes", {"id": "n1", "by": "first"})
        with pytest.raises(DuplicateDocument):
            documents.write_all([_insertion("notes", {"id": "n1", "by": "second"}), _insertion("notes", {"id": "n2"})])

        assert documents.find("notes", {}) == [{"id": "n1", "by": "first"}]

    def test_several_writes_of_all_kinds_are_done_in_their_order(self, documents: Documents) -> None:
        documents.insert("notes", {"id": "old", "n": 1})
        kinds: list[tuple[Operation, dict[str, Any]]] = [
            ("insert", {"document": {"id": "n1", "by": "first"}}),
            ("compare_and_set", {"id": "n1", "expected": {"by": "first"}, "changes": {"by": "second"}}),
            ("put", {"document": {"id": "n2", "n": 1}}),
            ("increment", {"id": "n2", "amounts": {"n": 2}, "defaults": {}}),
            ("delete", {"where": {"id": "old"}}),
        ]
        documents.write_all([Write(operation=kind, collection="notes", arguments=given) for kind, given in kinds])

        assert documents.find("notes", {}, order=[("id", 1)]) == [{"id": "n1", "by": "second"}, {"id": "n2", "n": 3}]

    def test_a_comparison_that_fails_stops_all_that_come_after_it(self, documents: Documents) -> None:
        documents.insert("notes", {"id": "n1", "by": "first"})
        swap = {"id": "n1", "expected": {"by": "nobody"}, "changes": {"by": "second"}}
        with pytest.raises(WriteConflict):
            documents.write_all(
                [
                    Write(operation="compare_and_set", collection="notes", arguments=swap),
                    _insertion("notes", {"id": "n2"}),
                ]
            )

        assert documents.find("notes", {}) == [{"id": "n1", "by": "first"}]

    def test_put_replaces_the_whole_document(self, documents: Documents) -> None:
        documents.put("notes", {"id": "n1", "old": 1})
        documents.put("notes", {"id": "n1", "new": 2})

        assert documents.get("notes", "n1") == {"id": "n1", "new": 2}

    @pytest.mark.parametrize(
        "write",
        [
            lambda d: d.insert("books", book("b3", place=1)),
            lambda d: d.put("books", book("b3", place=1)),
            lambda d: d.put("books", book("b2", place=1)),
            lambda d: d.compare_and_set("books", "b2", {}, {"place": 1}),
            lambda d: d.increment("books", "b2", {"place": -1}, defaults={}),
            lambda d: d.increment("books", "b3", {"read": 1}, defaults=book("b3", place=1)),
        ],
    )
    def test_a_taken_unique_value_is_refused_by_every_write(
        self, documents: Documents, write: Callable[[Documents], object]
    ) -> None:
        documents.insert("books", book("b1", place=1))
        documents.insert("books", book("b2", place=2))
        with pytest.raises(DuplicateDocument):
            write(documents)

        assert documents.find("books", {}, order=[("id", 1)]) == [book("b1", place=1), book("b2", place=2)]

    @pytest.mark.parametrize(
        ("collection", "document"),
        [
            ("nowhere", {"id": "n1"}),
            ("notes", {}),
            ("notes", {"id": ""}),
            ("notes", {"id": 7}),
            ("notes", {"id": "n1", "at": datetime(2026, 11, 21, tzinfo=UTC)}),
            ("notes", {"id": "n1", "v": float("nan")}),
            ("notes", {"id": "n1", "v": "\ud83d"}),
            ("books", book("b1", rank=["a"])),
            ("books", book("b1", rank={"a": 1})),
            ("books", book("b1", title="a\0b")),
            ("books", {"id": "b1", "shelf": "A"}),
            ("books", book("b1", place=None)),
        ],
    )
    def test_a_document_that_could_not_be_found_again_is_a_mistake(
        self, documents: Documents, collection: str, document: dict[str, Any]
    ) -> None:
        for write in (documents.insert, documents.put):
            with pytest.raises((ValueError, TypeError)):
                write(collection, document)

    def test_swap_changes_what_still_matches(self, documents: Documents) -> None:
        documents.insert("notes", {"id": "n1", "status": "pending", "kept": {"a": 1}, "old": 1})

        after = documents.compare_and_set("notes", "n1", {"status": "pending"}, {"status": "done", "old": {"b.c": [2]}})

        assert after == {"id": "n1", "status": "done", "kept": {"a": 1}, "old": {"b.c": [2]}}
        assert documents.get("notes", "n1") == after

    @pytest.mark.parametrize("expected", [{"status": "done"}, {"id": "n2"}, {"status": {"$ne": "pending"}}, {"x.y": 1}])
    def test_swap_leaves_alone_what_does_not_match(self, documents: Documents, expected: dict[str, Any]) -> None:
        documents.insert("notes", {"id": "n1", "status": "pending"})

        assert documents.compare_and_set("notes", "n1", expected, {"status": "stolen"}) is None
        assert documents.get("notes", "n1") == {"id": "n1", "status": "pending"}

    def test_swap_never_makes_a_document(self, documents: Documents) -> None:
        assert documents.compare_and_set("notes", "n1", {}, {"status": "done"}) is None
        assert documents.get("notes", "n1") is None

    @pytest.mark.parametrize("changes", [{"id": "n2"}, {"a.b": 1}, {"$inc": 1}, {"v": float("inf")}, {"v": {1, 2}}])
    def test_swap_sets_top_level_fields_only(self, documents: Documents, changes: dict[str, Any]) -> None:
        documents.insert("notes", {"id": "n1", "v": 1})

        with pytest.raises((ValueError, TypeError)):
            documents.compare_and_set("notes", "n1", {}, changes)
        assert documents.get("notes", "n1") == {"id": "n1", "v": 1}

    @pytest.mark.parametrize("changes", [{"rank": [1]}, {"place": None}])
    def test_swap_keeps_indexed_fields_fit_for_their_index(self, documents: Documents, changes: dict[str, Any]) -> None:
        documents.insert("books", book("b1"))

        with pytest.raises(ValueError):
            documents.compare_and_set("books", "b1", {}, changes)
        assert documents.get("books", "b1") == book("b1")

    def test_increment_starts_from_its_defaults_and_then_adds(self, documents: Documents) -> None:
        documents.increment("notes", "d1", {"calls": 1, "cost": 0.25}, defaults={"day": "Saturday", "calls": 10})
        documents.increment("notes", "d1", {"calls": 2, "errors": 1}, defaults={"day": "Sunday", "calls": 50})

        assert documents.get("notes", "d1") == {
            "id": "d1",
            "day": "Saturday",
            "calls": 13,
            "cost": 0.25,
            "errors": 1,
        }

    def test_delete_takes_what_matches_and_counts_it(self, documents: Documents) -> None:
        for n in range(5):
            documents.insert("notes", {"id": f"n{n}", "n": n})

        assert documents.delete("notes", {"n": {"$lt": 3}}) == 3
        assert documents.delete("notes", {"n": {"$lt": 3}}) == 0
        assert ids(documents.find("notes", {})) == ["n3", "n4"]

    def test_ensuring_again_keeps_everything(self, documents: Documents) -> None:
        documents.insert("books", book("b1"))
        documents.ensure_collections(COLLECTIONS)

        assert documents.get("books", "b1") == book("b1")

    def test_a_store_that_answers_can_be_pinged_again_and_again(self, documents: Documents) -> None:
        documents.ping()
        documents.ping()
