"""`NestedReads`: the tools that a tool may call in the course of its own call, within the same resolution."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from services.tools.base import FailureKind, ToolExecutionContext, ToolResult
from services.tools.dispatch import Call
from services.tools.providers.provider import ToolsProvider

log = logging.getLogger(__name__)

DEEPEST = 3
"""Calls within calls: an assistant that was asked by another one may still use a tool that uses tools."""


class NestedReads:
    """Only reads: a tool that writes waits for the student, and the tool around it could not wait that long."""

    def __init__(self, provider: ToolsProvider) -> None:
        """`provider`: what the student may use here, without what writes or waits."""
        self._provider = provider

    def call_all(
        self, context: ToolExecutionContext, calls: Sequence[tuple[str, Mapping[str, Any]]]
    ) -> list[ToolResult]:
        """Never raises; a failure of one leaves the others alone."""
        if context.depth >= DEEPEST:
            log.warning("tools_nested_too_deep depth=%d", context.depth)
            error = "Too many tools have called each other here."
            return [ToolResult(success=False, error=error, error_kind=FailureKind.NOT_ALLOWED) for _ in calls]
        inner = replace(context, depth=context.depth + 1, operation_id=None, is_repeat=False, approved_rows=(), used=[])
        wanted = [Call(name=name, arguments=arguments, context=inner) for name, arguments in calls]
        finished = context.container.dispatcher.call_all(self._provider, wanted)
        return [one.result for one in sorted(finished, key=lambda one: one.index)]
