"""`RateLimitToolsProvider`: how often one student may use a tool, as the tool itself says."""

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import Any

from services.errors import UsedTooOften
from services.i18n import gettext, gettext_noop, ngettext
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Tool

MOST_KEPT = 10_000
"""Students and tools whose uses are remembered; those that were idle longest are forgotten first."""

_SPANS = {
    1: gettext_noop("a second"),
    60: gettext_noop("a minute"),
    3600: gettext_noop("an hour"),
    86400: gettext_noop("a day"),
}


class RateLimitToolsProvider(WrappingToolsProvider):
    """Counts in this process: with several replicas a student has as much of each."""

    def __init__(self, wrapped: ToolsProvider, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: seconds that only ever go up."""
        super().__init__(wrapped)
        self._clock = clock
        self._lock = threading.Lock()
        self._uses: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """Raises `UsedTooOften` instead of one call too many."""
        tool = self.tool(name)
        if tool is not None and tool.rate is not None:
            self._count(tool, tool.rate, context.student.id)
        return self._wrapped.execute(name, arguments, context)

    def _count(self, tool: Tool, rate: CallRate, student_id: str) -> None:
        now, key = self._clock(), (student_id, tool.name)
        with self._lock:
            uses = self._uses.setdefault(key, deque())
            self._uses.move_to_end(key)
            while uses and uses[0] <= now - rate.seconds:
                uses.popleft()
            if len(uses) >= rate.calls:
                raise _refusal(tool, rate, wait_s=uses[0] + rate.seconds - now)
            uses.append(now)
            while len(self._uses) > MOST_KEPT:
                self._uses.popitem(last=False)


def in_words(rate: CallRate) -> str:
    """ "10 times a minute"."""
    times = gettext("once") if rate.calls == 1 else gettext("{n} times", n=rate.calls)
    span = _SPANS.get(int(rate.seconds))
    within = gettext(span) if span else gettext("in {seconds} seconds", seconds=f"{rate.seconds:.0f}")
    return f"{times} {within}"


def _refusal(tool: Tool, rate: CallRate, *, wait_s: float) -> UsedTooOften:
    seconds = math.ceil(wait_s)
    if seconds <= 90:
        wait = ngettext("{n} second", "{n} seconds", seconds)
    else:
        wait = ngettext("{n} minute", "{n} minutes", math.ceil(seconds / 60))
    sentence = gettext(
        "{tool} can be used {often}, and that is used up. It can be used again in {wait}.",
        tool=tool.name,
        often=in_words(rate),
        wait=wait,
    )
    return UsedTooOften(sentence, retry_after_s=wait_s)
