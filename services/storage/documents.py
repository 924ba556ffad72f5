"""Documents protocol: the operations of every storage engine, and how a collection is declared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from services.errors import WriteConflict

Document = dict[str, Any]
"""A JSON object with a string under `id`; times inside are `services.runtime.clock.stamp` strings."""

Where = Mapping[str, Any]
"""Equal values by (dotted) field, or an operator: {"status": "pending", "seq": {"$gt": 4}, "state": {"$in": [...]}}.
Operators: $lt $lte $gt $gte $ne $in $nin. A list field matches when it contains the value. A missing field equals None.
Only scalars are compared, each with its own kind: texts with texts, numbers with numbers, and 1 is not true.
A dotted field leads through objects, never through lists."""

Order = Sequence[tuple[str, int]]
"""Fields with 1 (ascending) or -1 (descending)."""


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Declaration of a collection.

    owned: every document belongs to one student (field `owner`), reached only through that student's view.
    unique, indexes: tuples of field names; for owned collections `owner` is put in front. An indexed field holds one
    value, not a list or an object, and no text with a NUL; a field of a unique index always has a value.
    retired: indexes of older versions, as in `indexes`, which nothing uses any more: they are dropped.
    across: indexes without the owner, for what jobs ask about all students at once.
    expires: the name of a stamp field after which a document counts as gone and is swept.
    of_conversation: its documents go with the conversation that their `conversation_id` names.
    of_class: its documents go with the class that their `class_id` names.
    """

    name: str
    owned: bool = True
    unique: tuple[tuple[str, ...], ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()
    retired: tuple[tuple[str, ...], ...] = ()
    across: tuple[tuple[str, ...], ...] = ()
    expires: str | None = None
    of_conversation: bool = False
    of_class: bool = False

    def index_fields(self) -> Iterator[tuple[tuple[str, ...], bool]]:
        """The fields of every index to make, the owner in front where it belongs, and whether they are unique."""
        owner = ("owner",) if self.owned else ()
        yield from (((*owner, *fields), True) for fields in self.unique)
        yield from (((*owner, *fields), False) for fields in self.indexes)
        yield from ((fields, False) for fields in self.across)
        yield from (((field,), False) for field in (self.expires,) if field)
        if self.owned and not self.unique and not self.indexes:
            yield owner, False

    def retired_fields(self) -> Iterator[tuple[str, ...]]:
        """The fields of every index to drop, the owner in front where it belongs."""
        owner = ("owner",) if self.owned else ()
        yield from ((*owner, *fields) for fields in self.retired)


Operation = Literal["insert", "compare_and_set", "put", "increment", "delete"]


@dataclass(frozen=True, kw_only=True)
class Write:
    """One write of `Documents.write_all`: a method of `Documents`, and its arguments by name."""

    operation: Operation
    collection: str
    arguments: Mapping[str, Any] = field(repr=False)


class Documents(Protocol):
    """Storage engine. Every call raises `StorageUnavailable` when the store does not answer in time."""

    def ensure_collections(self, collections: Sequence[Collection]) -> None:
        """Make collections and indexes; safe to repeat, and from several replicas at once.

        An engine that is a server may do this at the first call that reaches it, so that a start does not wait for it.
        """

    def insert(self, collection: str, document: Document) -> None:
        """Add a document; raises `DuplicateDocument` for a taken id or unique value."""

    def write_all(self, writes: Sequence[Write]) -> None:
        """Do several writes, in this order; raises as each of them does, and `WriteConflict` for a compare-and-set that
        does not match. Then none of them is done; of an engine without transactions, and after a crash of one, those
        before the one that failed are.
        """

    def get(self, collection: str, id: str) -> Document | None: ...

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        """Matching documents in this order, without the first `skip`: those are walked past in the index, not read."""

    def count(self, collection: str, where: Where) -> int:
        """Count matching documents without reading them."""

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        """Set `changes` (top-level fields) if the document still matches `expected`; the new document, or None.

        Raises `DuplicateDocument` for a taken unique value.
        """

    def put(self, collection: str, document: Document) -> None:
        """Insert or replace a whole document; raises `DuplicateDocument` for another document's unique value."""

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        """Add to top-level numeric fields atomically; a missing document starts from `defaults`, a missing field at 0.

        Raises `DuplicateDocument` when a document made from `defaults` meets another's unique value.
        """

    def delete(self, collection: str, where: Where) -> int:
        """Delete what matches; how many went."""

    def verify(self) -> None:
        """Check the engine's files as a whole, which may take seconds; raises `StorageUnusable` for damaged ones."""

    def ping(self) -> None:
        """Raise `StorageUnavailable` when the store cannot be written to."""

    def purge_deleted(self) -> None:
        """Purge what was deleted from the engine's files; what others are reading just now is left for later."""

    def close(self) -> None: ...


def write_in_order(engine: Documents, writes: Sequence[Write]) -> None:
    """`Documents.write_all` of an engine without transactions."""
    for write in writes:
        done = getattr(engine, write.operation)(write.collection, **write.arguments)
        if done is None and write.operation == "compare_and_set":
            raise WriteConflict(write.collection)
