"""The documents protocol: what an engine can do, and how a collection is declared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Document = dict[str, Any]
"""A JSON object with a string under `id`; times inside are `services.clock.stamp` strings."""

Where = Mapping[str, Any]
"""Equal values by (dotted) field, or an operator: {"status": "pending", "seq": {"$gt": 4}, "state": {"$in": [...]}}.
Operators: $lt $lte $gt $gte $ne $in. A list field matches when it contains the value. A missing field equals None."""

Order = Sequence[tuple[str, int]]
"""Fields with 1 (ascending) or -1 (descending)."""


@dataclass(frozen=True, kw_only=True)
class Collection:
    """How a collection is kept.

    owned: every document belongs to one student (field `owner`), reached only through that student's view.
    unique, indexes: tuples of field names; for owned collections `owner` is put in front.
    expires: the name of a stamp field after which a document counts as gone and is swept.
    """

    name: str
    owned: bool = True
    unique: tuple[tuple[str, ...], ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()
    expires: str | None = None


class Documents(Protocol):
    """An engine. Every call raises `StorageUnavailable` when the store does not answer in time."""

    def ensure(self, collections: Sequence[Collection]) -> None:
        """Make collections and indexes; safe to repeat, and from several replicas at once."""

    def insert(self, collection: str, document: Document) -> None:
        """Add a document; raises `DuplicateDocument` for a taken id or unique value."""

    def get(self, collection: str, id: str) -> Document | None: ...

    def find(self, collection: str, where: Where, *, order: Order = (), limit: int | None = None) -> list[Document]: ...

    def swap(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        """Set `changes` (top-level fields) if the document still matches `expected`; the new document, or None."""

    def put(self, collection: str, document: Document) -> None:
        """Insert or replace a whole document."""

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        """Add to numeric fields atomically; a missing document starts from `defaults`."""

    def delete(self, collection: str, where: Where) -> int:
        """Delete what matches; how many went."""

    def ping(self) -> None:
        """Raise `StorageUnavailable` when the store cannot be written to."""

    def close(self) -> None: ...
