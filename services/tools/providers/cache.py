"""`CachingToolsProvider`: cache of tool results; during an outage of a service it still gives an older one."""

import json
import logging
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from services.connections.connections import Connections
from services.connections.connector import Connector
from services.errors import ServiceUnavailable, StorageError, ToolUnavailable
from services.i18n import formats, get_locale, gettext
from services.safety import text
from services.tools.context import NestedCalls, ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.providers.result_cache import KEPT_FOR, CachedResult, CacheKey, ResultCache
from services.tools.result import FailureKind, ToolResult
from services.tools.tool import Tool

log = logging.getLogger(__name__)


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
