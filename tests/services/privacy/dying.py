"""An engine whose process dies at its nth write: what was written stands, what was to be written does not."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.storage.documents import Collection, Document, Documents, Order, Where, Write, write_in_order


class Dead(BaseException):
    """The process is gone: nothing of ours may catch this."""


class DyingDocuments:
    """dies_at: how many more writes go through; None for an engine that lives on."""

    def __init__(self, engine: Documents) -> None:
        self._engine = engine
        self.dies_at: int | None = None

    def ensure_collections(self, collections: Sequence[Collection]) -> None:
        self._engine.ensure_collections(collections)

    def get(self, collection: str, id: str) -> Document | None:
        return self._engine.get(collection, id)

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        return self._engine.find(collection, where, order=order, limit=limit, skip=skip)

    def count(self, collection: str, where: Where) -> int:
        return self._engine.count(collection, where)

    def insert(self, collection: str, document: Document) -> None:
        self._live()
        self._engine.insert(collection, document)

    def write_all(self, writes: Sequence[Write]) -> None:
        write_in_order(self, writes)

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        self._live()
        return self._engine.compare_and_set(collection, id, expected, changes)

    def put(self, collection: str, document: Document) -> None:
        self._live()
        self._engine.put(collection, document)

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        self._live()
        self._engine.increment(collection, id, amounts, defaults=defaults)

    def delete(self, collection: str, where: Where) -> int:
        self._live()
        return self._engine.delete(collection, where)

    def verify(self) -> None:
        self._engine.verify()

    def ping(self) -> None:
        self._engine.ping()

    def purge_deleted(self) -> None:
        self._engine.purge_deleted()

    def close(self) -> None:
        self._engine.close()

    def _live(self) -> None:
        if self.dies_at is None:
            return
        if self.dies_at == 0:
            raise Dead
        self.dies_at -= 1
