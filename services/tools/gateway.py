"""`ToolGateway`: tool calls from outside a conversation (HTTP, MCP, pages), through the model's chain of providers."""

import logging
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from services.assistants.assistant import Assistant
from services.assistants.class_assistant import ClassAssistant, exam_sentence
from services.assistants.registry import AssistantRegistry
from services.connections.connection import Connection
from services.errors import ApprovalError, ToolUnavailable
from services.i18n import gettext
from services.identity.students import Student
from services.llm.citations import Source
from services.safety.seen_addresses import SeenAddresses
from services.tools.availability import Exclusion, ExclusionKind, available_tools_message, unknown_tool_message
from services.tools.context import ToolExecutionContext
from services.tools.dispatch import Dispatcher, ToolCall
from services.tools.providers.provider import ToolsProvider, find_tool
from services.tools.result import FailureKind, ToolResult
from services.tools.tool import Tool
from services.tools.toolbox import Toolbox, Toolboxes

log = logging.getLogger(__name__)

MOST_WAITING = 20
"""Pending changes of programs for one student: a person does not read more before approving."""
_ERROR_KINDS = {
    ExclusionKind.NOT_CONNECTED: FailureKind.NOT_CONNECTED,
    ExclusionKind.CONNECTION_EXPIRED: FailureKind.RECONNECT,
    ExclusionKind.CONNECTION_REVOKED: FailureKind.RECONNECT,
    ExclusionKind.CONNECTION_LOCKED: FailureKind.RECONNECT,
    ExclusionKind.SERVER_DOWN: FailureKind.UNAVAILABLE,
}


