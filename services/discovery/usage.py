"""`UsageProfiles`: which contexts a student uses, as small counters without a word of theirs; they break ties."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from services.discovery.accounting import RequestFacts
    from services.discovery.retrieval_misses import RetrievalMisses

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from services.discovery.contexts import CONTEXT_NAMES, contexts_of
from services.errors import StorageError
from services.runtime.clock import Clock
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Tool

if TYPE_CHECKING:
    from services.tools.providers.provider import ToolsProvider

from collections.abc import Collection, Mapping

from services.storage.store import Store

PROFILES = "context_uses"
_PROFILE_ID = "all"
_COUNTED = "of_"
FEWEST_USES = 10
"""Uses from which on they say something."""
LARGEST_BIAS = 0.06
"""A context of all that a student uses is found with a chance that is lower by this much; one never used, higher."""


class UsageProfiles:
    """One document for each student: how often a tool of each context was called in a turn."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def count_use(self, student_id: str, contexts: Collection[str]) -> None:
        """Count one use of each context; raises `StorageError`."""
        if contexts:
            amounts = {f"{_COUNTED}{name}": 1 for name in contexts}
            self._store.of(student_id).increment(PROFILES, _PROFILE_ID, amounts, defaults={})

    def shares(self, student_id: str) -> dict[str, float]:
        """The share of each context in what this student has used; empty while that is little. One store read."""
        document = self._store.of(student_id).get(PROFILES, _PROFILE_ID) or {}
        counts = {
            name.removeprefix(_COUNTED): int(count) for name, count in document.items() if name.startswith(_COUNTED)
        }
        total = sum(counts.values())
        return {name: round(count / total, 3) for name, count in counts.items()} if total >= FEWEST_USES else {}


def profile_bias(profile: Mapping[str, float], context: str) -> float:
    """What to add to a context's chance before it is held against its threshold: at most `MOST_KEYS`, at least a third less.

    With no profile nothing; a student's own habits never find what the message does not nearly say.
    """
    if not profile:
        return 0.0
    even = 1 / max(len(profile), 2)
    return max(-LARGEST_BIAS / 3, min(LARGEST_BIAS, LARGEST_BIAS * (profile.get(context, 0.0) - even) / (1 - even)))


SERVER_USES = "server_uses"


FEWEST_CALLS = 20
"""Calls of a server's tools from which on they say something."""


MAJORITY = 0.6
"""Of a server's calls that came from messages of one context, so that such messages bring its tools."""


REFRESH_AFTER = timedelta(minutes=5)


_CALLS, _PER_CONTEXT = "calls", "of_"


class ServerUsage:
    """One document for each server, of counters, nobody's in particular."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store.shared
        self._clock = clock
        self._lock = threading.Lock()
        self._known: Mapping[str, frozenset[str]] = {}
        self._until: datetime | None = None

    def count_call(self, server: str, contexts: Collection[str]) -> None:
        """Count a call of one of its tools for a message of these contexts; raises `StorageError`."""
        amounts = {_CALLS: 1, **{f"{_PER_CONTEXT}{name}": 1 for name in contexts if name in CONTEXT_NAMES}}
        self._store.increment(SERVER_USES, server, amounts, defaults={"id": server})

    def known_contexts(self) -> Mapping[str, frozenset[str]]:
        """The known contexts of each server; read anew every few minutes, and as it was while the store is away."""
        now = self._clock()
        with self._lock:
            if self._until is None or now >= self._until:
                self._until = now + REFRESH_AFTER
                with suppress(StorageError):
                    self._known = {one["id"]: _contexts(one) for one in self._store.find(SERVER_USES, {})}
            return self._known


class LearnedContextsToolsProvider:
    """The same tools; those of MCP servers with the contexts that their names tell and their use has shown."""

    def __init__(self, wrapped: ToolsProvider, use: ServerUsage) -> None:
        self._wrapped = wrapped
        self._use = use
        self._given: Sequence[Tool] = ()
        self._learned: Mapping[str, frozenset[str]] = {}
        self._offer: Sequence[Tool] = ()

    def tools(self) -> Sequence[Tool]:
        """The same tuple for as long as nothing has changed, so that others may keep what hangs on it."""
        given, learned = self._wrapped.tools(), self._use.known_contexts()
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
    if calls < FEWEST_CALLS:
        return frozenset()
    return frozenset(name for name in CONTEXT_NAMES if document.get(f"{_PER_CONTEXT}{name}", 0) >= MAJORITY * calls)


log = logging.getLogger(__name__)


class UsageRecorder:
    def __init__(self, profiles: UsageProfiles, misses: RetrievalMisses, use: ServerUsage) -> None:
        self._profiles = profiles
        self._misses = misses
        self._use = use

    def record_calls(
        self, facts: RequestFacts, message: str, tools: Sequence[Tool], *, is_followup: bool = False
    ) -> None:
        """After each model request. What cannot be kept is only logged, as the answer is there.

        message: the student's, of which only ideas are kept, and only when a tool that it needed had to be searched.
        tools: those of the request, by whose contexts the calls are told.
        """
        called = [tool for tool in tools if tool.name in facts.called]
        if not called:
            return
        try:
            self._keep(facts, called, message, is_followup)
        except StorageError:
            log.warning("use_not_counted turn=%s", facts.turn_id)

    def _keep(self, facts: RequestFacts, called: Sequence[Tool], message: str, is_followup: bool) -> None:
        found = frozenset(context.name for context in facts.contexts)
        used = frozenset(name for tool in called for name in contexts_of(tool)) & frozenset(CONTEXT_NAMES)
        # A tool of many contexts says little of which one was meant: the message's own do, where they agree.
        self._profiles.count_use(facts.student_id, used & found or used)
        for server in {tool.server for tool in called if tool.server}:
            self._use.count_call(server, found)
        missed = [tool for tool in called if tool.name in facts.found and found.isdisjoint(contexts_of(tool))]
        if missed:
            needed = frozenset(name for tool in missed for name in contexts_of(tool))
            self._misses.record_miss(facts.student_id, message, found=found, needed=needed, is_followup=is_followup)
