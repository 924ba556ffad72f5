"""`Dispatcher`: the outer door of every tool call, where an error, a crash or a time-out becomes a result."""

import logging
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any

from services.errors import HomeroomError
from services.i18n import gettext
from services.runtime.thread_pools import Pools
from services.safety.text import plain
from services.tools import failures
from services.tools.base import ToolExecutionContext, ToolResult
from services.tools.lanes import lane
from services.tools.providers.provider import ToolsProvider

log = logging.getLogger(__name__)

POOL_SIZE = 16
"""Calls to one integration at once, over all students of this process."""

OUTPUT_LIMIT = 40_000
"""Characters of one result that the model reads; some ten thousand tokens."""


@dataclass(frozen=True, kw_only=True)
class Call:
    name: str
    arguments: Mapping[str, Any] = field(repr=False)
    context: ToolExecutionContext = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Finished:
    """The result of the call with this index; `seconds` since all calls were handed in."""

    index: int
    result: ToolResult = field(repr=False)
    seconds: float


class Dispatcher:
    """Never raises. Each call runs on its integration's bounded pool and has its tool's time-out."""

    def __init__(self, pools: Pools | None = None, *, output_limit: int = OUTPUT_LIMIT) -> None:
        self._pools = pools or Pools(POOL_SIZE)
        self._output_limit = output_limit

    def call(
        self, provider: ToolsProvider, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext
    ) -> ToolResult:
        (finished,) = self.call_all(provider, [Call(name=name, arguments=arguments, context=context)])
        return finished.result

    def call_all(self, provider: ToolsProvider, calls: Sequence[Call]) -> Iterator[Finished]:
        """Run the calls side by side; each is given out when it is done, so not always in the order of `calls`."""
        tools = {tool.name: tool for tool in provider.tools()}
        started = time.monotonic()
        open_calls: dict[Future[ToolResult], tuple[int, float]] = {}
        for index, call in enumerate(calls):
            tool = tools.get(call.name)
            # Calls within calls have pools of their own: else they could wait for a place that the outer ones hold.
            pool = self._pools.of(f"{lane(tool, call.context)}{'/inner' * call.context.depth}")
            timeout_s = tool.timeout_s if tool else 20.0
            open_calls[pool.submit(self._guarded, provider, call)] = (index, started + timeout_s)
        while open_calls:
            first_deadline = min(deadline for _, deadline in open_calls.values())
            done, _ = wait(open_calls, max(0.0, first_deadline - time.monotonic()), FIRST_COMPLETED)
            late = {f for f, (_, deadline) in open_calls.items() if deadline <= time.monotonic()} - done
            for future in [*done, *late]:
                index, _ = open_calls.pop(future)
                result = future.result() if future in done else _timed_out(calls[index], future)
                yield Finished(index=index, result=self._shown(result), seconds=time.monotonic() - started)

    def _guarded(self, provider: ToolsProvider, call: Call) -> ToolResult:
        try:
            result = provider.execute(call.name, call.arguments, call.context)
        except HomeroomError as error:
            failure = failures.failure_of(error)
            log.warning("%s tool=%.80r id=%s kind=%s", failure.event, call.name, _id(), type(error).__name__)
            return failures.refusal(error)
        except Exception as error:
            id = _id()
            log.error("%s tool=%.80r id=%s at=%s", failures.CRASHED.event, call.name, id, place(error))
            sentence = gettext("This did not work because of a mistake of ours (reference {id}).", id=id)
            return ToolResult(success=False, error=sentence, error_kind=failures.CRASHED.kind)
        return result

    def _shown(self, result: ToolResult) -> ToolResult:
        """As the model may read it: without what a person could not see, and not longer than it can take in."""
        whole = plain(result.output)
        error, said = result.error and plain(result.error), result.said and plain(result.said)
        if len(whole) <= self._output_limit:
            return replace(result, output=whole, error=error, said=said)
        shown = whole[: self._output_limit]
        shown = shown[: shown.rfind("\n")] if "\n" in shown else shown
        note = f"\nNote: only the first {len(shown):,} of {len(whole):,} characters are shown. Ask for less at once."
        return replace(result, output=shown + note, error=error, said=said)


def _timed_out(call: Call, future: Future[ToolResult]) -> ToolResult:
    future.cancel()
    log.warning("%s tool=%.80r id=%s", failures.TIMED_OUT.event, call.name, _id())
    sentence = " ".join((gettext("The service did not answer in time."), gettext(failures.UNAVAILABLE)))
    return ToolResult(success=False, error=sentence, error_kind=failures.TIMED_OUT.kind)


def place(error: Exception) -> str:
    """The type of an error and where it was raised: enough to find it, without the text it may carry."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__}@{where}"


def _id() -> str:
    return secrets.token_hex(4)
