"""`Store`: the documents of one deployment; what belongs to a student is reached only through a view bound to them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from typing import Any, Protocol, cast

from services.errors import StorageError
from services.storage.collections import COLLECTIONS
from services.storage.documents import Document, Documents, Operation, Order, Where, Write
from services.storage.record_guard import RecordGuard

_WRITES_ONLY = "A batch writes only."


@dataclass(frozen=True, kw_only=True)
class OwnedId:
    """A document of a student, for jobs: whose it is, and its id among theirs."""

    student: str
    id: str


@dataclass(frozen=True, kw_only=True)
class OwnedPage:
    """Page of a queue. is_full: whether there may be more than these, and unreadable ones between them."""

    records: Sequence[OwnedId]
    is_full: bool


class Store:
    """Documents with owners. `for_student(id)` sees one student's documents, `shared` those that belong to nobody.

    guard: what jobs work on records with, so that one that cannot be read is passed over.
    """

    def __init__(self, engine: Documents, guard: RecordGuard | None = None) -> None:
        self._engine = engine
        self.guard = guard or RecordGuard()
        self._owned = frozenset(collection.name for collection in COLLECTIONS if collection.owned)
        self._shared = frozenset(collection.name for collection in COLLECTIONS if not collection.owned)
        self.shared = SharedDocuments(engine, self._shared)
        engine.ensure_collections(COLLECTIONS)

    @property
    def owned(self) -> frozenset[str]:
        """The names of the collections that belong to students."""
        return self._owned

    def for_student(self, student_id: str) -> "StudentDocuments":
        return StudentDocuments(self._engine, self._owned, student_id)

    def with_engine(self, wrap: Callable[[Documents], Documents]) -> "Store":
        """The same documents through another engine around this one's."""
        other = copy(self)
        other._engine = wrap(self._engine)
        other.shared = SharedDocuments(other._engine, self._shared)
        return other

    def owners(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None
    ) -> list[tuple[str, str]]:
        """(student id, document id) of every student's matching documents: for jobs, which then go through `of`."""
        _member(self._owned, collection)
        _refuse(where, "owner", "id")
        found = self._engine.find(collection, where, order=order, limit=limit)
        return [(record.student, record.id) for record in self._readable(collection, found)]

    def find_of(self, owners: Sequence[str], collection: str) -> dict[str, list[Document]]:
        """All that each of these owners has in a collection, as each would see it, with one read: for a student and
        what they may read besides their own.
        """
        _member(self._owned, collection)
        found: dict[str, list[Document]] = {owner: [] for owner in owners}
        for document in self._engine.find(collection, {"owner": {"$in": list(owners)}}) if owners else ():
            found[document["owner"]].append(_stripped(document, document["owner"]))
        return found

    def owned_page(
        self, collection: str, where: Where, *, order: Order, limit: int, without: Iterable[str] = ()
    ) -> OwnedPage:
        """The first of every student's matching documents, without those of some students: for queues of jobs.

        With `without`, documents whose owner cannot be read are left out, too.
        """
        _member(self._owned, collection)
        _refuse(where, "owner", "id")
        others = list(without)
        bound = {**where, "owner": {"$gt": "", "$nin": others}} if others else where
        found = self._engine.find(collection, bound, order=order, limit=limit)
        return OwnedPage(records=list(self._readable(collection, found)), is_full=len(found) >= limit)

    def _readable(self, collection: str, documents: Iterable[Document]) -> Iterable[OwnedId]:
        return self.guard.read("store", collection, documents, _owned_id)

    def stamps_after(self, collection: str, field: str, after: str) -> list[tuple[str, str, str]]:
        """(student id, document id, stamp) of every student's documents with a later stamp in this indexed field."""
        _member(self._owned, collection)
        _refuse((field,), "owner", "id")
        found = self._engine.find(collection, {field: {"$gt": after}})
        stamps = self.guard.read("store", collection, found, lambda document: (_owned_id(document), document[field]))
        return [(record.student, record.id, stamp) for record, stamp in stamps]

    def total(self, collection: str, fields: Sequence[str]) -> int:
        """Sum of these numbers over every student's documents, for limits of all together; reads them all."""
        _member(self._owned, collection)
        documents = self._engine.find(collection, {})
        return sum(_number(document.get(field)) for document in documents for field in fields)

    def batch(self) -> "Batch":
        """Views whose writes wait for `Batch.commit`."""
        return Batch(self._engine, self._owned, self._shared)

    def verify(self) -> None:
        """Check the engine's files as a whole, which may take seconds; `ping` then raises for damaged ones, too."""
        self._engine.verify()

    def ping(self) -> None:
        """Raise `StorageUnavailable` when the store cannot be written to."""
        self._engine.ping()

    def purge_deleted(self) -> None:
        """Purge what was deleted from the files of the engine, as far as that can be just now."""
        with suppress(StorageError):
            self._engine.purge_deleted()

    def close(self) -> None:
        self._engine.close()


class Batch:
    """Writes that are done together (`Documents.write_all`). Its views write only: a compare-and-set returns None, and
    `commit` raises `WriteConflict` when it does not match.
    """

    def __init__(self, engine: Documents, owned: frozenset[str], shared: frozenset[str]) -> None:
        self._engine = engine
        self._writes = _PlannedWrites()
        self._noting = cast(Documents, self._writes)
        self._owned = owned
        self.shared = SharedDocuments(self._noting, shared)

    def for_student(self, student_id: str) -> "StudentDocuments":
        return StudentDocuments(self._noting, self._owned, student_id)

    def commit(self) -> None:
        if self._writes.planned:
            self._engine.write_all(self._writes.planned)


