"""Store as a later version of Homeroom has left it: each record that is read has a field that this version knows not.

`LATER_FIELDS=1 pytest …` runs any tests over such a store, as `make soak` does for those of all rooms.
"""

import os
from collections.abc import Mapping
from typing import Any

import pytest

from services.storage.documents import Document, Documents, Order, Where
from services.storage.store import Store

VARIABLE = "LATER_FIELDS"
LATER = "later_field"
VALUE = {"of": ["a later version"]}

OPAQUE: Mapping[str, frozenset[str]] = {
    "assistants": frozenset({"written.switches"}),
    "approvals": frozenset(
        {"arguments", "rows.resolved", "undo.arguments", "undo.plan", "undo.rows", "undo.before", "undo.after"}
    ),
    "budget_shares": frozenset({"days", "terms", "held"}),
    "budget_totals": frozenset({"days", "terms", "held"}),
    "class_assistant_history": frozenset({"draft.switches"}),
    "class_assistants": frozenset({"draft.switches", "published.switches"}),
    "class_figures": frozenset({"days", "parts"}),
    "connections": frozenset({"sealed"}),
    "mcp_pins": frozenset({"listed", "changed"}),
    "messages": frozenset({"content", "meta.labels", "meta.told", "meta.plan.prompt.own"}),
    "operations": frozenset({"plan"}),
    "prompts": frozenset({"content"}),
    "lti_keys": frozenset({"public"}),
    "reminder_preferences": frozenset({"topics", "since"}),
    "revocations": frozenset({"sealed"}),
    "students": frozenset({"ended"}),
    "study_cards": frozenset({"schedule", "latest.before"}),
    "study_preferences": frozenset({"arranged"}),
    "study_reviews": frozenset({"before"}),
    "tasks": frozenset({"last.before"}),
    "turns": frozenset({"snapshot.arguments"}),
    "unsaved_drafts": frozenset({"began.switches", "typed.switches"}),
    "week_notes": frozenset({"accounts", "versions"}),
}
"""Objects that are no records of ours, by collection and path, with all that is in them: their names are data, or a
service's. A new one goes in here; a record does not, as a later version may give it a field."""
MAPS: Mapping[str, frozenset[str]] = {
    "messages": frozenset({"meta.results"}),
    "students": frozenset({"devices"}),
}
"""Objects whose names are data, and whose values are records."""


class LaterFields:
    """Engine around another one, which stores what it is given and adds the field to what is read."""

    def __init__(self, engine: Documents) -> None:
        self._engine = engine

    def get(self, collection: str, id: str) -> Document | None:
        return with_later_fields(collection, self._engine.get(collection, id))

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        found = self._engine.find(collection, where, order=order, limit=limit, skip=skip)
        return [with_later_fields(collection, document) for document in found]

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        return with_later_fields(collection, self._engine.compare_and_set(collection, id, expected, changes))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def with_later_fields(collection: str, document: Any, path: str = "") -> Any:
    """A document with the field in it and in all records that it holds."""
    if isinstance(document, list):
        return [with_later_fields(collection, item, path) for item in document]
    if not isinstance(document, dict) or path in OPAQUE.get(collection, frozenset()):
        return document
    is_map = path in MAPS.get(collection, frozenset())
    inner = {
        name: with_later_fields(collection, value, f"{path}.*" if is_map else f"{path}.{name}" if path else name)
        for name, value in document.items()
    }
    return inner if is_map else {**inner, LATER: VALUE}


@pytest.fixture(autouse=True, scope="session")
def _stores_of_a_later_version() -> None:
    """Every test opens its store through this one place: no fixture of an engine is left out."""
    if os.environ.get(VARIABLE):
        opened = Store.__init__

        def init(self: Store, engine: Documents, *parts: Any, **named: Any) -> None:
            opened(self, LaterFields(engine), *parts, **named)

        Store.__init__ = init  # type: ignore[method-assign]
