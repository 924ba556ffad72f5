"""The laws of `Documents` on asking."""

from typing import Any

import pytest

from services.storage.documents import Documents
from tests.services.storage.shelf import book, ids


class QueriesContract:
    """A subclass brings the fixture `documents`."""

    @pytest.mark.parametrize(
        ("where", "expected"),
        [
            ({}, ["one", "real", "text", "true", "nothing", "absent", "list", "object"]),
            ({"v": 1}, ["list", "one", "real"]),
            ({"v": 1.0}, ["list", "one", "real"]),
            ({"v": "1"}, ["text"]),
            ({"v": True}, ["true"]),
            ({"v": False}, []),
            ({"v": None}, ["absent", "nothing"]),
            ({"v": '[1,"a",null]'}, []),
            ({"v": "a"}, ["list"]),
            ({"v": {"$ne": 1}}, ["absent", "nothing", "object", "text", "true"]),
            ({"v": {"$ne": None}}, ["list", "object", "one", "real", "text", "true"]),
            ({"v": {"$in": [1, "1", True]}}, ["list", "one", "real", "text", "true"]),
            ({"v": {"$in": []}}, []),
            ({"v": {"$in": [None]}}, ["absent", "nothing"]),
            ({"v": {"$nin": [1, "1", True]}}, ["absent", "nothing", "object"]),
            ({"v": {"$nin": [None]}}, ["list", "object", "one", "real", "text", "true"]),
            ({"v": {"$nin": []}}, ["one", "real", "text", "true", "nothing", "absent", "list", "object"]),
            ({"id": {"$nin": ["one", "text", "nobody"]}}, ["real", "true", "nothing", "absent", "list", "object"]),
            ({"v": {"$gt": 0}}, ["list", "one", "real"]),
            ({"v": {"$gt": ""}}, ["list", "text"]),
            ({"v": {"$gte": 1, "$lte": 1}}, ["list", "one", "real"]),
            ({"v": {"$gt": 1}}, []),
            ({"v": {"$lt": "1"}}, []),
            ({"v.deep": "x"}, ["object"]),
            ({"v.deep.er": "x"}, []),
            ({"id": "one"}, ["one"]),
            ({"id": {"$in": ["one", "text", "nobody"]}}, ["one", "text"]),
            ({"id": {"$gt": "r"}}, ["real", "text", "true"]),
            ({"id": {"$ne": "one"}}, ["real", "text", "true", "nothing", "absent", "list", "object"]),
            ({"v": 1, "id": "real"}, ["real"]),
        ],
    )
    def test_a_query_finds_what_its_words_say(
        self, documents: Documents, where: dict[str, Any], expected: list[str]
    ) -> None:
        kept = {"one": 1, "real": 1.0, "text": "1", "true": True, "nothing": None, "object": {"deep": "x"}}
        for id, value in kept.items():
            documents.insert("notes", {"id": id, "v": value})
        documents.insert("notes", {"id": "list", "v": [1, "a"]})
        documents.insert("notes", {"id": "absent"})

        assert ids(documents.find("notes", where)) == sorted(expected)
        assert documents.count("notes", where) == len(expected)

    def test_an_indexed_field_is_compared_as_every_other(self, documents: Documents) -> None:
        for place, rank in enumerate([1, "1", None, 2, "2", 1.5]):
            documents.insert("books", book(f"b{place}", place=place, rank=rank))
        documents.insert("books", book("b9", place=9))

        assert ids(documents.find("books", {"rank": 1})) == ["b0"]
        assert ids(documents.find("books", {"rank": None})) == ["b2", "b9"]
        assert ids(documents.find("books", {"rank": {"$ne": None}})) == ["b0", "b1", "b3", "b4", "b5"]
        assert ids(documents.find("books", {"rank": {"$gt": 1}})) == ["b3", "b5"]
        assert ids(documents.find("books", {"rank": {"$in": [2, "2"]}})) == ["b3", "b4"]

    def test_pages_that_skip_the_ones_before_hold_each_document_once(self, documents: Documents) -> None:
        for number in range(5):
            documents.insert("books", book(f"b{number}", place=number))

        pages = [documents.find("books", {}, order=[("place", -1)], limit=2, skip=skip) for skip in (0, 2, 4, 6)]
        assert [[found["id"] for found in page] for page in pages] == [["b4", "b3"], ["b2", "b1"], ["b0"], []]
        assert [found["id"] for found in documents.find("books", {}, order=[("place", 1)], skip=3)] == ["b3", "b4"]

    def test_order_and_limit_hold_together(self, documents: Documents) -> None:
        for place, (rank, title) in enumerate([(2, "b"), (1, "a"), (2, "a"), (None, "z"), ("x", "é"), ("x", "z")]):
            documents.insert("books", book(f"b{place}", place=place, rank=rank, title=title))

        up = documents.find("books", {}, order=[("rank", 1), ("title", -1)])
        assert [b["id"] for b in up] == ["b3", "b1", "b0", "b2", "b4", "b5"]
        down = documents.find("books", {"place": {"$gt": 0}}, order=[("rank", -1), ("id", 1)], limit=3)
        assert [b["id"] for b in down] == ["b4", "b5", "b2"]
        assert documents.find("books", {}, limit=0) == []

    @pytest.mark.parametrize(
        "where",
        [
            {"v": {"$where": "1"}},
            {"v": {"$gt": None}},
            {"v": {"$gt": True}},
            {"v": {"deep": 1}},
            {"v": [1]},
            {"v": {"$in": [{"$gt": ""}]}},
            {"v": 2**70},
            {"$or": 1},
            {"a' OR 1=1 --": 1},
            {'a"b': 1},
            {"a..b": 1},
            {"": 1},
        ],
    )
    def test_a_query_that_says_something_else_is_a_mistake(self, documents: Documents, where: dict[str, Any]) -> None:
        documents.insert("notes", {"id": "n1", "v": 1})

        for ask in (documents.find, documents.delete):
            with pytest.raises(ValueError):
                ask("notes", where)
        with pytest.raises(ValueError):
            documents.compare_and_set("notes", "n1", where, {"v": 2})
        assert documents.get("notes", "n1") == {"id": "n1", "v": 1}
