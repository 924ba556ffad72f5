"""Store as a later version of Homeroom has left it: each record that is read has a field that this version knows not.

`HOMEROOM_LATER_FIELDS=1 pytest …` runs any tests over such a store, as `make soak` does for those of all rooms.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from services.storage.documents import Document, Documents, Order, Where
from services.storage.store import Store

VARIABLE = "HOMEROOM_LATER_FIELDS"
LATER = "later_field"
VALUE = {"of": ["a later version"]}

OPAQUE: Mapping[str, tuple[str, ...]] = {}
"""Objects that are no records of ours, by collection and path, with all that is in them."""
MAPS: Mapping[str, tuple[str, ...]] = {}
"""Objects whose names are data, and whose values are records."""


class LaterFields:
    """Engine around another one, which stores what it is given and adds the field to what is read."""

    def __init__(self, engine: Documents) -> None:
        self._engine = engine

    def get(self, collection: str, id: str) -> Document | None:
        return with_later_fields(collection, self._engine.get(collection, id))

    def find(self, collection: str, where: Where, *, order: Order = (), limit: int | None = None) -> list[Document]:
        found = self._engine.find(collection, where, order=order, limit=limit)
        return [with_later_fields(collection, document) for document in found]

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        return with_later_fields(collection, self._engine.compare_and_set(collection, id, expected, changes))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def with_later_fields(collection: str, document: Any, path: str = "") -> Any:
    """A document with the field in it and in all records that it holds."""
    if isinstance(document, list):
        return [with_later_fields(collection, item, path) for item in document]
    if not isinstance(document, dict) or path in OPAQUE.get(collection, ()):
        return document
    inner = {
        name: with_later_fields(collection, value, f"{path}.{name}" if path else name)
        for name, value in document.items()
    }
    return {**inner, LATER: VALUE}


def read_later_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every store that is opened from now on read through `LaterFields`."""
    opened = Store.__init__

    def init(self: Store, engine: Documents) -> None:
        opened(self, LaterFields(engine))

    monkeypatch.setattr(Store, "__init__", init)
