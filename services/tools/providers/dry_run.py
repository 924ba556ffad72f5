"""`DryRunToolsProvider`: repeats a write without changing anything, to find out what its first try did."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from services.errors import DuplicateDocument, OutcomeUnknown, Withheld
from services.i18n import gettext
from services.storage.documents import Collection, Document, Documents, Order, Where, Write, write_in_order
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import WrappingToolsProvider
from services.tools.result import ToolResult

_is_dry_run: ContextVar[bool] = ContextVar("is_dry_run", default=False)


def refuse_in_dry_run() -> None:
    """Guard in front of every change: raises `Withheld` during a dry run. Then the first try had done nothing, or the
    tool would not want to do it now.
    """
    if _is_dry_run.get():
        raise Withheld(gettext("This had not been done yet, and is not done any more."))


class DryRunToolsProvider(WrappingToolsProvider):
    """Dry run. Our tools write through the shared HTTP clients or the store, which both ask `refuse_in_dry_run`.

    Tools of MCP servers are not called: nobody can find out what they did.
    """

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        tool = self.tool(name)
        if tool is not None and tool.server is not None:
            raise OutcomeUnknown(tool.server, gettext("It cannot be found out whether this happened."))
        container = context.container.with_store(context.container.store.with_engine(_ReadOnlyDocuments))
        with _dry_run():
            return self._wrapped.execute(name, arguments, replace(context, container=container, is_repeat=True))


@contextmanager
def _dry_run() -> Iterator[None]:
    token = _is_dry_run.set(True)
    try:
        yield
    finally:
        _is_dry_run.reset(token)


class _ReadOnlyDocuments:
    """Read-only view of a storage engine. What is to be inserted under an id that is taken was inserted before."""

    def __init__(self, engine: Documents) -> None:
        self._engine = engine

    def ensure_collections(self, collections: Sequence[Collection]) -> None:
        """They are there."""

    def get(self, collection: str, id: str) -> Document | None:
        return self._engine.get(collection, id)

    def find(
        self, collection: str, where: Where, *, order: Order = (), limit: int | None = None, skip: int = 0
    ) -> list[Document]:
        return self._engine.find(collection, where, order=order, limit=limit, skip=skip)

    def count(self, collection: str, where: Where) -> int:
        return self._engine.count(collection, where)

    def insert(self, collection: str, document: Document) -> None:
        if self._engine.get(collection, document["id"]) is not None:
            raise DuplicateDocument("That exists already.")
        refuse_in_dry_run()

    def write_all(self, writes: Sequence[Write]) -> None:
        write_in_order(self, writes)

    def compare_and_set(self, collection: str, id: str, expected: Where, changes: Mapping[str, Any]) -> Document | None:
        refuse_in_dry_run()
        return None

    def put(self, collection: str, document: Document) -> None:
        refuse_in_dry_run()

    def increment(self, collection: str, id: str, amounts: Mapping[str, float], *, defaults: Document) -> None:
        refuse_in_dry_run()

    def delete(self, collection: str, where: Where) -> int:
        if self._engine.find(collection, where, limit=1):
            refuse_in_dry_run()
        return 0

    def verify(self) -> None:
        self._engine.verify()

    def ping(self) -> None:
        self._engine.ping()

    def purge_deleted(self) -> None:
        """Nothing was deleted."""

    def close(self) -> None:
        """It belongs to the store that it was taken from."""