class _PlannedWrites:
    """Engine of a batch's views: notes what they write; it has nothing to read."""

    def __init__(self) -> None:
        self.planned: list[Write] = []

    def get(self, collection: str, id: str) -> Document | None:
        raise TypeError(_WRITES_ONLY)

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        raise TypeError(_WRITES_ONLY)

    def count(self, collection: str, where: Where) -> int:
        raise TypeError(_WRITES_ONLY)

    def insert(self, collection: str, document: Document) -> None:
        self._plan("insert", collection, document=document)

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> None:
        self._plan("compare_and_set", collection, id=id, expected=expected, changes=changes)

    def put(self, collection: str, document: Document) -> None:
        self._plan("put", collection, document=document)

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        self._plan("increment", collection, id=id, amounts=amounts, defaults=defaults)

    def delete(self, collection: str, where: Where) -> int:
        self._plan("delete", collection, where=where)
        return 0

    def _plan(self, operation: Operation, collection: str, **arguments: Any) -> None:
        self.planned.append(Write(operation=operation, collection=collection, arguments=arguments))


class DocumentViews(Protocol):
    """What `Store` and `Batch` have in common."""

    @property
    def shared(self) -> "SharedDocuments": ...

    def for_student(self, student_id: str) -> "StudentDocuments": ...


class SharedDocuments:
    """Methods of `Documents`, for collections that belong to nobody."""

    def __init__(self, engine: Documents, collections: frozenset[str]) -> None:
        self._engine = engine
        self._collections = collections

    def insert(self, collection: str, document: Document) -> None:
        self._engine.insert(self._checked(collection), document)

    def get(self, collection: str, id: str) -> Document | None:
        return self._engine.get(self._checked(collection), id)

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        return self._engine.find(self._checked(collection), where, order=order, limit=limit, skip=skip)

    def count(self, collection: str, where: Where) -> int:
        return self._engine.count(self._checked(collection), where)

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        return self._engine.compare_and_set(self._checked(collection), id, expected, changes)

    def put(self, collection: str, document: Document) -> None:
        self._engine.put(self._checked(collection), document)

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        self._engine.increment(self._checked(collection), id, amounts, defaults=defaults)

    def delete(self, collection: str, where: Where) -> int:
        return self._engine.delete(self._checked(collection), where)

    def _checked(self, collection: str) -> str:
        return _member(self._collections, collection)


class StudentDocuments:
    """Methods of `Documents`, bound to one student: every call carries the owner, no result shows it.

    In the engine a document's id is "owner/id", so equal ids of two students never meet.
    """

    def __init__(self, engine: Documents, collections: frozenset[str], student_id: str) -> None:
        if not student_id or "/" in student_id:
            raise ValueError("A student id is a text without a slash.")
        self._engine = engine
        self._collections = collections
        self._owner = student_id

    def insert(self, collection: str, document: Document) -> None:
        self._engine.insert(self._checked(collection), self._owned(document))

    def get(self, collection: str, id: str) -> Document | None:
        return self._bare(self._engine.get(self._checked(collection), self._key(id)))

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        found = self._engine.find(self._checked(collection), self._where(where), order=order, limit=limit, skip=skip)
        return [_stripped(document, self._owner) for document in found]

    def count(self, collection: str, where: Where) -> int:
        return self._engine.count(self._checked(collection), self._where(where))

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        _refuse(changes, "owner", "id")
        key = self._key(id)
        return self._bare(self._engine.compare_and_set(self._checked(collection), key, self._where(expected), changes))

    def put(self, collection: str, document: Document) -> None:
        self._engine.put(self._checked(collection), self._owned(document))

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        _refuse(amounts, "owner", "id")
        whole = self._owned({**defaults, "id": id})
        self._engine.increment(self._checked(collection), whole["id"], amounts, defaults=whole)

    def delete(self, collection: str, where: Where) -> int:
        return self._engine.delete(self._checked(collection), self._where(where))

    def _checked(self, collection: str) -> str:
        return _member(self._collections, collection)

    def _key(self, id: str) -> str:
        return f"{self._owner}/{id}"

    def _owned(self, document: Document) -> Document:
        _refuse(document, "owner")
        return {**document, "id": self._key(document["id"]), "owner": self._owner}

    def _where(self, where: Where) -> Where:
        _refuse(where, "owner")
        bound = {field: self._bound_ids(wanted) if field == "id" else wanted for field, wanted in where.items()}
        return {"owner": self._owner, **bound}

    def _bound_ids(self, wanted: Any) -> Any:
        if isinstance(wanted, Mapping):
            return {operator: self._bound_ids(value) for operator, value in wanted.items()}
        if isinstance(wanted, str):
            return self._key(wanted)
        return [self._key(id) for id in wanted]

    def _bare(self, document: Document | None) -> Document | None:
        return None if document is None else _stripped(document, self._owner)


def _owned_id(document: Document) -> OwnedId:
    """Read whose a document is; raises `LookupError` or `TypeError` where that cannot be read."""
    student, key = document["owner"], document["id"]
    if not isinstance(student, str) or not isinstance(key, str) or not student or not key.startswith(f"{student}/"):
        raise TypeError("A document of a student has the owner in its id.")
    return OwnedId(student=student, id=_bare(key, student))


def _stripped(document: Document, owner: str) -> Document:
    rest = {field: value for field, value in document.items() if field != "owner"}
    return {**rest, "id": _bare(document["id"], owner)}


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _bare(key: str, owner: str) -> str:
    return key.removeprefix(f"{owner}/")


def _member(collections: frozenset[str], name: str) -> str:
    if name not in collections:
        raise ValueError(f"{name} is not a collection that can be reached here.")
    return name


def _refuse(fields: Iterable[str], *names: str) -> None:
    if any(field.split(".")[0] in names for field in fields):
        raise ValueError("The store itself looks after the owner and the id.")
