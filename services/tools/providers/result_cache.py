"""`ResultCache`: LRU cache of tool results in memory; `CachingToolsProvider` also gives older ones during an outage."""

import json
import logging
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from services.connections.connections import Connections
from services.connections.connector import Connector
from services.errors import ServiceUnavailable, StorageError, ToolUnavailable
from services.i18n import formats, get_locale, gettext
from services.runtime.clock import Clock
from services.safety import text
from services.tools.context import NestedCalls, ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import FailureKind, ToolResult
from services.tools.tool import Tool

MAX_CHARACTERS = 20_000_000
"""Of all results together; the least recently used go first."""
MAX_RESULT_CHARACTERS = 400_000
"""Characters of one result; a longer one is not stored."""
KEPT_FOR = timedelta(hours=1)
States = Mapping[str, Hashable]
"""Further subjects of a result, found while the tool ran, each with the version of its data then."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class CacheKey:
    """Key of a cached result. student_id stands by itself: no result is ever found for another student.

    question: the tool, its arguments, the assistant and the state of the accounts it is about.
    subjects: what the result is about; when one of these changes, it is invalidated.
    """

    student_id: str
    question: Hashable
    subjects: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CachedResult:
    """Cached result. is_outdated: it is only for when the service cannot be reached."""

    result: ToolResult = field(repr=False)
    at: datetime
    size: int
    is_outdated: bool = False
    extra_subjects: States = field(default_factory=dict)


class ResultCache:
    """Thread-safe LRU cache with a size limit over all students."""

    def __init__(self, clock: Clock, *, max_characters: int = MAX_CHARACTERS) -> None:
        self._clock = clock
        self._max_characters = max_characters
        self._lock = threading.Lock()
        self._entries: OrderedDict[CacheKey, CachedResult] = OrderedDict()
        self._keys_of_student: defaultdict[str, set[CacheKey]] = defaultdict(set)
        self._size = 0
        self._revision = 0
        self._invalidated_at: OrderedDict[tuple[str, str], int] = OrderedDict()

    def find(self, key: CacheKey, within: timedelta, *, outdated_too: bool = False) -> CachedResult | None:
        """The last result, if it is not older than `within`; its data is a copy."""
        with self._lock:
            found = self._entries.get(key)
            if found is None or self._clock() - found.at > within or (found.is_outdated and not outdated_too):
                return None
            self._entries.move_to_end(key)
        return replace(found, result=replace(found.result, data=deepcopy(found.result.data)))

    def revision(self) -> int:
        """Revision of the cache, read before the tool runs and given to `store`."""
        with self._lock:
            return self._revision

    def store(
        self, key: CacheKey, result: ToolResult, revision: int, extra_subjects: States = MappingProxyType({})
    ) -> None:
        """Store a result, unless one of its subjects was invalidated since `revision`."""
        size = len(result.output) + len(json.dumps(result.data, default=str))
        if size > MAX_RESULT_CHARACTERS:
            return
        copied = replace(result, data=deepcopy(result.data))
        with self._lock:
            subjects = (*key.subjects, *extra_subjects)
            if any(self._invalidated_at.get((key.student_id, subject), 0) > revision for subject in subjects):
                return
            self._drop(key)
            self._entries[key] = CachedResult(
                result=copied, at=self._clock(), size=size, extra_subjects=dict(extra_subjects)
            )
            self._keys_of_student[key.student_id].add(key)
            self._size += size
            self._evict()

    def mark_outdated(self, student_id: str) -> None:
        """Mark all results of this student as outdated."""
        with self._lock:
            for key in self._keys_of_student.get(student_id, ()):
                self._entries[key] = replace(self._entries[key], is_outdated=True)

    def invalidate(self, student_id: str, subjects: Iterable[str]) -> None:
        """Drop the results of this student about these subjects."""
        gone = set(subjects)
        with self._lock:
            for subject in gone:
                self._revision += 1
                self._invalidated_at[student_id, subject] = self._revision
                self._invalidated_at.move_to_end((student_id, subject))
            while len(self._invalidated_at) > 10_000:
                self._invalidated_at.popitem(last=False)
            for key in [key for key in self._keys_of_student.get(student_id, ()) if gone & self._subjects_of(key)]:
                self._drop(key)

    def _subjects_of(self, key: CacheKey) -> set[str]:
        return {*key.subjects, *self._entries[key].extra_subjects}

    def _evict(self) -> None:
        expires_before = self._clock() - KEPT_FOR
        while self._entries:
            key, oldest_entry = next(iter(self._entries.items()))
            if self._size <= self._max_characters and oldest_entry.at >= expires_before:
                return
            self._drop(key)

    def _drop(self, key: CacheKey) -> None:
        dropped = self._entries.pop(key, None)
        if dropped is None:
            return
        self._size -= dropped.size
        keys = self._keys_of_student[key.student_id]
        keys.discard(key)
        if not keys:
            del self._keys_of_student[key.student_id]


class CachingToolsProvider(WrappingToolsProvider):
    """Cache of the results of tools that say for how long (`fresh_for_s`), separate for each student.

    A tool that writes invalidates what it may have changed: here at once, in other replicas with the next read of the
    student's connections, whose `data_version` it raises.
    """

    def __init__(
        self,
        wrapped: ToolsProvider,
        results: ResultCache,
        connections: Connections,
        integrations: Mapping[str, Connector],
    ) -> None:
        super().__init__(wrapped)
        self._results = results
        self._connections = connections
        self._integrations = integrations

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        tool = self.tool(name)
        if tool is not None and tool.effect.needs_approval:
            return self._write(tool, arguments, context)
        if tool is not None and tool.fresh_for_s:
            return self._read(tool, arguments, context)
        return self._wrapped.execute(name, arguments, context)

    def _read(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        key = self._key(tool, arguments, context)
        if fresh := self._found(key, timedelta(seconds=tool.fresh_for_s), context):
            return fresh.result
        revision, within = self._results.revision(), _NestedCallLog(context.nested_calls)
        try:
            result = self._wrapped.execute(tool.name, arguments, replace(context, nested_calls=within))
        except ServiceUnavailable as error:
            if older := self._found(key, KEPT_FOR, context, outdated_too=True):
                log.warning("older_answer_given tool=%s kind=%s", tool.name, type(error).__name__)
                return _with_age_note(older, error, context)
            raise
        if result.success and not (result.is_partial or result.requires_approval or within.has_gaps):
            used = [found for name in within.names if (found := self.tool(name))]
            extra_subjects = {
                subject: _state(context, subject) for nested in used for subject in self._subjects(nested)
            }
            self._results.store(key, result, revision, extra_subjects)
        return result

    def _found(
        self, key: CacheKey, within: timedelta, context: ToolExecutionContext, *, outdated_too: bool = False
    ) -> CachedResult | None:
        found = self._results.find(key, within, outdated_too=outdated_too)
        is_as_it_was = found and all(
            _state(context, subject) == state for subject, state in found.extra_subjects.items()
        )
        return found if is_as_it_was else None

    def _write(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """Run a write, and invalidate however it ends: one that failed may have got part of the way."""
        try:
            return self._wrapped.execute(tool.name, arguments, context)
        finally:
            subjects = self._subjects(tool)
            self._results.invalidate(context.student.id, subjects)
            for integration in subjects:
                if integration in context.connections:
                    self._mark_written(context.student.id, integration)

    def _mark_written(self, student_id: str, integration: str) -> None:
        try:
            self._connections.mark_written(student_id, integration)
        except StorageError:
            # The write has happened; other replicas may repeat what they know for as long as it is fresh.
            log.warning("write_not_told integration=%s", integration)

    def _key(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> CacheKey:
        subjects = self._subjects(tool)
        question = (
            tool.name,
            json.dumps(tool.validate(arguments), sort_keys=True, default=str),
            context.chosen.key if context.chosen else context.assistant_id,
            context.student.timezone,
            get_locale(),
            context.now().date(),
            *(_state(context, subject) for subject in subjects),
        )
        return CacheKey(student_id=context.student.id, question=question, subjects=subjects)

    def _subjects(self, tool: Tool) -> tuple[str, ...]:
        """The integrations that a tool is about or may change, or else its server or category."""
        needed = {*tool.capabilities, *tool.also_changes}
        giving = [
            id
            for id, connector in self._integrations.items()
            if id == tool.integration or needed & connector.capabilities
        ]
        return tuple(giving) or ((f"server {tool.server}",) if tool.server else (f"category {tool.category}",))


class _NestedCallLog:
    """Nested calls of a tool, with the names of the tools that it has called."""

    def __init__(self, reads: NestedCalls | None) -> None:
        self._reads = reads
        self.names: list[str] = []
        self.has_gaps = False

    def call_all(
        self, context: ToolExecutionContext, calls: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> list[ToolResult]:
        """What those call in turn is recorded as well: their context holds this object."""
        self.names += [name for name, _ in calls]
        if self._reads is None:
            raise ToolUnavailable("This call has no other tools within its reach.")
        results = self._reads.call_all(context, calls)
        # What the student does not have is no gap: it is missing in the same way the next time.
        self.has_gaps |= any(
            result.is_partial or not (result.success or result.error_kind == FailureKind.NOT_ALLOWED)
            for result in results
        )
        return results


def _state(context: ToolExecutionContext, integration: str) -> Hashable:
    """Version of a student's data at an integration: the account, and the student's own writes; not its health."""
    connection = context.connections.get(integration)
    if connection is None:
        return None
    return connection.origin, connection.account, connection.connected_at, connection.data_version


def _with_age_note(older: CachedResult, error: ServiceUnavailable, context: ToolExecutionContext) -> ToolResult:
    """The older result with a note below its heading that says how old it is and why; its data has the note, too."""
    at = formats.clock(older.at.astimezone(context.timezone))
    note = gettext("{error}; this is from {time}.", error=text.one_line(error).rstrip("."), time=at)
    heading, *lines = older.result.output.split("\n")
    output, data = "\n".join([heading, f"Note: {note}", *lines]), older.result.data
    if isinstance(data, dict):
        data = {**data, "notes": [note, *data.get("notes", ())]}
    return replace(older.result, output=output, data=data, is_partial=True)
