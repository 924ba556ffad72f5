"""Credential refresh: a refused credential is renewed once and the call replayed; the connection's health is kept."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar

from services.connections.connection import Connection
from services.connections.connections import Connections
from services.errors import ReconnectRequired, ServiceUnavailable, StorageError, Throttled
from services.i18n import english
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import ToolResult

log = logging.getLogger(__name__)

Result = TypeVar("Result")


class CredentialRefresh:
    """Retry of an action on a student's connection with a renewed credential; it reports the connection's health."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def run(
        self, context: ToolExecutionContext, integration: str, action: Callable[[ToolExecutionContext], Result]
    ) -> Result:
        """Do it, and once more after a `ReconnectRequired`, with the renewed credential and `is_repeat`."""
        seen = context.connections.get(integration)
        try:
            return self._reporting_health(context, integration, action)
        except ReconnectRequired:
            connection = self._renewed(context, integration, seen)
        renewed = replace(context, connections={**context.connections, integration: connection}, is_repeat=True)
        try:
            return self._reporting_health(renewed, integration, action)
        except ReconnectRequired as error:
            self._connections.report_failure(context.student.id, integration, error, seen=connection)
            raise

    def _renewed(self, context: ToolExecutionContext, integration: str, seen: Connection | None) -> Connection:
        try:
            return self._connections.refresh_grant(context.student.id, integration, seen=seen)
        except ReconnectRequired as error:
            self._connections.report_failure(context.student.id, integration, error, seen=seen)
            raise

    def _reporting_health(
        self, context: ToolExecutionContext, integration: str, action: Callable[[ToolExecutionContext], Result]
    ) -> Result:
        try:
            result = action(context)
        except Throttled as error:
            raise _with_local_time(error, context) from None
        except ServiceUnavailable as error:
            self._connections.report_failure(
                context.student.id, integration, error, seen=context.connections.get(integration)
            )
            raise
        self._report_recovery(context, integration)
        return result

    def _report_recovery(self, context: ToolExecutionContext, integration: str) -> None:
        connection = context.connections.get(integration)
        if connection is None:
            return
        try:
            self._connections.report_success(context.student.id, integration, connection)
        except StorageError:
            # The call has happened; its result counts for more than an entry on health.
            log.warning("recovery_not_noted integration=%s", integration)


def _with_local_time(error: Throttled, context: ToolExecutionContext) -> Throttled:
    """The same, saying until when the service wants quiet, in the student's own time."""
    if error.retry_after_s is None:
        return error
    until = context.now() + timedelta(seconds=error.retry_after_s + 59)
    sentence = f"{error.service} asks us to wait until {english.clock(until)}."
    return Throttled(error.service, sentence, retry_after_s=error.retry_after_s, next_step="Try again then.")


class CredentialRefreshToolsProvider(WrappingToolsProvider):
    """Credential refresh for tools of one integration; those of a category do it for each connection that they use."""

    def __init__(self, wrapped: ToolsProvider, connections: Connections) -> None:
        super().__init__(wrapped)
        self._refresh = CredentialRefresh(connections)

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        tool = self.tool(name)
        if tool is None or tool.integration is None:
            return self._wrapped.execute(name, arguments, context)
        return self._refresh.run(
            context, tool.integration, lambda current: self._wrapped.execute(name, arguments, current)
        )
