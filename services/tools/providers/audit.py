"""Audit log of calls that reach an outside service or change something, in the student's own activity."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from services.errors import HomeroomError, OutcomeUnknown, StorageError
from services.i18n import gettext_noop
from services.tools.activity import ActivityKind, ActivityLog
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Effect, Tool

log = logging.getLogger(__name__)

OURS = "Homeroom"
DONE, DID_NOT_WORK = gettext_noop("done"), gettext_noop("did not work")


class AuditToolsProvider(WrappingToolsProvider):
    """Audit log around a provider."""

    def __init__(
        self,
        wrapped: ToolsProvider,
        activity: ActivityLog,
        labels: Mapping[str, str],
        *,
        kind: ActivityKind = ActivityKind.CALL,
    ) -> None:
        """labels: each integration's name for a person, by id. kind: what its calls are for."""
        super().__init__(wrapped)
        self._activity = activity
        self._labels = labels
        self._kind = kind

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        try:
            result = self._wrapped.execute(name, arguments, context)
        except OutcomeUnknown:
            self._record(name, context, gettext_noop("unclear whether it happened"))
            raise
        except HomeroomError:
            self._record(name, context, DID_NOT_WORK)
            raise
        self._record(name, context, DONE if result.success else DID_NOT_WORK)
        return result

    def _record(self, name: str, context: ToolExecutionContext, sentence: str) -> None:
        tool = self.tool(name)
        services = self._services(tool, context) if tool else []
        if tool is None or not (services or tool.effect.needs_approval):
            return
        try:
            self._activity.record(
                context.student.id,
                services=services or [OURS],
                tool=tool.title if tool.effect.needs_approval else tool.label,
                effect=tool.effect.value,
                sentence=sentence,
                kind=self._kind,
                approval_id=context.operation_id,
            )
        except StorageError:
            # The call has happened: an entry that cannot be kept must not make it look as if it had not.
            log.warning("activity_not_recorded tool=%s", name)

    def _services(self, tool: Tool, context: ToolExecutionContext) -> list[str]:
        """The outside services of a call, for a person: its own ones, or those that a tool of a category used."""
        own = [name for name in (tool.server, tool.service) if name]
        ids = [tool.integration] if tool.integration else context.used_integrations
        return [*own, *(self._labels.get(id, id) for id in ids)]


@contextmanager
def audited_preview(tool: Tool, context: ToolExecutionContext) -> Iterator[None]:
    """Audit log around the making of an approval card: the accounts that it reads are noted like those of any call."""
    sentence = DID_NOT_WORK
    try:
        yield
        sentence = DONE
    finally:
        if context.used_integrations:
            _record_preview(tool, context, sentence)


def _record_preview(tool: Tool, context: ToolExecutionContext, sentence: str) -> None:
    integrations = context.container.integrations
    services = [integrations[id].label if id in integrations else id for id in context.used_integrations]
    try:
        context.container.activity.record(
            context.student.id,
            services=services,
            tool=tool.title,
            effect=Effect.READ.value,
            sentence=sentence,
            kind=ActivityKind.PREVIEW,
        )
    except StorageError:
        log.warning("activity_not_recorded tool=%s", tool.name)
