"""Usage statistics: what each student uses and each MCP server is used for, as counters without words."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from services.discovery.accounting import RequestFacts
from services.discovery.contexts import CONTEXT_NAMES, contexts_of
from services.discovery.retrieval_misses import RetrievalMisses
from services.discovery.server_contexts import subjects_of
from services.errors import StorageError
from services.runtime.clock import Clock
from services.storage.store import Store
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.tool import Tool

log = logging.getLogger(__name__)

PROFILES = "context_uses"
SERVER_USES = "server_uses"
FEWEST_USES = 10
"""Uses of a student from which on they say something."""
FEWEST_CALLS = 20
"""Calls of a server's tools from which on they say something."""
MAJORITY = 0.6
"""Share of a server's calls that must come from messages of one context, so that such messages bring its tools."""
REFRESH_AFTER = timedelta(minutes=5)
MOST_READ = 2_000
"""Students whose habits are held, those that were read last."""
_PROFILE_ID = "all"
_CALLS, _PER_CONTEXT, _PER_TOOL = "calls", "of_", "by_"


@dataclass(frozen=True, kw_only=True)
class Habits:
    """What a student has used so far: the share of each context, and of each tool of Homeroom's own."""

    contexts: Mapping[str, float] = field(default_factory=dict)
    tools: Mapping[str, float] = field(default_factory=dict)