class PendingApprovals(Protocol):
    """The part of `Approvals` that the gateway needs."""

    def pending_from_programs(self, student_id: str, limit: int) -> Sized: ...

    def waiting_repeat(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> str | None: ...


@dataclass(frozen=True, kw_only=True)
class ToolAvailability:
    """Offer of a tool of the root: reason is why this student cannot use it now, None when they can."""

    tool: Tool
    reason: Exclusion | None


class ToolGateway:
    """Entry point of tool calls that no model of ours makes."""

    def __init__(
        self,
        *,
        root: ToolsProvider,
        toolboxes: Toolboxes,
        assistants: AssistantRegistry,
        dispatcher: Dispatcher,
        approvals: PendingApprovals,
    ) -> None:
        self._root = root
        self._assistants = assistants
        self._toolboxes = toolboxes
        self._dispatcher = dispatcher
        self._approvals = approvals

    def tools(self) -> Sequence[Tool]:
        """Every tool of the root, whoever may use it."""
        return self._root.tools()

    def mark_results_outdated(self, student: Student) -> None:
        """Mark the student's cached results as outdated; they are still given while their service does not answer."""
        self._toolboxes.mark_results_outdated(student)

    def tool(self, name: str) -> Tool | None:
        """A tool of the root, whoever may use it."""
        return find_tool(self._root, name)

    def enabled_tools(
        self, student: Student, connections: Mapping[str, Connection], assistant: Assistant
    ) -> Sequence[Tool]:
        """The tools that an assistant has for a student with these connections, without a store read."""
        return self._toolboxes.resolution(connections, assistant, off=student.tools_off).tools

    def list_tools(self, student_id: str, *, assistant: str | None = None) -> list[ToolAvailability]:
        """Every tool of the root as this student has it, with one store read; with `assistant`, as that one has it.

        Raises `ItemNotFound` for an assistant that does not exist.
        """
        resolution = self._toolboxes.resolution_of(student_id, self._named(student_id, assistant))
        return [ToolAvailability(tool=tool, reason=resolution.reason(tool)) for tool in self._root.tools()]

    def call(
        self,
        student: Student,
        name: str,
        arguments: Mapping[str, Any],
        *,
        asked_by: str,
        assistant: str | None = None,
        seen_addresses: Callable[[], SeenAddresses] | None = None,
        cited_sources: Callable[[], Sequence[Source]] | None = None,
        by_hand: bool = False,
    ) -> ToolResult:
        """Run a tool that reads; keep one that writes until the student decides.

        seen_addresses: what the program was told before, when a model speaks through it: only such addresses are opened
        then. cited_sources: those of the chat from which a page calls. by_hand: the student reads the answer
        themselves, on a page: the names of other tools say nothing to them.

        What the student lacks binds always, what an assistant leaves out binds when it is named.
        What goes wrong in the tool is a result with `success` false, as the model gets it. Raises `ToolUnavailable`
        for a name that nobody registered, `ItemNotFound` for such an assistant, `BadArguments` for arguments that do
        not fit the schema, `ConsentRequired` when it would read an account without the student's consent, and
        `ApprovalError` when too much waits for the student already.
        """
        named = self._named(student.id, assistant)
        if isinstance(named, ClassAssistant) and named.exam:
            sentence = exam_sentence(named, ZoneInfo(student.timezone))
            return ToolResult(success=False, error=sentence, error_kind=FailureKind.NOT_ALLOWED)
        toolbox = self._toolboxes.for_student(student, named, by_hand=by_hand)
        tool = self.tool(name)
        if tool is None:
            log.warning("unknown_tool_called")
            raise ToolUnavailable(
                f"{unknown_tool_message(name)} {available_tools_message(toolbox.resolution.tools)}", next_step=""
            )
        if reason := toolbox.resolution.reason(tool):
            log.warning("disabled_tool_called tool=%s kind=%s", name, reason.kind)
            toolbox.require_consent(name)
            return _refusal(reason, "" if by_hand else available_tools_message(toolbox.resolution.tools))
        tool.validate(arguments)
        context = toolbox.context(asked_by=asked_by, seen_addresses=seen_addresses, cited_sources=cited_sources)
        if tool.effect.needs_approval and not self._approvals.waiting_repeat(tool, arguments, context):
            self._require_room(student.id)
        return self._dispatcher.call(toolbox.asking, name, arguments, context)

    def call_all(
        self,
        student: Student,
        calls: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        asked_by: str,
        on_result: Callable[[int, ToolResult], None] | None = None,
    ) -> list[ToolResult]:
        """Run tools that read side by side for a page, with one store read; the results in the order of the calls.

        Never raises for what goes wrong in a tool, nor for one that the student lacks or that writes. on_result: told
        each result of a tool as it comes, with the place of its call.
        """
        toolbox = self._toolboxes.for_student(student, by_hand=True)
        results: list[ToolResult | None] = [_missing(self.tool(name), toolbox, name) for name, _ in calls]
        wanted = [index for index, refusal in enumerate(results) if refusal is None]
        running = [
            ToolCall(name=calls[index][0], arguments=calls[index][1], context=toolbox.context(asked_by=asked_by))
            for index in wanted
        ]
        for done in self._dispatcher.call_all(toolbox.reading, running):
            results[wanted[done.index]] = done.result
            if on_result is not None:
                on_result(wanted[done.index], done.result)
        return [result for result in results if result is not None]

    def _named(self, student_id: str, assistant: str | None) -> Assistant | None:
        return None if assistant is None else self._assistants.for_student(student_id, assistant)

    def _require_room(self, student_id: str) -> None:
        if len(self._approvals.pending_from_programs(student_id, MOST_WAITING)) >= MOST_WAITING:
            step = gettext("Decide on some of them in Homeroom first.")
            raise ApprovalError(
                gettext("{most} changes wait for a decision already.", most=MOST_WAITING), next_step=step
            )


def _missing(tool: Tool | None, toolbox: Toolbox, name: str) -> ToolResult | None:
    """Why the student has no such tool; None when they have it."""
    if tool is None:
        return ToolResult(success=False, error=unknown_tool_message(name), error_kind=FailureKind.NOT_ALLOWED)
    reason = toolbox.resolution.reason(tool)
    return _refusal(reason) if reason else None


def _refusal(reason: Exclusion, others: str = "") -> ToolResult:
    sentence = " ".join(filter(None, (reason.sentence, reason.next_step, others)))
    return ToolResult(success=False, error=sentence, error_kind=_ERROR_KINDS.get(reason.kind, FailureKind.NOT_ALLOWED))
