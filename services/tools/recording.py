"""`RecordingToolsProvider`: every call that reaches an outside service is noted in the student's own activity."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from services.errors import HomeroomError, OutcomeUnknown, StorageError
from services.language import to_say
from services.tools.base import Tool, ToolExecutionContext, ToolResult
from services.tools.providers import ToolsProvider, named

log = logging.getLogger(__name__)


class Record(Protocol):
    """What this wrapper needs of `services.approvals.activity`."""

    def record(
        self,
        student_id: str,
        *,
        service: str,
        tool: str,
        effect: str,
        sentence: str,
        approval_id: str | None = None,
    ) -> None: ...


class RecordingToolsProvider:
    def __init__(self, wrapped: ToolsProvider, activity: Record, labels: Mapping[str, str]) -> None:
        """`labels`: each integration's name for a person, by id."""
        self._wrapped = wrapped
        self._activity = activity
        self._labels = labels

    def tools(self) -> Sequence[Tool]:
        return self._wrapped.tools()

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        try:
            result = self._wrapped.execute(name, arguments, context)
        except OutcomeUnknown:
            self._note(name, context, to_say("unclear whether it happened"))
            raise
        except HomeroomError:
            self._note(name, context, to_say("did not work"))
            raise
        self._note(name, context, to_say("done") if result.success else to_say("did not work"))
        return result

    def _note(self, name: str, context: ToolExecutionContext, sentence: str) -> None:
        tool = named(self._wrapped, name)
        services = self._services(tool, context) if tool else []
        if tool is None or not (services or tool.effect.needs_approval):
            return
        try:
            self._activity.record(
                context.student.id,
                service=" and ".join(services) or "Homeroom",
                tool=tool.title if tool.effect.needs_approval else tool.label,
                effect=tool.effect.value,
                sentence=sentence,
                approval_id=context.operation_id,
            )
        except StorageError:
            # The call has happened: a note that cannot be kept must not make it look as if it had not.
            log.warning("activity_not_recorded tool=%s", name)

    def _services(self, tool: Tool, context: ToolExecutionContext) -> list[str]:
        """The outside services of a call, for a person: its own one, or those that a tool of a category used."""
        if tool.server:
            return [tool.server]
        ids = [tool.integration] if tool.integration else context.used
        return [self._labels.get(id, id) for id in ids]