class UsageProfiles:
    """Counters of each student, in one document: how often each tool, and any of
    each context, was called. They break ties.
    """

    def __init__(self, store: Store, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store, self._monotonic = store, monotonic
        self._lock = threading.Lock()
        self._read: OrderedDict[str, tuple[float, Habits]] = OrderedDict()

    def count_use(self, student_id: str, contexts: Collection[str], tools: Collection[str] = ()) -> None:
        """Count one use of each context and tool; raises `StorageError`."""
        if contexts or tools:
            amounts = {f"{_PER_CONTEXT}{name}": 1 for name in contexts} | {f"{_PER_TOOL}{name}": 1 for name in tools}
            self._store.for_student(student_id).increment(PROFILES, _PROFILE_ID, amounts, defaults={})
            with self._lock:
                self._read.pop(student_id, None)

    def habits(self, student_id: str) -> Habits:
        """What this student has used; empty while that is little. One store read every few minutes."""
        now = self._monotonic()
        with self._lock:
            until, known = self._read.get(student_id, (0.0, Habits()))
        if now < until:
            return known
        habits = self._stored_habits(student_id)
        with self._lock:
            self._read[student_id] = (now + REFRESH_AFTER.total_seconds(), habits)
            while len(self._read) > MOST_READ:
                self._read.popitem(last=False)
        return habits

    def _stored_habits(self, student_id: str) -> Habits:
        document = self._store.for_student(student_id).get(PROFILES, _PROFILE_ID) or {}
        return Habits(contexts=_shares(document, _PER_CONTEXT), tools=_shares(document, _PER_TOOL))


class ServerUsage:
    """Counters in one document for each MCP server, over all students."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store.shared
        self._clock = clock
        self._lock = threading.Lock()
        self._contexts: Mapping[str, frozenset[str]] = {}
        self._until: datetime | None = None

    def count_call(self, server: str, contexts: Collection[str]) -> None:
        """Count a call of one of its tools for a message of these contexts; raises `StorageError`."""
        amounts = {_CALLS: 1, **{f"{_PER_CONTEXT}{name}": 1 for name in contexts if name in CONTEXT_NAMES}}
        self._store.increment(SERVER_USES, server, amounts, defaults={"id": server})

    def known_contexts(self) -> Mapping[str, frozenset[str]]:
        """The learned contexts of each server; read anew every few minutes, and as before while the store is away."""
        now = self._clock()
        with self._lock:
            if self._until is None or now >= self._until:
                self._until = now + REFRESH_AFTER
                with suppress(StorageError):
                    servers = self._store.find(SERVER_USES, {})
                    self._contexts = {server["id"]: _majority_contexts(server) for server in servers}
            return self._contexts


class LearnedContextsToolsProvider(WrappingToolsProvider):
    """Provider of the wrapped tools; those of MCP servers with the contexts of all names on their server and of its
    use, or their own where it has tools of several subjects.
    """

    def __init__(self, wrapped: ToolsProvider, use: ServerUsage) -> None:
        super().__init__(wrapped)
        self._use = use
        self._given: Sequence[Tool] = ()
        self._learned: Mapping[str, frozenset[str]] = {}
        self._offer: Sequence[Tool] = ()

    def tools(self) -> Sequence[Tool]:
        """The same tuple for as long as nothing has changed, so that others may cache what they derive from it."""
        given, learned = self._wrapped.tools(), self._use.known_contexts()
        if given is not self._given or learned != self._learned:
            known = _contexts_by_tool(given, learned)
            offer = tuple(replace(tool, contexts=known[tool.name]) if tool.server else tool for tool in given)
            self._given, self._learned, self._offer = given, learned, offer
        return self._offer


class UsageRecorder:
    """Records what each model request teaches about what its message needed."""

    def __init__(self, profiles: UsageProfiles, misses: RetrievalMisses, use: ServerUsage) -> None:
        self._profiles = profiles
        self._misses = misses
        self._use = use

    def record_calls(
        self, facts: RequestFacts, message: str, tools: Sequence[Tool], *, is_followup: bool = False
    ) -> None:
        """Count the calls of a request; a failure of the store is only logged, as the answer is there.

        message: the student's, of which only ideas are kept, and only when a tool that it needed had to be searched.
        tools: those of the request, whose contexts count for the calls.
        """
        called = [tool for tool in tools if tool.name in facts.called]
        if not called:
            return
        try:
            self._record(facts, called, message, is_followup)
        except StorageError:
            log.warning("use_not_counted turn=%s", facts.turn_id)

    def _record(self, facts: RequestFacts, called: Sequence[Tool], message: str, is_followup: bool) -> None:
        found = frozenset(context.name for context in facts.contexts)
        used = frozenset(name for tool in called for name in contexts_of(tool)) & frozenset(CONTEXT_NAMES)
        # A tool of many contexts says little of which one was meant: the message's own do, where they agree.
        own = [tool.name for tool in called if not tool.server]
        self._profiles.count_use(facts.student_id, used & found or used, own)
        for server in {tool.server for tool in called if tool.server}:
            self._use.count_call(server, found)
        late = [tool for tool in called if tool.name in facts.found]
        needed = frozenset(name for tool in late if found.isdisjoint(contexts_of(tool)) for name in contexts_of(tool))
        tools = [tool.name for tool in late if not tool.server]
        if needed or tools:
            self._misses.record_miss(
                facts.student_id, message, found=found, needed=needed, tools=tools, is_followup=is_followup
            )


def _contexts_by_tool(tools: Sequence[Tool], learned: Mapping[str, frozenset[str]]) -> Mapping[str, tuple[str, ...]]:
    """The contexts of each tool of a server, in order."""
    by_server: dict[str, list[Tool]] = {}
    for tool in tools:
        if tool.server:
            by_server.setdefault(tool.server, []).append(tool)
    return {
        tool.name: tuple(sorted(contexts))
        for server, offered in by_server.items()
        for tool, contexts in _contexts_on_server(offered, learned.get(server, frozenset()))
    }


def _contexts_on_server(tools: Sequence[Tool], learned: frozenset[str]) -> Iterator[tuple[Tool, frozenset[str]]]:
    """What is known of one of its tools holds for all, as they work together. Where the operator said it by tool, or
    their names are of several subjects (notes and Jira), a tool of which that is known has its own alone.
    """
    declared = {tool.name for tool in tools if set(tool.contexts) - {tool.server}}
    is_of_several = (
        len({tool.contexts for tool in tools}) > 1 or len(frozenset[str]().union(*map(subjects_of, tools))) > 1
    )
    certain = {tool.name for tool in tools if is_of_several and (tool.name in declared or subjects_of(tool))}
    together = learned.union(*(contexts_of(tool) for tool in tools if not (is_of_several and tool.name in declared)))
    for tool in tools:
        yield tool, contexts_of(tool) if tool.name in certain else together


def _shares(document: Mapping[str, Any], prefix: str) -> Mapping[str, float]:
    counts = {name.removeprefix(prefix): int(count) for name, count in document.items() if name.startswith(prefix)}
    total = sum(counts.values())
    return {name: round(count / total, 3) for name, count in counts.items()} if total >= FEWEST_USES else {}


def _majority_contexts(server: Mapping[str, Any]) -> frozenset[str]:
    calls = server[_CALLS]
    if calls < FEWEST_CALLS:
        return frozenset()
    return frozenset(name for name in CONTEXT_NAMES if server.get(f"{_PER_CONTEXT}{name}", 0) >= MAJORITY * calls)
