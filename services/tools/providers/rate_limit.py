"""`RateLimitToolsProvider`: how often one student may use a tool, as the tool itself says."""

import math
from collections.abc import Mapping
from typing import Any

from services.errors import UsedTooOften
from services.i18n import gettext, gettext_noop, ngettext
from services.runtime.rate_limiter import RateLimiter, SlidingWindow
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import CallRate, Tool

_SPANS = {
    1: gettext_noop("a second"),
    60: gettext_noop("a minute"),
    3600: gettext_noop("an hour"),
    86400: gettext_noop("a day"),
}


class RateLimitToolsProvider(WrappingToolsProvider):
    """Rate limit for each student and tool, over all replicas."""

    def __init__(self, wrapped: ToolsProvider, *, limiter: RateLimiter) -> None:
        super().__init__(wrapped)
        self._limiter = limiter

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """Raises `UsedTooOften` instead of one call too many."""
        tool = self.tool(name)
        if tool is not None and tool.rate is not None:
            self._acquire(tool, tool.rate, context.student.id)
        return self._wrapped.execute(name, arguments, context)

    def _acquire(self, tool: Tool, rate: CallRate, student_id: str) -> None:
        limit = SlidingWindow(calls=rate.calls, seconds=rate.seconds)
        if wait_s := self._limiter.acquire(f"tool/{tool.name}/{student_id}", limit):
            raise _refusal(tool, rate, wait_s=wait_s)


def rate_text(rate: CallRate) -> str:
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
        often=rate_text(rate),
        wait=wait,
    )
    return UsedTooOften(sentence, retry_after_s=wait_s)
