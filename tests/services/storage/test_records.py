"""A stored document becomes a record in one way: what a later version added is passed over, damage has a name."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

import pytest
from pydantic import ConfigDict

from services.errors import RecordUnreadable
from services.runtime.metrics_registry import RECORDS_PASSED_OVER, MetricsRegistry
from services.storage.records import keep_later_fields, read_all, read_or_none, read_record, record_reader
from services.storage.unreadable_records import UNREADABLE_RECORDS

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
WORDS = "what a student wrote"


class Shade(StrEnum):
    LIGHT = "light"
    DARK = "dark"


class Tolerant(StrEnum):
    PLAIN = "plain"

    @classmethod
    def _missing_(cls, value: object) -> "Tolerant":
        return cls.PLAIN


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """Strict, as what people send of it must fit."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    words: str
    shade: Shade = Shade.LIGHT


@dataclass(frozen=True, kw_only=True)
class Tree:
    id: str
    at: datetime
    day: date | None = None
    best: Leaf | None = None
    leaves: tuple[Leaf, ...] = ()
    by_name: Mapping[str, Leaf] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    kind: Tolerant = Tolerant.PLAIN


@record_reader("trees")
def tree_of(document: dict[str, Any]) -> Tree:
    return read_record(Tree, document, day=document["day"] or None)


def stored(**changes: Any) -> dict[str, Any]:
    leaf = {"words": WORDS, "shade": "dark"}
    whole = {"id": "t1", "at": "2026-11-29T12:00:00.000000+00:00", "day": "", "best": leaf, "leaves": [leaf]}
    return {**whole, "by_name": {"a": leaf}, "counts": {"later_field": 3}, **changes}


def test_nested_records_times_and_enums_are_read() -> None:
    leaf = Leaf(words=WORDS, shade=Shade.DARK)

    tree = tree_of(stored(day="2026-11-29"))

    assert tree == Tree(
        id="t1", at=AT, day=AT.date(), best=leaf, leaves=(leaf,), by_name={"a": leaf}, counts={"later_field": 3}
    )
    assert tree.leaves[0].shade is Shade.DARK


def test_a_field_of_a_later_version_is_passed_over_at_any_depth() -> None:
    leaf = {"words": WORDS, "shade": "dark", "later_field": {"a": 1}}

    assert tree_of(stored(later_field=[1], best=leaf, leaves=[leaf], by_name={"a": leaf})) == tree_of(stored())


def test_a_missing_field_has_its_default() -> None:
    assert tree_of({"id": "t1", "at": AT.isoformat(), "day": None}) == Tree(id="t1", at=AT)


@pytest.mark.parametrize(
    "damage",
    [
        {"at": None},
        {"at": WORDS},
        {"best": {"words": WORDS, "shade": WORDS}},
        {"leaves": WORDS},
        {"leaves": [None]},
        {"best": {"shade": "dark"}},
        {"counts": {"a": WORDS}},
        {"day": 10**30},
    ],
)
def test_what_cannot_be_read_is_named_by_its_place_and_without_what_it_holds(damage: dict[str, Any]) -> None:
    with pytest.raises(RecordUnreadable) as caught:
        tree_of(stored(**damage))

    error = caught.value
    assert (error.collection, error.id) == ("trees", "t1")
    assert "trees/t1" in str(error)
    assert WORDS not in f"{error}{error.next_step}{error!r}"
    assert error.__cause__ is error.__context__ is None


def test_what_is_no_document_at_all_is_unreadable() -> None:
    with pytest.raises(RecordUnreadable):
        tree_of(None)  # type: ignore[arg-type]


def test_an_enum_says_itself_what_a_later_value_counts_as() -> None:
    assert tree_of(stored(kind="of a later version")).kind is Tolerant.PLAIN


def test_a_list_leaves_out_what_cannot_be_read_and_logs_its_id_alone(caplog: pytest.LogCaptureFixture) -> None:
    UNREADABLE_RECORDS.count_in(MetricsRegistry())
    with caplog.at_level(logging.WARNING):
        trees = read_all(tree_of, [stored(), stored(id="t2", at=WORDS), stored(id="t3")])

    assert [tree.id for tree in trees] == ["t1", "t3"]
    assert [record.getMessage() for record in caplog.records] == ["record_unreadable collection=trees id=t2"]


def test_an_unreadable_record_is_logged_once_and_counted_each_time(caplog: pytest.LogCaptureFixture) -> None:
    registry = MetricsRegistry()
    UNREADABLE_RECORDS.count_in(registry)
    damaged = [stored(id="t2", at=WORDS), stored(id="t3", at=WORDS)]

    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert read_all(tree_of, damaged) == []
        assert read_or_none(tree_of, damaged[0]) is None

    lines = [record.getMessage() for record in caplog.records]
    assert lines == [f"record_unreadable collection=trees id={id}" for id in ("t2", "t3")]
    assert registry.take() == {(RECORDS_PASSED_OVER.name, "read", "trees"): 7}


def test_an_id_that_may_hold_words_is_logged_by_its_hash(caplog: pytest.LogCaptureFixture) -> None:
    UNREADABLE_RECORDS.count_in(MetricsRegistry())
    with caplog.at_level(logging.WARNING):
        read_or_none(tree_of, stored(id=WORDS, at=WORDS))

    [record] = caplog.records
    assert "id=sha256:" in record.getMessage()
    assert WORDS not in record.getMessage()


@dataclass(frozen=True, kw_only=True)
class Bird:
    id: str
    song: str
    nest: Leaf | None = None


@dataclass(frozen=True, kw_only=True)
class Wood:
    birds: tuple[Bird, ...] = ()
    leaves: tuple[Leaf, ...] = ()
    best: Leaf | None = None
    by_name: Mapping[str, Leaf] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)


def test_what_is_written_anew_keeps_what_a_later_version_has_put_into_it() -> None:
    leaf, later = {"words": "a", "shade": "dark"}, {"later_field": 1}
    nest = {"words": "b", "shade": "dark"}
    stored = {
        "birds": [{"id": "1", "song": "x", "nest": {**nest, **later}, **later}, {"id": "2", "song": "y", **later}],
        "leaves": [{**leaf, **later}, {**nest, **later}],
        "best": {**leaf, **later},
        "by_name": {"a": {**leaf, **later}, "gone": leaf},
        "data": later,
    }
    written = {
        "birds": [{"id": "3", "song": "z", "nest": None}, {"id": "1", "song": "new", "nest": nest}],
        "leaves": [nest, {"words": "new", "shade": "dark"}],
        "best": {**leaf, "words": "other"},
        "by_name": {"a": leaf, "b": leaf},
        "data": {},
    }

    assert keep_later_fields(Wood, written, stored) == {
        "birds": [written["birds"][0], {"id": "1", "song": "new", "nest": {**nest, **later}, **later}],
        "leaves": [{**nest, **later}, {"words": "new", "shade": "dark"}],
        "best": {**leaf, "words": "other", **later},
        "by_name": {"a": {**leaf, **later}, "b": leaf},
        "data": {},
    }


def test_what_is_written_first_is_written_as_it_is() -> None:
    assert keep_later_fields(Wood, {"best": None, "note": "a"}, None) == {"best": None, "note": "a"}
