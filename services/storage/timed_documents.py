"""`TimedDocuments`: an engine whose operations are timed and counted for the operator."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from services.errors import StorageUnavailable
from services.runtime.metrics_registry import STORE_ERRORS, STORE_SECONDS, MetricsRegistry
from services.storage.documents import Collection, Document, Documents, Order, Where, Write


class TimedDocuments:
    """The same documents; a conflict is no error of the store, an engine that does not answer is one."""

    def __init__(
        self, engine: Documents, registry: MetricsRegistry, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.engine, self._registry, self._monotonic = engine, registry, monotonic

    def ensure_collections(self, collections: Sequence[Collection]) -> None:
        self.engine.ensure_collections(collections)

    def insert(self, collection: str, document: Document) -> None:
        with self._timed("write"):
            self.engine.insert(collection, document)

    def write_all(self, writes: Sequence[Write]) -> None:
        with self._timed("write"):
            self.engine.write_all(writes)

    def get(self, collection: str, id: str) -> Document | None:
        with self._timed("read"):
            return self.engine.get(collection, id)

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        with self._timed("read"):
            return self.engine.find(collection, where, order=order, limit=limit, skip=skip)

    def count(self, collection: str, where: Where) -> int:
        with self._timed("read"):
            return self.engine.count(collection, where)

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        with self._timed("write"):
            return self.engine.compare_and_set(collection, id, expected, changes)

    def put(self, collection: str, document: Document) -> None:
        with self._timed("write"):
            self.engine.put(collection, document)

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        with self._timed("write"):
            self.engine.increment(collection, id, amounts, defaults=defaults)

    def delete(self, collection: str, where: Where) -> int:
        with self._timed("write"):
            return self.engine.delete(collection, where)

    def verify(self) -> None:
        self.engine.verify()

    def ping(self) -> None:
        self.engine.ping()

    def purge_deleted(self) -> None:
        self.engine.purge_deleted()

    def close(self) -> None:
        self.engine.close()

    @contextmanager
    def _timed(self, operation: str) -> Iterator[None]:
        began = self._monotonic()
        try:
            yield
        except StorageUnavailable:
            self._registry.count(STORE_ERRORS, operation)
            raise
        finally:
            self._registry.observe(STORE_SECONDS, self._monotonic() - began, operation)
