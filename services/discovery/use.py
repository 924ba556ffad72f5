"""What the tools of MCP servers are used for: contexts that nobody declared and no name tells, learned from calls."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from services.discovery.contexts import CONTEXT_NAMES, contexts_of
from services.errors import StorageError
from services.runtime.clock import Clock
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Tool

if TYPE_CHECKING:
    from services.tools.providers.provider import ToolsProvider

COLLECTION = "server_uses"
FEWEST = 20
"""Calls of a server's tools from which on they say something."""
SHARE = 0.6
"""Of a server's calls that came from messages of one context, so that such messages bring its tools."""
FRESH = timedelta(minutes=5)
_CALLS, _COUNTED = "calls", "of_"


class ServerUse:
    """One document for each server, of counters, nobody's in particular."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store.shared
        self._clock = clock
        self._lock = threading.Lock()
        self._known: Mapping[str, frozenset[str]] = {}
        self._until: datetime | None = None

    def add(self, server: str, contexts: Collection[str]) -> None:
        """Count a call of one of its tools for a message of these contexts; raises `StorageError`."""
        amounts = {_CALLS: 1, **{f"{_COUNTED}{name}": 1 for name in contexts if name in CONTEXT_NAMES}}
        self._store.increment(COLLECTION, server, amounts, defaults={"id": server})

    def learned(self) -> Mapping[str, frozenset[str]]:
        """The known contexts of each server; read anew every few minutes, and as it was while the store is away."""
        now = self._clock()
        with self._lock:
            if self._until is None or now >= self._until:
                self._until = now + FRESH
                with suppress(StorageError):
                    self._known = {one["id"]: _contexts(one) for one in self._store.find(COLLECTION, {})}
            return self._known


class LearningToolsProvider:
    """The same tools; those of MCP servers with the contexts that their names tell and their use has shown."""

    def __init__(self, wrapped: ToolsProvider, use: ServerUse) -> None:
        self._wrapped = wrapped
        self._use = use
        self._given: Sequence[Tool] = ()
        self._learned: Mapping[str, frozenset[str]] = {}
        self._offer: Sequence[Tool] = ()

    def tools(self) -> Sequence[Tool]:
        """The same tuple for as long as nothing has changed, so that others may keep what hangs on it."""
        given, learned = self._wrapped.tools(), self._use.learned()
        if given is not self._given or learned != self._learned:
            offer = tuple(_tagged(tool, learned.get(tool.server or "", frozenset())) for tool in given)
            self._given, self._learned, self._offer = given, learned, offer
        return self._offer

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        return self._wrapped.execute(name, arguments, context)


def _tagged(tool: Tool, learned: frozenset[str]) -> Tool:
    if tool.server is None:
        return tool
    contexts = contexts_of(tool) | learned
    return tool if contexts == frozenset(tool.contexts) else replace(tool, contexts=tuple(sorted(contexts)))


def _contexts(document: Mapping[str, Any]) -> frozenset[str]:
    calls = document[_CALLS]
    if calls < FEWEST:
        return frozenset()
    return frozenset(name for name in CONTEXT_NAMES if document.get(f"{_COUNTED}{name}", 0) >= SHARE * calls)
