"""Usage metrics of tools: `ToolUsage`, daily counters, and `MetricsToolsProvider`, which adds to them."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from services.errors import HomeroomError, StorageError
from services.runtime.clock import Clock, stamp
from services.runtime.metrics_registry import TOOL_CALLS, TOOL_SECONDS, MetricsRegistry
from services.runtime.traces import TRACES
from services.storage.store import Store
from services.tools import failures
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import ToolResult

log = logging.getLogger(__name__)
COLLECTION = "tool_usage"
BOUNDS_S = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""Calls are counted by the first of these that they stayed below; the rest took longer than all."""
KEPT_DAYS = 100
_CALLS, _FAILED, _TOOK = "calls", "failed_", "took_"


@dataclass(frozen=True, kw_only=True)
class ToolUsageTotals:
    """Call counts of one tool over some days. failures: how many, by `error_kind`. took: calls by `BOUNDS_S`, slower
    ones last.
    """

    tool: str
    calls: int
    failures: Mapping[str, int]
    took: Sequence[int]

    @property
    def failed(self) -> int:
        return sum(self.failures.values())

    @property
    def median_below_s(self) -> float | None:
        """At least half of the calls took less than this; None when they took longer than the last bound."""
        seen = 0
        for bound, calls in zip(BOUNDS_S, self.took, strict=False):
            seen += calls
            if 2 * seen >= self.calls:
                return bound
        return None


class ToolUsage:
    """Daily call counters: one document for each tool and day (UTC), without any student."""

    def __init__(self, store: Store, clock: Clock, registry: MetricsRegistry | None = None) -> None:
        """registry: counts the calls for the operator, too."""
        self._store = store.shared
        self._clock, self._registry = clock, registry or MetricsRegistry()

    def record_call(self, tool: str, *, seconds: float, failure: str | None) -> None:
        """Count one call; failure: its kind, None for one that worked."""
        self._registry.count(TOOL_CALLS, tool, failure or "ok")
        self._registry.observe(TOOL_SECONDS, seconds)
        day = self._clock().astimezone(UTC).date()
        ends = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=KEPT_DAYS)
        amounts = {_CALLS: 1, f"{_TOOK}{_bucket(seconds)}": 1, **({f"{_FAILED}{failure}": 1} if failure else {})}
        document = {"id": f"{day}/{tool}", "day": f"{day}", "tool": tool, "kept_until": stamp(ends)}
        self._store.increment(COLLECTION, document["id"], amounts, defaults=document)

    def of_last_days(self, days: int) -> Sequence[ToolUsageTotals]:
        """The tools that ran on these days, today included: the most called first; one store read."""
        first = self._clock().astimezone(UTC).date() - timedelta(days=days - 1)
        sums: dict[str, Counter[str]] = {}
        for document in self._store.find(COLLECTION, {"day": {"$gte": f"{first}"}}):
            numbers = {name: int(value) for name, value in document.items() if isinstance(value, int | float)}
            sums.setdefault(document["tool"], Counter()).update(numbers)
        return sorted(
            (_numbers(tool, found) for tool, found in sums.items()), key=lambda used: (-used.calls, used.tool)
        )


def _bucket(seconds: float) -> int:
    return next((index for index, bound in enumerate(BOUNDS_S) if seconds < bound), len(BOUNDS_S))


def _numbers(tool: str, found: Counter[str]) -> ToolUsageTotals:
    failed = {name.removeprefix(_FAILED): value for name, value in found.items() if name.startswith(_FAILED)}
    took = tuple(found[f"{_TOOK}{index}"] for index in range(len(BOUNDS_S) + 1))
    return ToolUsageTotals(tool=tool, calls=found[_CALLS], failures=dict(sorted(failed.items())), took=took)


class MetricsToolsProvider(WrappingToolsProvider):
    """Counter of every call that runs: which tool, how it ended, how long it took."""

    def __init__(
        self,
        wrapped: ToolsProvider,
        usage: ToolUsage,
        clock: Callable[[], float] = time.monotonic,
        *,
        on_failure: Callable[[str, str, str], None] = lambda student_id, tool, kind: None,
    ) -> None:
        """`clock`: seconds that only ever go up. on_failure: told of the student, tool and kind of each failed call."""
        super().__init__(wrapped)
        self._usage = usage
        self._clock = clock
        self._on_failure = on_failure

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        started = self._clock()
        # What nothing below corrects is a crash: the dispatcher names its type.
        failure: str | None = failures.CRASHED.kind
        try:
            with TRACES.span("tool.call", tool=name):
                result = self._wrapped.execute(name, arguments, context)
            failure = None if result.success else result.error_kind or failures.OTHER.kind
        except HomeroomError as error:
            failure = failures.failure_of(error).kind
            raise
        finally:
            self._count(name, self._clock() - started, failure, context.student.id)
        return result

    def _count(self, name: str, seconds: float, failure: str | None, student_id: str) -> None:
        tool = self.tool(name)
        if tool is None:
            return
        if seconds >= tool.timeout_s:
            # Whoever asked was told so meanwhile, whatever came in the end.
            failure = failures.TIMED_OUT.kind
        try:
            self._usage.record_call(name, seconds=seconds, failure=failure)
        except StorageError:
            # The call has happened: a number that cannot be kept must not make it look as if it had not.
            log.warning("tool_use_not_counted tool=%s", name)
        if failure is not None:
            self._on_failure(student_id, name, failure)
