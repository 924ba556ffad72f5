"""`Dispatcher`: runs tool calls on bounded pools with time-outs, and makes a result of every error and crash."""

import logging
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any

from services.connections import messages
from services.errors import HomeroomError
from services.i18n import gettext
from services.runtime.logs import error_location
from services.runtime.thread_pools import ThreadPools
from services.safety.field_log import FieldLog, field_log
from services.safety.provenance import ResultProvenance
from services.safety.text import plain
from services.tools import failures
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider
from services.tools.result import FailureKind, ToolResult
from services.tools.tool import Tool

log = logging.getLogger(__name__)

POOL_SIZE = 16
"""Calls to one integration at once, over all students of this process."""

OUTPUT_LIMIT = 40_000
"""Characters of one result that the model reads; some ten thousand tokens."""


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A call to be dispatched."""

    name: str
    arguments: Mapping[str, Any] = field(repr=False)
    context: ToolExecutionContext = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class FinishedCall:
    """Result of the call with this index; `seconds` since all calls were handed in."""

    index: int
    result: ToolResult = field(repr=False)
    seconds: float


class Dispatcher:
    """Executor of tool calls. Never raises. A call runs on its integration's bounded pool, with its tool's time-out."""

    def __init__(self, pools: ThreadPools | None = None, *, output_limit: int = OUTPUT_LIMIT) -> None:
        self._pools = pools or ThreadPools(POOL_SIZE)
        self._output_limit = output_limit

    def call(
        self, provider: ToolsProvider, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext
    ) -> ToolResult:
        (finished,) = self.call_all(provider, [ToolCall(name=name, arguments=arguments, context=context)])
        return finished.result

    def call_all(self, provider: ToolsProvider, calls: Sequence[ToolCall]) -> Iterator[FinishedCall]:
        """Run the calls in parallel; each is yielded when it is done, so not always in the order of `calls`."""
        tools = {tool.name: tool for tool in provider.tools()}
        started = time.monotonic()
        open_calls: dict[Future[ToolResult], tuple[int, float]] = {}
        for index, call in enumerate(calls):
            tool = tools.get(call.name)
            # Calls within calls have pools of their own: else they could wait for a place that the outer ones hold.
            pool = self._pools.get_pool(f"{bulkhead_of(tool, call.context)}{'/inner' * call.context.depth}")
            timeout_s = tool.timeout_s if tool else 20.0
            open_calls[pool.submit_for(call.context.student.id, self._guarded, provider, call)] = (
                index,
                started + timeout_s,
            )
        while open_calls:
            first_deadline = min(deadline for _, deadline in open_calls.values())
            done, _ = wait(open_calls, max(0.0, first_deadline - time.monotonic()), FIRST_COMPLETED)
            late = {f for f, (_, deadline) in open_calls.items() if deadline <= time.monotonic()} - done
            for future in [*done, *late]:
                index, _ = open_calls.pop(future)
                result = future.result() if future in done else _timed_out(calls[index], future)
                yield FinishedCall(index=index, result=self._shown(result), seconds=time.monotonic() - started)

    def _guarded(self, provider: ToolsProvider, call: ToolCall) -> ToolResult:
        with field_log() as log:
            result = self._result_or_failure(provider, call)
        return result if result.success else _failure_with(result, log)

    def _result_or_failure(self, provider: ToolsProvider, call: ToolCall) -> ToolResult:
        try:
            return provider.execute(call.name, call.arguments, call.context)
        except HomeroomError as error:
            failure = failures.failure_of(error)
            name, kind = _logged_name(provider, call), type(error).__name__
            log.warning("%s tool=%s id=%s kind=%s", failure.event, name, _id(), kind)
            return failures.failed_result(error)
        except Exception as error:
            id = _id()
            name, at = _logged_name(provider, call), error_location(error)
            log.error("%s tool=%s id=%s at=%s", failures.CRASHED.event, name, id, at)
            sentence = gettext("This did not work because of a mistake of ours (reference {id}).", id=id)
            return ToolResult(success=False, error=sentence, error_kind=failures.CRASHED.kind)

    def _shown(self, result: ToolResult) -> ToolResult:
        """The result as the model may read it: without invisible characters, and not longer than the limit."""
        whole = plain(result.output)
        error, said = result.error and plain(result.error), result.said and plain(result.said)
        if len(whole) <= self._output_limit:
            return replace(result, output=whole, error=error, said=said)
        shown = whole[: self._output_limit]
        shown = shown[: shown.rfind("\n")] if "\n" in shown else shown
        note = f"\nNote: only the first {len(shown):,} of {len(whole):,} characters are shown. Ask for less at once."
        return replace(result, output=shown + note, error=error, said=said)


def _failure_with(failure: ToolResult, log: FieldLog) -> ToolResult:
    """The failure with who may have written what was read until then: its sentence may tell of it."""
    return replace(failure, provenance=ResultProvenance(writers=log.writers))


def _logged_name(provider: ToolsProvider, call: ToolCall) -> str:
    """Name of a call's tool for the log."""
    return call.name if any(tool.name == call.name for tool in provider.tools()) else failures.UNKNOWN_TOOL


def _timed_out(call: ToolCall, future: Future[ToolResult]) -> ToolResult:
    future.cancel()
    log.warning("%s tool=%.80r id=%s", failures.TIMED_OUT.event, call.name, _id())
    sentence = " ".join((gettext(messages.NO_ANSWER_IN_TIME), gettext(messages.TEMPORARILY_UNAVAILABLE)))
    return ToolResult(success=False, error=sentence, error_kind=failures.TIMED_OUT.kind)


def _id() -> str:
    return secrets.token_hex(4)


def bulkhead_of(tool: Tool | None, context: ToolExecutionContext | None = None) -> str:
    """Name of the bounded pool that a call runs on: each outside service has its own, so that a hanging one starves no
    other. A tool of a category runs on that of the student's connections that it may use.
    """
    if tool is None:
        return "tools-own"
    name = tool.integration or tool.server or (_connected(tool, context) if tool.capabilities else None)
    return f"tools-{name or 'own'}"


def _connected(tool: Tool, context: ToolExecutionContext | None) -> str:
    if context is None:
        return tool.category
    offered = context.container.integrations
    given = [id for id in context.connections if id in offered and offered[id].capabilities & {*tool.capabilities}]
    return "+".join(sorted(given)) or tool.category


DEEPEST = 3
"""Depth of nested calls: an assistant that was asked by another may still use a tool that uses tools."""


class NestedReadCalls:
    """Calls of one tool to others, within the same resolution.

    Only reading tools: one that writes waits for the student, and the tool around it could not wait that long.
    """

    def __init__(self, provider: ToolsProvider, dispatcher: Dispatcher) -> None:
        """`provider`: what the student may use here, without what writes or waits."""
        self._provider = provider
        self._dispatcher = dispatcher

    def call_all(
        self, context: ToolExecutionContext, calls: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> list[ToolResult]:
        """Never raises; a failure of one leaves the others alone."""
        if context.depth >= DEEPEST:
            log.warning("tools_nested_too_deep depth=%d", context.depth)
            error = "Too many tools have called each other here."
            return [ToolResult(success=False, error=error, error_kind=FailureKind.NOT_ALLOWED) for _ in calls]
        inner = replace(
            context, depth=context.depth + 1, operation_id=None, is_repeat=False, approved_rows=(), used_integrations=[]
        )
        wanted = [ToolCall(name=name, arguments=arguments, context=inner) for name, arguments in calls]
        finished = self._dispatcher.call_all(self._provider, wanted)
        return [call.result for call in sorted(finished, key=lambda call: call.index)]
