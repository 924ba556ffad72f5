"""`ToolDoor`: tool calls from outside a conversation, through the same chain of providers as the model's."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from services.approvals.approval import Approval
from services.errors import ApprovalError, ToolUnavailable
from services.students import Student
from services.tools.base import Tool, ToolResult
from services.tools.dispatch import Dispatcher
from services.tools.failures import RECONNECT
from services.tools.providers import ToolsProvider
from services.tools.resolution import Disabled
from services.tools.toolbox import Toolbox, Toolboxes

log = logging.getLogger(__name__)

MOST_WAITING = 20
"""Changes that programs may have waiting for one student: more than that nobody reads before approving."""
CONNECT = "Connect it on the Connections page first."


class Waiting(Protocol):
    """What the door needs of `services.approvals`."""

    def waiting_of_programs(self, student_id: str, limit: int) -> Sequence[Approval]: ...


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A tool of the root, and why this student cannot use it now; None when they can."""

    tool: Tool
    reason: Disabled | None


class ToolDoor:
    def __init__(
        self, *, root: ToolsProvider, toolboxes: Toolboxes, dispatcher: Dispatcher, approvals: Waiting
    ) -> None:
        self._root = root
        self._toolboxes = toolboxes
        self._dispatcher = dispatcher
        self._approvals = approvals

    def tool(self, name: str) -> Tool | None:
        """A tool of the root, whoever may use it."""
        return next((tool for tool in self._root.tools() if tool.name == name), None)

    def offers(self, student_id: str) -> list[Offer]:
        """Every tool of the root as this student has it, with one store read."""
        resolution = self._toolboxes.resolution_of(student_id)
        return [Offer(tool=tool, reason=resolution.reason(tool)) for tool in self._root.tools()]

    def call(self, student: Student, name: str, arguments: Mapping[str, Any], *, asked_by: str) -> ToolResult:
        """Run a tool that reads; keep one that writes until the student decides.

        What goes wrong in the tool is a result with `success` false, as the model gets it. Raises `ToolUnavailable`
        for a name that nobody registered, `BadArguments` for arguments that do not fit the schema, and
        `ApprovalError` when too much waits for the student already.
        """
        toolbox = self._toolboxes.of(student)
        tool = self.tool(name)
        if tool is None:
            log.warning("unknown_tool_called tool=%.80r", name)
            raise ToolUnavailable(f"There is no tool named {name[:80]}. {_available(toolbox)}", next_step="")
        if reason := toolbox.resolution.reason(tool):
            log.warning("disabled_tool_called tool=%s kind=%s", name, reason.kind)
            return _refusal(reason, toolbox)
        tool.validate(arguments)
        if tool.effect.needs_approval:
            self._leave_room(student.id)
        return self._dispatcher.call(toolbox.asking, name, arguments, toolbox.context(asked_by=asked_by))

    def _leave_room(self, student_id: str) -> None:
        if len(self._approvals.waiting_of_programs(student_id, MOST_WAITING)) >= MOST_WAITING:
            step = "Decide on some of them in Homeroom first."
            raise ApprovalError(f"{MOST_WAITING} changes wait for you already.", next_step=step)


def _refusal(reason: Disabled, toolbox: Toolbox) -> ToolResult:
    sentence = f"{reason.sentence} {CONNECT if reason.kind == 'missing' else RECONNECT} {_available(toolbox)}"
    kind = "not_connected" if reason.kind == "missing" else "reconnect"
    return ToolResult(success=False, error=sentence, error_kind=kind)


def _available(toolbox: Toolbox) -> str:
    return f"Available tools: {', '.join(tool.name for tool in toolbox.resolution.tools) or 'none'}."
